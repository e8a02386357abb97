package main

import (
	"bytes"
	"crypto/tls"
	"strings"
	"testing"
)

var (
	full    = terms{tls.X25519, false, handshakeHost}
	resumed = terms{tls.X25519, true, handshakeHost}
)

// handshakesOf makes handshakes of an identity, on the terms of their configurations.
func handshakesOf(t *testing.T, identity []byte, agreed terms) *handshakes {
	t.Helper()
	configs, err := newHandshakeConfigs(identity, agreed)
	if err != nil {
		t.Fatal(err)
	}
	h, err := newHandshakes(configs, agreed)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestAHandshakeOnOtherTermsThanExpectedIsAnError(t *testing.T) {
	hybrid := terms{tls.X25519MLKEM768, false, handshakeHost}
	for _, test := range []struct {
		agreed, expected terms
		message          string
	}{
		{full, hybrid, "X25519, resumed: false"},
		{full, resumed, "X25519, resumed: false"},
		{resumed, full, "X25519, resumed: true"},
		{hybrid, full, "X25519MLKEM768, resumed: false"},
	} {
		h := handshakesOf(t, identityOf(t, "rsa2048"), test.agreed)
		if err := h.Op(); err != nil {
			t.Fatal(err)
		}
		h.terms = test.expected
		if err := h.Op(); err == nil || !strings.Contains(err.Error(), test.message) {
			t.Errorf("%+v instead of %+v: %v", test.agreed, test.expected, err)
		}
	}
}

func TestTheClientVerifiesChainAndName(t *testing.T) {
	const end = "-----END CERTIFICATE-----\n"
	mixed := bytes.SplitAfter(identityOf(t, "p256"), []byte(end))
	mixed[2] = bytes.SplitAfter(identityOf(t, "rsa2048"), []byte(end))[2]
	elsewhere := terms{tls.X25519, false, "example.org"}
	for _, h := range []*handshakes{
		handshakesOf(t, bytes.Join(mixed, nil), full),
		handshakesOf(t, identityOf(t, "p256"), elsewhere),
	} {
		if err := h.Op(); err == nil || !strings.Contains(err.Error(), "certificate") {
			t.Errorf("%v", err)
		}
	}
}
