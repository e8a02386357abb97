package main

import (
	"bytes"

	"sizeup/gokit/protocol"
)

// verify performs one op, checks its output and describes it. injectBit is the bit to flip in
// between, so that a test can prove that the check works; negative for none.
func verify(inst instance, injectBit int64) (protocol.Output, error) {
	output, err := inst.Output()
	if err != nil {
		return protocol.Output{}, protocol.AsFault(err, protocol.KindOperationFailed)
	}
	if len(output) == 0 {
		return protocol.Output{}, protocol.Faultf(protocol.KindInternal, "the operation made no output to check")
	}
	if injectBit >= 0 {
		bit := injectBit % (8 * int64(len(output)))
		output[bit/8] ^= 1 << (bit % 8)
	}
	if err := inst.Check(output); err != nil {
		f := protocol.AsFault(err, protocol.KindWrongAnswer)
		if injectBit >= 0 {
			f = f.Advise("the request injected this wrong answer")
		}
		return protocol.Output{}, f
	}
	return protocol.Describe(output), nil
}

// verifyTwice verifies two ops and describes their common output; nothing if their outputs differ,
// as with randomised signatures.
func verifyTwice(inst instance, injectBit int64) (protocol.Output, error) {
	first, err := verify(inst, injectBit)
	if err != nil {
		return protocol.Output{}, err
	}
	second, err := verify(inst, injectBit)
	if err != nil || second != first {
		return protocol.Output{}, err
	}
	return first, nil
}

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
