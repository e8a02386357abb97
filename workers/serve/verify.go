package main

import (
	"sizeup/gokit/protocol"
)

// expected is the expected answer.
type expected struct {
	phrase string // what is checked, for messages
	output []byte
}

// Verify checks one more answer, and returns a phrase for what was checked.
func (s *site) Verify() (verified string, err error) {
	if _, err := s.verify(); err != nil {
		return "", blameMemory(s.blame(err)).In(s.operation)
	}
	return s.plan.expected.phrase, nil
}

// verify makes the client fetch an answer, checks it, and describes it.
func (s *site) verify() (protocol.Output, error) {
	fetched, err := s.client.Fetch()
	if err != nil {
		return protocol.Output{}, err
	}
	output, err := s.plan.output(fetched)
	if err != nil {
		return protocol.Output{}, err
	}
	if s.injectBit >= 0 {
		bit := s.injectBit % (8 * int64(len(output)))
		output[bit/8] ^= 1 << (bit % 8)
	}
	if err := s.plan.expected.check(output); err != nil {
		if s.injectBit >= 0 {
			err = err.Advise("the request injected this wrong answer")
		}
		return protocol.Output{}, err
	}
	return protocol.Describe(output), nil
}

// check compares an output with the expected one and reports the first difference.
func (e expected) check(output []byte) *protocol.Fault {
	for i := range min(len(output), len(e.output)) {
		if output[i] != e.output[i] {
			return wrong("the answer differs at byte %d: %q, not %q", i, near(output, i), near(e.output, i))
		}
	}
	if len(output) != len(e.output) {
		return wrong("the answer has %d bytes, not %d", len(output), len(e.output))
	}
	return nil
}

// near returns some bytes around a position.
func near(text []byte, place int) []byte {
	const around = 20
	return text[max(0, place-around):min(len(text), place+around)]
}

func wrong(format string, args ...any) *protocol.Fault {
	return protocol.Faultf(protocol.KindWrongAnswer, format, args...)
}
