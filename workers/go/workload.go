package main

import (
	"encoding/json"

	"sizeup/gokit/protocol"
)

// workload is one line of the registry: an ID and how to plan it.
type workload struct {
	id   string
	plan func(*job) (*plan, error)
}

// job is what a request says about the work itself.
type job struct {
	raw    json.RawMessage
	inputs *protocol.Inputs
}

// parameters decodes the request's parameters: exactly these, no other.
func (j *job) parameters(fields ...protocol.Field) error {
	return protocol.DecodeObject("parameters", j.raw, fields...)
}

// plan is a workload with its parameters and inputs understood, before any
// thread has state of its own.
type plan struct {
	// bytesPerOp is the input bytes of one op; 0 where bytes make no sense.
	bytesPerOp int64
	// verified says in one phrase what Check checks.
	verified string
	// libraries names what does the work, out of libraryNames.
	libraries []string
	// startsThreads says that the library hands work to goroutines of its own. Ops
	// then run on goroutines that may go to any CPU of the job, as a user's do: on
	// a locked thread each handing over costs a change of threads, and zstd comes to
	// half of what it does.
	startsThreads bool
	// instantiate makes one thread's state. It runs on that thread, already
	// pinned, so that the memory is touched where it is used; what the plan
	// shares, it therefore copies.
	instantiate func() (instance, error)
}

// instance is one thread's state of a workload. One thread uses it at a time.
type instance interface {
	// Op performs one op. It allocates nothing that the library itself does not
	// need, and returns an error when the library reports a failure.
	Op() error
	// Output performs one op and returns what it made, as bytes. A yes or no
	// is given for an input that deserves the one and for one that deserves the other.
	// What the op before made is wiped first: it would pass for the answer of one
	// that writes nothing.
	Output() ([]byte, error)
	// Check says whether that is what one op must make; it notices a change of
	// any single bit.
	Check(output []byte) error
}
