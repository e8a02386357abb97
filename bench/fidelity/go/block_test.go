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
	open := func(key []byte) (cipher.AEAD, error) {
		block, err := aes.NewCipher(key)
		if err != nil {
			return nil, err
		}
		return cipher.NewGCM(block)
	}
	repeat(b, blockSize, func() func() error { return newEncrypt(open) })
}

func BenchmarkEncryptChaCha20Poly1305(b *testing.B) {
	repeat(b, blockSize, func() func() error { return newEncrypt(chacha20poly1305.New) })
}
