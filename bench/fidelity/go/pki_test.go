package fidelity

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	_ "embed"
	"encoding/pem"
	"testing"
)

// The worker's keys; they protect nothing.
var (
	//go:embed testdata/rsa2048.pem
	rsa2Primes []byte
	//go:embed testdata/rsa2048-3prime.pem
	rsa3Primes []byte
)

var digest = sha256.Sum256([]byte("sizeup: which CPU should carry this?"))

func BenchmarkECDSAP256Sign(b *testing.B) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for range b.N {
		if _, err := ecdsa.SignASN1(rand.Reader, key, digest[:]); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkECDSAP256Verify(b *testing.B) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		b.Fatal(err)
	}
	signature, err := ecdsa.SignASN1(rand.Reader, key, digest[:])
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for range b.N {
		if !ecdsa.VerifyASN1(&key.PublicKey, digest[:], signature) {
			b.Fatal("refused")
		}
	}
}

func benchmarkRSASign(b *testing.B, encoded []byte, primes int) {
	block, _ := pem.Decode(encoded)
	if block == nil {
		b.Fatal("no PEM")
	}
	key, err := x509.ParsePKCS1PrivateKey(block.Bytes)
	if err != nil {
		b.Fatal(err)
	}
	if len(key.Primes) != primes {
		b.Fatalf("%d primes", len(key.Primes))
	}
	b.ResetTimer()
	for range b.N {
		if _, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, digest[:]); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRSA2048Sign(b *testing.B)        { benchmarkRSASign(b, rsa2Primes, 2) }
func BenchmarkRSA2048Sign3Primes(b *testing.B) { benchmarkRSASign(b, rsa3Primes, 3) }
