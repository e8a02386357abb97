package main

import (
	"bytes"
	"crypto/mlkem"
	"crypto/mlkem/mlkemtest"
	"crypto/sha256"
	"encoding/hex"

	"sizeup/gokit/protocol"
)

// The fixed key pair of ML-KEM-768 is that of a seed of counting bytes; the fixed ciphertext is for
// it, with counting bytes as its random number. Digests and secret were made by OpenSSL and AWS-LC,
// too (workers/openssl).
const (
	kemPublicSHA256 = "0b7934c83125c788995e2ba6bd761e33046b3e40571be53e023309a29f398cc9"
	kemSecret       = "42f558b0bc5d700a911b0fc67f62376f7aee4667f1969e03f18bdfdf3c59fbdc"
)

// planKEM plans one of the three operations of a KEM.
func planKEM(instantiate func(*mlkem.DecapsulationKey768) (instance, error), verified string) func(*job) (*plan, error) {
	return func(*job) (*plan, error) {
		return &plan{
			Verified:  verified,
			Libraries: []string{libraryGo},
			Instantiate: func() (instance, error) {
				key, err := mlkem.NewDecapsulationKey768(counting(mlkem.SeedSize))
				if err != nil {
					return nil, err
				}
				digest := sha256.Sum256(key.EncapsulationKey().Bytes())
				if got := hex.EncodeToString(digest[:]); got != kemPublicSHA256 {
					return nil, protocol.Faultf(protocol.KindWrongAnswer, "the fixed key has SHA-256 %s, not %s", got, kemPublicSHA256)
				}
				return instantiate(key)
			},
		}, nil
	}
}

// kemKeygen makes a key pair.
type kemKeygen struct {
	made *mlkem.DecapsulationKey768 // whose bytes are checked
}

func newKEMKeygen(*mlkem.DecapsulationKey768) (instance, error) { return &kemKeygen{}, nil }

func (k *kemKeygen) Op() error {
	_, err := mlkem.GenerateKey768()
	return err
}

// Output is the encapsulation key and the seed, from which a second key is made.
func (k *kemKeygen) Output() (output []byte, err error) {
	if k.made, err = mlkem.GenerateKey768(); err != nil {
		return nil, err
	}
	return append(k.made.EncapsulationKey().Bytes(), k.made.Bytes()...), nil
}

func (k *kemKeygen) Check(output []byte) error {
	if len(output) != mlkem.EncapsulationKeySize768+mlkem.SeedSize {
		return protocol.Faultf(protocol.KindWrongAnswer, "the pair has %d bytes", len(output))
	}
	public, seed := output[:mlkem.EncapsulationKeySize768], output[mlkem.EncapsulationKeySize768:]
	key, err := mlkem.NewDecapsulationKey768(seed)
	if err != nil {
		return protocol.Faultf(protocol.KindWrongAnswer, "the seed is refused: %v", err)
	}
	peer, err := mlkem.NewEncapsulationKey768(public)
	if err != nil {
		return protocol.Faultf(protocol.KindWrongAnswer, "the encapsulation key is refused: %v", err)
	}
	sent, ciphertext := peer.Encapsulate()
	received, err := key.Decapsulate(ciphertext)
	if err != nil || !bytes.Equal(sent, received) {
		return protocol.Faultf(protocol.KindWrongAnswer, "the pair's two sides derive different secrets (%v)", err)
	}
	// With a wrong ciphertext the secret depends on the seed's second half, which nothing else shows.
	ciphertext[0] ^= 1
	ours, err := k.made.Decapsulate(ciphertext)
	theirs, otherErr := key.Decapsulate(ciphertext)
	if err != nil || otherErr != nil || !bytes.Equal(ours, theirs) || bytes.Equal(ours, sent) {
		return protocol.Faultf(protocol.KindWrongAnswer, "a changed ciphertext has another secret (%v, %v)", err, otherErr)
	}
	return nil
}

// kemEncaps makes a secret for the fixed key.
type kemEncaps struct {
	owner  *mlkem.DecapsulationKey768
	public *mlkem.EncapsulationKey768
}

func newKEMEncaps(key *mlkem.DecapsulationKey768) (instance, error) {
	return &kemEncaps{key, key.EncapsulationKey()}, nil
}

func (e *kemEncaps) Op() error {
	e.public.Encapsulate()
	return nil
}

func (e *kemEncaps) Output() ([]byte, error) {
	secret, ciphertext := e.public.Encapsulate()
	return append(ciphertext, secret...), nil
}

func (e *kemEncaps) Check(output []byte) error {
	ciphertext, secret := output[:mlkem.CiphertextSize768], output[mlkem.CiphertextSize768:]
	received, err := e.owner.Decapsulate(ciphertext)
	if err != nil {
		return protocol.Faultf(protocol.KindWrongAnswer, "the ciphertext is refused: %v", err)
	}
	return mustEqual("the secret", secret, received)
}

// kemDecaps derives the secret of the fixed ciphertext.
type kemDecaps struct {
	key        *mlkem.DecapsulationKey768
	ciphertext []byte
}

func newKEMDecaps(key *mlkem.DecapsulationKey768) (instance, error) {
	_, ciphertext, err := mlkemtest.Encapsulate768(key.EncapsulationKey(), counting(32))
	return &kemDecaps{key, ciphertext}, err
}

func (d *kemDecaps) Op() error {
	_, err := d.key.Decapsulate(d.ciphertext)
	return err
}

func (d *kemDecaps) Output() ([]byte, error) { return d.key.Decapsulate(d.ciphertext) }

func (d *kemDecaps) Check(output []byte) error {
	return mustEqual("the secret", output, unhex(kemSecret))
}
