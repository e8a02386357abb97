package main

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/hex"
	"math/big"

	"sizeup/gokit/protocol"
)

// rsaKeys is the available keys, by bits and primes. Since Go 1.24 three primes are slower: their
// optimised path was removed.
var rsaKeys = map[[2]int]*rsaNumbers{
	{2048, 2}: &rsa2048,
	{2048, 3}: &rsa2048ThreePrimes,
	{3072, 2}: &rsa3072,
	{4096, 2}: &rsa4096,
}

var (
	rsaVerifyRanges = protocol.Ranges{"bits": protocol.OneOf(2048, 3072, 4096)}
	rsaSignRanges   = protocol.Ranges{"bits": rsaVerifyRanges["bits"], "primes": protocol.OneOf(2, 3)}
)

// planRSASign plans PKCS #1 v1.5 signatures over SHA-256 with a fixed key. An op signs a digest
// that was computed before.
func planRSASign(j *job) (*plan, error) {
	bits, primes := j.Integer("bits"), j.Integer("primes")
	numbers, isThere := rsaKeys[[2]int{bits, primes}]
	if !isThere {
		return nil, protocol.Faultf(protocol.KindBadRequest, "parameters: no key has %d bits and %d primes", bits, primes)
	}
	return &plan{
		Verified:    "the public key accepts the signature, which matches OpenSSL's",
		Libraries:   []string{libraryGo},
		Instantiate: func() (instance, error) { return newRSASigner(numbers) },
	}, nil
}

type rsaSigner struct {
	key    *rsa.PrivateKey
	digest []byte
	known  string // SHA-256 of the only correct signature
}

func newRSASigner(numbers *rsaNumbers) (*rsaSigner, error) {
	key, err := rsaKey(numbers.primes)
	return &rsaSigner{key, digestOf(signedMessage), numbers.signature}, err
}

func (s *rsaSigner) Op() error {
	_, err := s.Output()
	return err
}

func (s *rsaSigner) Output() ([]byte, error) {
	return rsa.SignPKCS1v15(rand.Reader, s.key, crypto.SHA256, s.digest)
}

func (s *rsaSigner) Check(output []byte) error {
	if err := rsa.VerifyPKCS1v15(&s.key.PublicKey, crypto.SHA256, s.digest, output); err != nil {
		return protocol.Faultf(protocol.KindWrongAnswer, "the public key rejects the signature: %v", err)
	}
	digest := sha256.Sum256(output)
	if got := hex.EncodeToString(digest[:]); got != s.known {
		return protocol.Faultf(protocol.KindWrongAnswer, "the signature has SHA-256 %s, not %s", got, s.known)
	}
	return nil
}

// planRSAVerify plans the verification of planRSASign's signature with two primes, which is
// OpenSSL's.
func planRSAVerify(j *job) (*plan, error) {
	numbers := rsaKeys[[2]int{j.Integer("bits"), 2}]
	return &plan{
		Verified:    "OpenSSL's signature is accepted, and rejected with one bit changed",
		Libraries:   []string{libraryGo},
		Instantiate: func() (instance, error) { return newRSAVerifier(numbers) },
	}, nil
}

type rsaVerifier struct {
	key       *rsa.PublicKey
	digest    []byte
	signature []byte
	changed   []byte // the signature with one bit changed
}

func newRSAVerifier(numbers *rsaNumbers) (*rsaVerifier, error) {
	signer, err := newRSASigner(numbers)
	if err != nil {
		return nil, err
	}
	signature, err := signer.Output()
	if err != nil {
		return nil, err
	}
	if err := signer.Check(signature); err != nil {
		return nil, err
	}
	changed := bytes.Clone(signature)
	changed[len(changed)-1] ^= 1
	// Numbers of its own: the private key's would include precomputed values.
	public := &rsa.PublicKey{N: new(big.Int).Set(signer.key.N), E: signer.key.E}
	return &rsaVerifier{public, signer.digest, signature, changed}, nil
}

func (v *rsaVerifier) Op() error {
	return rsa.VerifyPKCS1v15(v.key, crypto.SHA256, v.digest, v.signature)
}

// Output is the results for the signature and for the changed one.
func (v *rsaVerifier) Output() ([]byte, error) {
	return []byte{
		verdict(rsa.VerifyPKCS1v15(v.key, crypto.SHA256, v.digest, v.signature) == nil),
		verdict(rsa.VerifyPKCS1v15(v.key, crypto.SHA256, v.digest, v.changed) == nil),
	}, nil
}

func (v *rsaVerifier) Check(output []byte) error {
	return checkVerdicts(output, "yn", "a valid signature", "a changed signature")
}

// rsaKey makes a key from its primes, with all precomputed values.
func rsaKey(primes []string) (*rsa.PrivateKey, error) {
	const exponent = 65537
	one := big.NewInt(1)
	modulus, totient := big.NewInt(1), big.NewInt(1)
	key := &rsa.PrivateKey{}
	for _, hexadecimal := range primes {
		prime := new(big.Int).SetBytes(unhex(hexadecimal))
		key.Primes = append(key.Primes, prime)
		modulus.Mul(modulus, prime)
		totient.Mul(totient, new(big.Int).Sub(prime, one))
	}
	key.N, key.E = modulus, exponent
	key.D = new(big.Int).ModInverse(big.NewInt(exponent), totient)
	key.Precompute()
	return key, key.Validate()
}
