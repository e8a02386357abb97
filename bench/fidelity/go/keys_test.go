package fidelity

import (
	"crypto/ed25519"
	"crypto/mlkem"
	"testing"
)

// As crypto/mlkem's and crypto/ed25519's own benchmarks do it.

func BenchmarkMLKEM768Keygen(b *testing.B) {
	for b.Loop() {
		if _, err := mlkem.GenerateKey768(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMLKEM768Encaps(b *testing.B) {
	key, err := mlkem.GenerateKey768()
	if err != nil {
		b.Fatal(err)
	}
	public := key.EncapsulationKey()
	for b.Loop() {
		public.Encapsulate()
	}
}

func BenchmarkMLKEM768Decaps(b *testing.B) {
	key, err := mlkem.GenerateKey768()
	if err != nil {
		b.Fatal(err)
	}
	_, ciphertext := key.EncapsulationKey().Encapsulate()
	for b.Loop() {
		if _, err := key.Decapsulate(ciphertext); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEd25519Sign(b *testing.B) {
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	message := []byte("sizeup: which CPU should carry this?")
	for b.Loop() {
		ed25519.Sign(key, message)
	}
}

func BenchmarkEd25519Verify(b *testing.B) {
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	message := []byte("sizeup: which CPU should carry this?")
	signature := ed25519.Sign(key, message)
	public := key.Public().(ed25519.PublicKey)
	for b.Loop() {
		if !ed25519.Verify(public, message, signature) {
			b.Fatal("a valid signature is rejected")
		}
	}
}
