package main

import "encoding/binary"

// planEmpty plans an op that counts itself and does nothing else: it shows
// what the harness costs, the call of an op included.
func planEmpty(*job) (*plan, error) {
	return &plan{
		verified:    "every op is counted once",
		libraries:   []string{libraryGo},
		instantiate: func() (instance, error) { return &emptyInstance{}, nil },
	}, nil
}

// emptyInstance counts, for a count is the least that can be checked: an op
// that a compiler had taken away would be missing.
type emptyInstance struct{ done uint64 }

func (e *emptyInstance) Op() error {
	e.done++
	return nil
}

// emptyCheckedOps is how many ops the check is made over.
const emptyCheckedOps = 1000

// Output performs some ops, called as the timed loop calls them, and gives by
// how much they raised the count.
func (e *emptyInstance) Output() ([]byte, error) {
	before := e.done
	t := thread{instance: e}
	if err := t.perform(emptyCheckedOps); err != nil {
		return nil, err
	}
	return binary.LittleEndian.AppendUint64(nil, e.done-before), nil
}

func (e *emptyInstance) Check(output []byte) error {
	expected := binary.LittleEndian.AppendUint64(nil, emptyCheckedOps)
	return mustEqual("the count", output, expected)
}
