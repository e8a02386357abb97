package main

import (
	"fmt"
	"slices"

	"sizeup/gokit/protocol"
)

// operation is one line of the registry: what a request may ask for, and how to
// plan it.
type operation struct {
	protocol.Operation
	plan func(*job) (*plan, error)
}

// declare makes an operation; ranges is nil for one without parameters.
func declare(name string, plan func(*job) (*plan, error), ranges protocol.Ranges, inputs ...string) operation {
	return operation{protocol.Declare(name, ranges, inputs...), plan}
}

// job is what a request says about the work itself. Its parameters are in the
// ranges that the operation declares.
type job struct {
	protocol.Parameters
	inputs *protocol.Inputs
}

// anyLength is the range of most lengths, in bytes.
var anyLength = protocol.Integers(1, 1<<30)

// namesOf is the range of a parameter that chooses one of these by its name.
func namesOf[T fmt.Stringer](choices []T) protocol.Range {
	var names []string
	for _, choice := range choices {
		names = append(names, choice.String())
	}
	return protocol.OneOf(names...)
}

// named is the choice of that name, which namesOf let pass.
func named[T fmt.Stringer](choices []T, name string) T {
	return choices[slices.IndexFunc(choices, func(choice T) bool { return choice.String() == name })]
}

// plan is an operation with its parameters and inputs understood, before any
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

// instance is one thread's state of an operation. One thread uses it at a time.
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
