package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"sizeup/gokit/protocol"
)

// planECDSASign plans signatures over P-256 with a fixed key. An op signs a digest that was
// computed before.
func planECDSASign(*job) (*plan, error) {
	return &plan{
		Verified:  "the public key accepts the signature",
		Libraries: []string{libraryGo},
		Instantiate: func() (instance, error) {
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
	public  *ecdsa.PublicKey // from its own numbers, not derived from private
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
		return protocol.Faultf(protocol.KindWrongAnswer, "the public key rejects the signature")
	}
	return nil
}

// planECDSAVerify plans the verification of a signature that OpenSSL made.
func planECDSAVerify(*job) (*plan, error) {
	return &plan{
		Verified:  "OpenSSL's signature is accepted, and rejected for another message",
		Libraries: []string{libraryGo},
		Instantiate: func() (instance, error) {
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
	digest    []byte // of the signed message
	other     []byte // of another
}

var errRefused = errors.New("the valid signature is rejected")

func (v *ecdsaVerifier) Op() error {
	if !ecdsa.VerifyASN1(v.public, v.digest, v.signature) {
		return errRefused
	}
	return nil
}

// Output is the results for the signed message and for another.
func (v *ecdsaVerifier) Output() ([]byte, error) {
	return []byte{
		verdict(ecdsa.VerifyASN1(v.public, v.digest, v.signature)),
		verdict(ecdsa.VerifyASN1(v.public, v.other, v.signature)),
	}, nil
}

func (v *ecdsaVerifier) Check(output []byte) error {
	return checkVerdicts(output, "yn", "a valid signature", "another message's signature")
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
