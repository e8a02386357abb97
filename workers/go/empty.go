package main

import (
	"encoding/binary"

	"sizeup/gokit/work"
)

// planEmpty plans an op that counts itself and does nothing else: it measures the cost of the
// harness, including the call of an op.
func planEmpty(*job) (*plan, error) {
	return &plan{
		Verified:    "every op is counted once",
		Libraries:   []string{libraryGo},
		Instantiate: func() (instance, error) { return &emptyInstance{}, nil },
	}, nil
}

// emptyInstance counts, because a count is the least that can be checked: an op removed by the
// compiler would be missing.
type emptyInstance struct{ done uint64 }

func (e *emptyInstance) Op() error {
	e.done++
	return nil
}

// emptyCheckedOps is the number of ops in a check.
const emptyCheckedOps = 1000

// Output performs some ops, called as the timed loop calls them, and returns the increase of the
// count.
func (e *emptyInstance) Output() ([]byte, error) {
	before := e.done
	if err := work.Perform(e, emptyCheckedOps); err != nil {
		return nil, err
	}
	return binary.LittleEndian.AppendUint64(nil, e.done-before), nil
}

func (e *emptyInstance) Check(output []byte) error {
	expected := binary.LittleEndian.AppendUint64(nil, emptyCheckedOps)
	return mustEqual("the count", output, expected)
}
