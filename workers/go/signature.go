package main

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha512"

	"sizeup/gokit/protocol"
)

// scheme is a signature scheme whose rows have it as a parameter, with a fixed key.
type scheme struct {
	name string
	// what prepares a message: P-384 signs a digest that was computed before, Ed25519 the message.
	what func(message string) []byte
	// key makes the private key's and the public key's operations, each from numbers of its own.
	key func() (sign func(what []byte) ([]byte, error), verify func(what, signature []byte) bool, err error)
	// signature is OpenSSL's.
	signature string
	// isFixed means that there is only one correct signature.
	isFixed bool
}

func (s scheme) String() string { return s.name }

var schemes = []scheme{
	{"ecdsa-p384", func(message string) []byte {
		digest := sha512.Sum384([]byte(message))
		return digest[:]
	}, p384Key, p384Signature, false},
	{"ed25519", func(message string) []byte { return []byte(message) }, ed25519Key, ed25519Signature, true},
}

var signatureRanges = protocol.Ranges{"algorithm": namesOf(schemes)}

func p384Key() (func([]byte) ([]byte, error), func(digest, signature []byte) bool, error) {
	private, err := ecdsa.ParseRawPrivateKey(elliptic.P384(), unhex(p384Private))
	if err != nil {
		return nil, nil, err
	}
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P384(), unhex(p384Public))
	sign := func(digest []byte) ([]byte, error) { return ecdsa.SignASN1(rand.Reader, private, digest) }
	verify := func(digest, signature []byte) bool { return ecdsa.VerifyASN1(public, digest, signature) }
	return sign, verify, err
}

func ed25519Key() (func([]byte) ([]byte, error), func(message, signature []byte) bool, error) {
	private, public := ed25519.NewKeyFromSeed(unhex(ed25519Private)), ed25519.PublicKey(unhex(ed25519Public))
	sign := func(message []byte) ([]byte, error) { return ed25519.Sign(private, message), nil }
	verify := func(message, signature []byte) bool { return ed25519.Verify(public, message, signature) }
	return sign, verify, nil
}

// planSign plans signatures with a fixed key.
func planSign(j *job) (*plan, error) {
	s := named(schemes, j.Text("algorithm"))
	verified := "the public key accepts the signature"
	if s.isFixed {
		verified += ", which matches OpenSSL's"
	}
	return &plan{
		Verified:  verified,
		Libraries: []string{libraryGo},
		Instantiate: func() (instance, error) {
			sign, verify, err := s.key()
			return &signInstance{s, sign, verify, s.what(signedMessage)}, err
		},
	}, nil
}

type signInstance struct {
	scheme scheme
	sign   func(what []byte) ([]byte, error)
	verify func(what, signature []byte) bool
	what   []byte
}

func (s *signInstance) Op() error {
	_, err := s.sign(s.what)
	return err
}

func (s *signInstance) Output() ([]byte, error) { return s.sign(s.what) }

func (s *signInstance) Check(output []byte) error {
	if !s.verify(s.what, output) {
		return protocol.Faultf(protocol.KindWrongAnswer, "the public key rejects the signature")
	}
	if s.scheme.isFixed && !bytes.Equal(output, unhex(s.scheme.signature)) {
		return protocol.Faultf(protocol.KindWrongAnswer, "the signature is not OpenSSL's")
	}
	return nil
}

// planVerify plans the verification of OpenSSL's signature.
func planVerify(j *job) (*plan, error) {
	s := named(schemes, j.Text("algorithm"))
	return &plan{
		Verified:  "OpenSSL's signature is accepted, and rejected for another message",
		Libraries: []string{libraryGo},
		Instantiate: func() (instance, error) {
			_, verify, err := s.key()
			return &verifyInstance{verify, s.what(signedMessage), s.what(signedMessage + "!"), unhex(s.signature)}, err
		},
	}, nil
}

type verifyInstance struct {
	verify      func(what, signature []byte) bool
	what, other []byte // the signed message, and another
	signature   []byte
}

func (v *verifyInstance) Op() error {
	if !v.verify(v.what, v.signature) {
		return errRefused
	}
	return nil
}

// Output is the results for the signed message and for another.
func (v *verifyInstance) Output() ([]byte, error) {
	return []byte{verdict(v.verify(v.what, v.signature)), verdict(v.verify(v.other, v.signature))}, nil
}

func (v *verifyInstance) Check(output []byte) error {
	return checkVerdicts(output, "yn", "a valid signature", "another message's signature")
}
