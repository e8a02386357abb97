package work

import "sizeup/gokit/protocol"

// Operation is one operation of a worker: its declaration, and how to plan it.
type Operation struct {
	protocol.Operation
	Plan func(*Job) (*Plan, error)
}

// Declare makes an operation, OPERATION/IMPLEMENTATION; ranges is nil for one without parameters.
func Declare(name string, plan func(*Job) (*Plan, error), ranges protocol.Ranges, inputs ...string) Operation {
	return Operation{protocol.Declare(name, ranges, inputs...), plan}
}

// Job is the part of a request that describes the work. Its parameters are in the ranges that the
// operation declares.
type Job struct {
	protocol.Parameters
	Inputs *protocol.Inputs
}

// Plan is an operation with its parameters and inputs decoded, before any thread has state of its
// own.
type Plan struct {
	// BytesPerOp is the input bytes of one op; 0 where bytes make no sense.
	BytesPerOp int64
	// Verified is a phrase for what Check checks.
	Verified string
	// Libraries names the libraries that do the work, from those of the worker.
	Libraries []string
	// StartsThreads means that the library hands work to goroutines of its own. Ops then run on
	// goroutines that may use any CPU of the job, as in a user's program: on a locked thread each
	// handover costs a thread switch, and zstd reaches only half of its speed.
	StartsThreads bool
	// Instantiate makes one thread's state. It runs on that thread, already pinned, so that the
	// memory is touched where it is used; it therefore copies what the plan holds, except what
	// threads are to share (Shared).
	Instantiate func() (Instance, error)
}

// Instance is one thread's state of an operation. One thread uses it at a time.
type Instance interface {
	// Op performs one op. It allocates nothing that the library itself does not need, and returns
	// an error when the library reports a failure.
	Op() error
	// Output performs one op and returns its output as bytes. Yes-or-no operations answer for one
	// input that deserves a yes and one that deserves a no. The output of the previous op is wiped
	// first: otherwise an op that writes nothing would pass the check.
	Output() ([]byte, error)
	// Check checks that this is the correct output of one op; it detects a change of any single
	// bit.
	Check(output []byte) error
}
