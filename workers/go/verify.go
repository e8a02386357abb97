package main

import (
	"bytes"

	"sizeup/gokit/protocol"
)

// verdict is a yes or no as a byte of output.
func verdict(yes bool) byte {
	if yes {
		return 'y'
	}
	return 'n'
}

// checkVerdicts compares results with the expected ones and names the subject of the first that
// differs.
func checkVerdicts(output []byte, expected string, subjects ...string) error {
	if len(output) != len(expected) {
		return protocol.Faultf(protocol.KindWrongAnswer, "%d results, not %d", len(output), len(expected))
	}
	for i, subject := range subjects {
		if output[i] != expected[i] {
			return protocol.Faultf(protocol.KindWrongAnswer, "the result for %s is %q, not %q", subject, output[i], expected[i])
		}
	}
	return nil
}

// mustEqual compares two byte strings and reports the first difference.
func mustEqual(what string, got, expected []byte) error {
	if bytes.Equal(got, expected) { // much faster for hundreds of MiB
		return nil
	}
	for i := range min(len(got), len(expected)) {
		if got[i] != expected[i] {
			return protocol.Faultf(protocol.KindWrongAnswer, "byte %d of %s differs", i, what)
		}
	}
	if len(got) != len(expected) {
		return protocol.Faultf(protocol.KindWrongAnswer, "%s has %d bytes, not %d", what, len(got), len(expected))
	}
	return nil
}
