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

// rsaByPrimes chooses a key of 2048 bits by the parameter primes. Since Go
// 1.24 three are slower: there is no shorter way for them any more.
func rsaByPrimes(j *job) (*rsaNumbers, error) {
	var primes int64
	if err := j.parameters(protocol.Field{Name: "primes", Into: &primes}); err != nil {
		return nil, err
	}
	switch primes {
	case 2:
		return &rsa2048, nil
	case 3:
		return &rsa2048ThreePrimes, nil
	}
	return nil, protocol.Faultf(protocol.KindBadRequest, "parameters: primes is %d, it must be 2 or 3", primes)
}

// rsaByBits chooses a key of two primes by the parameter bits.
func rsaByBits(j *job) (*rsaNumbers, error) {
	var bits int64
	if err := j.parameters(protocol.Field{Name: "bits", Into: &bits}); err != nil {
		return nil, err
	}
	switch bits {
	case 2048:
		return &rsa2048, nil
	case 3072:
		return &rsa3072, nil
	}
	return nil, protocol.Faultf(protocol.KindBadRequest, "parameters: bits is %d, it must be 2048 or 3072", bits)
}

// planRSASign plans PKCS #1 v1.5 signatures over SHA-256 with a fixed key. An
// op signs a digest that was made before.
func planRSASign(choose func(*job) (*rsaNumbers, error)) func(*job) (*plan, error) {
	return func(j *job) (*plan, error) {
		numbers, err := choose(j)
		if err != nil {
			return nil, err
		}
		return &plan{
			verified:    "the public key accepts the signature, and it is OpenSSL's",
			libraries:   []string{libraryGo},
			instantiate: func() (instance, error) { return newRSASigner(numbers) },
		}, nil
	}
}

type rsaSigner struct {
	key    *rsa.PrivateKey
	digest []byte
	known  string // SHA-256 of the only right signature
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
		return protocol.Faultf(protocol.KindWrongAnswer, "the public key refuses the signature: %v", err)
	}
	digest := sha256.Sum256(output)
	if got := hex.EncodeToString(digest[:]); got != s.known {
		return protocol.Faultf(protocol.KindWrongAnswer, "the signature has SHA-256 %s, not %s", got, s.known)
	}
	return nil
}

// planRSAVerify plans the verification of the signature that planRSASign makes,
// which is OpenSSL's.
func planRSAVerify(j *job) (*plan, error) {
	numbers, err := rsaByBits(j)
	if err != nil {
		return nil, err
	}
	return &plan{
		verified:    "OpenSSL's signature is accepted, and refused with one bit changed",
		libraries:   []string{libraryGo},
		instantiate: func() (instance, error) { return newRSAVerifier(numbers) },
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
	// Numbers of its own: the private key's would bring what was precomputed.
	public := &rsa.PublicKey{N: new(big.Int).Set(signer.key.N), E: signer.key.E}
	return &rsaVerifier{public, signer.digest, signature, changed}, nil
}

func (v *rsaVerifier) Op() error {
	return rsa.VerifyPKCS1v15(v.key, crypto.SHA256, v.digest, v.signature)
}

// Output is the verdicts on the signature and on the changed one.
func (v *rsaVerifier) Output() ([]byte, error) {
	return []byte{
		verdict(rsa.VerifyPKCS1v15(v.key, crypto.SHA256, v.digest, v.signature) == nil),
		verdict(rsa.VerifyPKCS1v15(v.key, crypto.SHA256, v.digest, v.changed) == nil),
	}, nil
}

func (v *rsaVerifier) Check(output []byte) error {
	return checkVerdicts(output, "yn", "a good signature", "a changed signature")
}

// rsaKey makes a key of its primes, with all that can be computed before.
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
