package work

import "sizeup/gokit/protocol"

// Verify performs one op, checks its output and describes it. injectBit is the bit to flip in
// between, so that a test can prove that the check works; negative for none.
func Verify(inst Instance, injectBit int64) (protocol.Output, error) {
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

// VerifyTwice verifies two ops and describes their common output; nothing if their outputs differ,
// as with randomised signatures.
func VerifyTwice(inst Instance, injectBit int64) (protocol.Output, error) {
	first, err := Verify(inst, injectBit)
	if err != nil {
		return protocol.Output{}, err
	}
	second, err := Verify(inst, injectBit)
	if err != nil || second != first {
		return protocol.Output{}, err
	}
	return first, nil
}
