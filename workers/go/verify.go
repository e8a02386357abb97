package main

import (
	"bytes"

	"sizeup/gokit/protocol"
)

// verify performs one op, checks what it made, and describes it. plantBit says which bit to flip in between, so that a test can prove
// that the check is alive; none is flipped when it is negative.
func verify(inst instance, plantBit int64) (protocol.Output, error) {
	output, err := inst.Output()
	if err != nil {
		return protocol.Output{}, protocol.AsFault(err, protocol.KindOperationFailed)
	}
	if len(output) == 0 {
		return protocol.Output{}, protocol.Faultf(protocol.KindInternal, "the operation made no output to check")
	}
	if plantBit >= 0 {
		bit := plantBit % (8 * int64(len(output)))
		output[bit/8] ^= 1 << (bit % 8)
	}
	if err := inst.Check(output); err != nil {
		f := protocol.AsFault(err, protocol.KindWrongAnswer)
		if plantBit >= 0 {
			f = f.Advise("the request asked for this wrong answer to be planted")
		}
		return protocol.Output{}, f
	}
	return protocol.Describe(output), nil
}

// verifyTwice verifies two ops and describes what both made; nothing where they
// made different outputs, as signatures with random numbers are.
func verifyTwice(inst instance, plantBit int64) (protocol.Output, error) {
	first, err := verify(inst, plantBit)
	if err != nil {
		return protocol.Output{}, err
	}
	second, err := verify(inst, plantBit)
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

// checkVerdicts compares verdicts with the expected ones and names the subject
// of the first that differs.
func checkVerdicts(output []byte, expected string, subjects ...string) error {
	if len(output) != len(expected) {
		return protocol.Faultf(protocol.KindWrongAnswer, "%d verdicts, not %d", len(output), len(expected))
	}
	for i, subject := range subjects {
		if output[i] != expected[i] {
			return protocol.Faultf(protocol.KindWrongAnswer, "the verdict on %s is %q, not %q", subject, output[i], expected[i])
		}
	}
	return nil
}

// mustEqual says where two byte strings part.
func mustEqual(what string, got, expected []byte) error {
	if bytes.Equal(got, expected) { // far faster, for what has hundreds of MiB
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
