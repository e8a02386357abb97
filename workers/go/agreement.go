package main

import (
	"crypto/ecdh"
	"slices"

	"sizeup/gokit/protocol"
)

// planAgreement plans key agreement over a curve: one shared secret with a fixed peer an op.
func planAgreement(curve ecdh.Curve, numbers *agreementNumbers) func(*job) (*plan, error) {
	return func(*job) (*plan, error) {
		return &plan{
			Verified:    "both sides derive the same secret, which matches the RFC's",
			Libraries:   []string{libraryGo},
			Instantiate: func() (instance, error) { return newAgreementInstance(curve, numbers) },
		}, nil
	}
}

type agreementInstance struct {
	ours, theirs           *ecdh.PrivateKey
	ourPublic, theirPublic *ecdh.PublicKey
	known                  []byte
}

func newAgreementInstance(curve ecdh.Curve, numbers *agreementNumbers) (*agreementInstance, error) {
	ours, err := curve.NewPrivateKey(unhex(numbers.keys[0]))
	if err != nil {
		return nil, err
	}
	theirs, err := curve.NewPrivateKey(unhex(numbers.keys[1]))
	if err != nil {
		return nil, err
	}
	return &agreementInstance{
		ours: ours, theirs: theirs,
		ourPublic: ours.PublicKey(), theirPublic: theirs.PublicKey(),
		known: unhex(numbers.secret),
	}, nil
}

func (a *agreementInstance) Op() error {
	_, err := a.Output()
	return err
}

func (a *agreementInstance) Output() ([]byte, error) {
	return a.ours.ECDH(a.theirPublic)
}

func (a *agreementInstance) Check(output []byte) error {
	theirs, err := a.theirs.ECDH(a.ourPublic)
	if err != nil {
		return protocol.Faultf(protocol.KindWrongAnswer, "the peer cannot derive the secret: %v", err)
	}
	if !slices.Equal(output, theirs) {
		return protocol.Faultf(protocol.KindWrongAnswer, "the two sides derive different secrets")
	}
	return mustEqual("the secret", output, a.known)
}
