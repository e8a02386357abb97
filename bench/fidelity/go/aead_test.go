package fidelity

import (
	"crypto/aes"
	"crypto/cipher"
	"testing"

	"golang.org/x/crypto/chacha20poly1305"
)

func benchmarkSeal(b *testing.B, aead cipher.AEAD, err error) {
	if err != nil {
		b.Fatal(err)
	}
	nonce, data := make([]byte, aead.NonceSize()), make([]byte, 13)
	message := make([]byte, 8192)
	sealed := make([]byte, 0, len(message)+aead.Overhead())
	b.SetBytes(int64(len(message)))
	b.ResetTimer()
	for range b.N {
		sealed = aead.Seal(sealed[:0], nonce, message, data)
	}
}

func BenchmarkAES128GCMSeal8KiB(b *testing.B) {
	block, err := aes.NewCipher(make([]byte, 16))
	if err != nil {
		b.Fatal(err)
	}
	aead, err := cipher.NewGCM(block)
	benchmarkSeal(b, aead, err)
}

func BenchmarkChaCha20Poly1305Seal8KiB(b *testing.B) {
	aead, err := chacha20poly1305.New(make([]byte, chacha20poly1305.KeySize))
	benchmarkSeal(b, aead, err)
}
