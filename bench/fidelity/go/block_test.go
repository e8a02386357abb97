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

func benchmarkHash(b *testing.B, state hash.Hash, err error) {
	alone(b, blockSize, newHash(b, state, err))
}

func BenchmarkHashBLAKE2S256(b *testing.B) {
	state, err := blake2s.New256(hashKey)
	benchmarkHash(b, state, err)
}

func BenchmarkHashBLAKE2B256128(b *testing.B) {
	state, err := blake2b.New256(hashKey)
	benchmarkHash(b, state, err)
}

func BenchmarkHashBLAKE3256(b *testing.B) {
	state, err := blake3.NewKeyed(hashKey)
	benchmarkHash(b, state, err)
}

func BenchmarkHashHMACSHA256(b *testing.B) {
	benchmarkHash(b, hmac.New(sha256.New, hashKey), nil)
}

func BenchmarkHashHMACSHA3256(b *testing.B) {
	benchmarkHash(b, hmac.New(func() hash.Hash { return sha3.New256() }, hashKey), nil)
}

func BenchmarkHashHMACSHA256Parallel(b *testing.B) {
	parallel(b, blockSize, func() func() error { return newHash(b, hmac.New(sha256.New, hashKey), nil) })
}

// newEncrypt makes a function that encrypts a block with a key of its own.
func newEncrypt(open func(key []byte) (cipher.AEAD, error)) func() error {
	block, id := randomBytes(blockSize), make([]byte, 16)
	keys := hmac.New(sha256.New, make([]byte, 32))
	out := make([]byte, blockSize+28)
	return func() error {
		keys.Reset()
		keys.Write(id)
		aead, err := open(keys.Sum(nil))
		if err != nil {
			return err
		}
		if _, err := rand.Read(out[:12]); err != nil {
			return err
		}
		aead.Seal(out[12:12], out[:12], block, id)
		return nil
	}
}

func BenchmarkEncryptAES256GCM(b *testing.B) {
	alone(b, blockSize, newEncrypt(func(key []byte) (cipher.AEAD, error) {
		block, err := aes.NewCipher(key)
		if err != nil {
			return nil, err
		}
		return cipher.NewGCM(block)
	}))
}

func BenchmarkEncryptChaCha20Poly1305(b *testing.B) {
	alone(b, blockSize, newEncrypt(chacha20poly1305.New))
}
