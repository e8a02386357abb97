package fidelity

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/sha3"
	"hash"
	"testing"

	"github.com/zeebo/blake3"
	"golang.org/x/crypto/blake2b"
	"golang.org/x/crypto/blake2s"
	"golang.org/x/crypto/chacha20poly1305"
)

const blockSize = 1 << 20

// newHash makes a function that hashes a block, with a state that is reused.
func newHash(b *testing.B, state hash.Hash, err error) func() error {
	if err != nil {
		b.Fatal(err)
	}
	block := randomBytes(blockSize)
	var sum []byte
	return func() error {
		state.Reset()
		_, err := state.Write(block)
		sum = state.Sum(sum[:0])
		return err
	}
}

var hashKey = make([]byte, 32)

func benchmarkHash(b *testing.B, state func() (hash.Hash, error)) {
	repeat(b, blockSize, func() func() error {
		made, err := state()
		return newHash(b, made, err)
	})
}

func BenchmarkHashBLAKE2S256(b *testing.B) {
	benchmarkHash(b, func() (hash.Hash, error) { return blake2s.New256(hashKey) })
}

func BenchmarkHashBLAKE2B256128(b *testing.B) {
	benchmarkHash(b, func() (hash.Hash, error) { return blake2b.New256(hashKey) })
}

func BenchmarkHashBLAKE3256(b *testing.B) {
	benchmarkHash(b, func() (hash.Hash, error) { return blake3.NewKeyed(hashKey) })
}

func BenchmarkHashHMACSHA256(b *testing.B) {
	benchmarkHash(b, func() (hash.Hash, error) { return hmac.New(sha256.New, hashKey), nil })
}

func BenchmarkHashHMACSHA3256(b *testing.B) {
	benchmarkHash(b, func() (hash.Hash, error) { return hmac.New(func() hash.Hash { return sha3.New256() }, hashKey), nil })
}

// newEncrypt makes a function that encrypts a block with a key of its own: in one piece, where it is copied out of
// chunks, and then to chunks.
func newEncrypt(block *gather, open func(key []byte) (cipher.AEAD, error)) func(id []byte, out *gather) error {
	keys := hmac.New(sha256.New, make([]byte, 32))
	piece := make([]byte, block.length()+28)
	return func(id []byte, out *gather) error {
		keys.Reset()
		keys.Write(id)
		aead, err := open(keys.Sum(nil))
		if err != nil {
			return err
		}
		plain := block.onto(piece[12:12])
		if _, err := rand.Read(piece[:12]); err != nil {
			return err
		}
		aead.Seal(plain[:0], piece[:12], plain, id)
		out.empty()
		_, err = out.Write(piece)
		return err
	}
}

func benchmarkEncrypt(b *testing.B, open func(key []byte) (cipher.AEAD, error)) {
	repeat(b, blockSize, func() func() error {
		encrypt, id, out := newEncrypt(inChunks(randomBytes(blockSize)), open), make([]byte, 16), &gather{}
		return func() error { return encrypt(id, out) }
	})
}

func openAES256GCM(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

func BenchmarkEncryptAES256GCM(b *testing.B)        { benchmarkEncrypt(b, openAES256GCM) }
func BenchmarkEncryptChaCha20Poly1305(b *testing.B) { benchmarkEncrypt(b, chacha20poly1305.New) }

// benchmarkPipeline hashes a block, encrypts it, and appends that to packs of 20 MiB.
func benchmarkPipeline(b *testing.B, state func() (hash.Hash, error), open func(key []byte) (cipher.AEAD, error)) {
	repeat(b, blockSize, func() func() error {
		block := inChunks(randomBytes(blockSize))
		encrypt, out, pack := newEncrypt(block, open), &gather{}, inChunks(make([]byte, 21<<20))
		hash, err := state()
		if err != nil {
			b.Fatal(err)
		}
		var id []byte
		return func() error {
			hash.Reset()
			if err := block.all(hash); err != nil {
				return err
			}
			id = hash.Sum(id[:0])
			if err := encrypt(id, out); err != nil {
				return err
			}
			if pack.length() >= 20<<20 {
				pack.empty()
			}
			return out.all(pack)
		}
	})
}

func BenchmarkPipelineBLAKE3AES256GCM(b *testing.B) {
	benchmarkPipeline(b, func() (hash.Hash, error) { return blake3.NewKeyed(hashKey) }, openAES256GCM)
}

func BenchmarkPipelineBLAKE2BChaCha20Poly1305(b *testing.B) {
	benchmarkPipeline(b, func() (hash.Hash, error) { return blake2b.New256(hashKey) }, chacha20poly1305.New)
}
