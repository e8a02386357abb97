package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math/big"
)

// planECDSASign plans signatures over P-256 with a fixed key. An op signs a
// digest that was made before.
func planECDSASign(j *job) (*plan, error) {
	if err := j.parameters(); err != nil {
		return nil, err
	}
	return &plan{
		verified:  "the public key accepts the signature",
		libraries: []string{libraryGo},
		instantiate: func() (instance, error) {
			private, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), unhex(ecdsaPrivate))
			if err != nil {
				return nil, err
			}
			public, err := ecdsaPublicKey()
			return &ecdsaSigner{private, public, digestOf(signedMessage)}, err
		},
	}, nil
}

type ecdsaSigner struct {
	private *ecdsa.PrivateKey
	public  *ecdsa.PublicKey // known on its own, not taken from private
	digest  []byte
}

func (s *ecdsaSigner) Op() error {
	_, err := s.Output()
	return err
}

func (s *ecdsaSigner) Output() ([]byte, error) {
	return ecdsa.SignASN1(rand.Reader, s.private, s.digest)
}

func (s *ecdsaSigner) Check(output []byte) error {
	if !ecdsa.VerifyASN1(s.public, s.digest, output) {
		return faultf(kindWrongAnswer, "the public key refuses the signature")
	}
	return nil
}

// planECDSAVerify plans the verification of a signature that OpenSSL made.
func planECDSAVerify(j *job) (*plan, error) {
	if err := j.parameters(); err != nil {
		return nil, err
	}
	return &plan{
		verified:  "OpenSSL's signature is accepted, and refused for another message",
		libraries: []string{libraryGo},
		instantiate: func() (instance, error) {
			public, err := ecdsaPublicKey()
			return &ecdsaVerifier{
				public:    public,
				signature: unhex(ecdsaSignature),
				digest:    digestOf(signedMessage),
				other:     digestOf(signedMessage + "!"),
			}, err
		},
	}, nil
}

type ecdsaVerifier struct {
	public    *ecdsa.PublicKey
	signature []byte
	digest    []byte // of the message that was signed
	other     []byte // of another
}

var errRefused = errors.New("the good signature is refused")

func (v *ecdsaVerifier) Op() error {
	if !ecdsa.VerifyASN1(v.public, v.digest, v.signature) {
		return errRefused
	}
	return nil
}

// Output is the verdicts on the message that was signed and on another.
func (v *ecdsaVerifier) Output() ([]byte, error) {
	return []byte{
		verdict(ecdsa.VerifyASN1(v.public, v.digest, v.signature)),
		verdict(ecdsa.VerifyASN1(v.public, v.other, v.signature)),
	}, nil
}

func (v *ecdsaVerifier) Check(output []byte) error {
	return checkVerdicts(output, "yn", "a good signature", "another message's signature")
}

// planRSASign plans PKCS #1 v1.5 signatures with a key of 2048 bits made of two
// or three primes. Since Go 1.24 three are slower: there is no shorter way
// for them any more.
func planRSASign(j *job) (*plan, error) {
	var primes int64
	if err := j.parameters(field{name: "primes", into: &primes}); err != nil {
		return nil, err
	}
	if rsaPrimes[primes] == nil {
		return nil, faultf(kindBadRequest, "parameters: primes is %d, it must be 2 or 3", primes)
	}
	return &plan{
		verified:  "the public key accepts the signature, and it is OpenSSL's",
		libraries: []string{libraryGo},
		instantiate: func() (instance, error) {
			key, err := rsaKey(rsaPrimes[primes])
			return &rsaSigner{key, digestOf(signedMessage), rsaSignatures[primes]}, err
		},
	}, nil
}

type rsaSigner struct {
	key    *rsa.PrivateKey
	digest []byte
	known  string // SHA-256 of the only right signature
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
		return faultf(kindWrongAnswer, "the public key refuses the signature: %v", err)
	}
	digest := sha256.Sum256(output)
	if got := hex.EncodeToString(digest[:]); got != s.known {
		return faultf(kindWrongAnswer, "the signature has SHA-256 %s, not %s", got, s.known)
	}
	return nil
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

func ecdsaPublicKey() (*ecdsa.PublicKey, error) {
	return ecdsa.ParseUncompressedPublicKey(elliptic.P256(), unhex(ecdsaPublic))
}

func digestOf(message string) []byte {
	digest := sha256.Sum256([]byte(message))
	return digest[:]
}

// unhex decodes a constant of this program.
func unhex(digits string) []byte {
	decoded, err := hex.DecodeString(digits)
	if err != nil {
		panic(err)
	}
	return decoded
}
