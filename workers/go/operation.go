package main

import (
	"fmt"
	"slices"

	"sizeup/gokit/protocol"
)

// operation is one entry of the registry: an operation's declaration, and how to plan it.
type operation struct {
	protocol.Operation
	plan func(*job) (*plan, error)
}

// declare makes an operation; ranges is nil for one without parameters.
func declare(name string, plan func(*job) (*plan, error), ranges protocol.Ranges, inputs ...string) operation {
	return operation{protocol.Declare(name, ranges, inputs...), plan}
}

// job is the part of a request that describes the work. Its parameters are in the ranges that the
// operation declares.
type job struct {
	protocol.Parameters
	inputs *protocol.Inputs
}

// anyLength is the range of most lengths, in bytes.
var anyLength = protocol.Integers(1, 1<<30)

// namesOf is the range of a parameter that selects one of these by its name.
func namesOf[T fmt.Stringer](choices []T) protocol.Range {
	var names []string
	for _, choice := range choices {
		names = append(names, choice.String())
	}
	return protocol.OneOf(names...)
}

// named is the choice with that name, which namesOf has allowed.
func named[T fmt.Stringer](choices []T, name string) T {
	return choices[slices.IndexFunc(choices, func(choice T) bool { return choice.String() == name })]
}

// plan is an operation with its parameters and inputs decoded, before any thread has state of its
// own.
type plan struct {
	// bytesPerOp is the input bytes of one op; 0 where bytes make no sense.
	bytesPerOp int64
	// verified is a phrase for what Check checks.
	verified string
	// libraries names the libraries that do the work, from libraryNames.
	libraries []string
	// startsThreads means that the library hands work to goroutines of its own. Ops then run on
	// goroutines that may use any CPU of the job, as in a user's program: on a locked thread each
	// handover costs a thread switch, and zstd reaches only half of its speed.
	startsThreads bool
	// instantiate makes one thread's state. It runs on that thread, already pinned, so that the
	// memory is touched where it is used; it therefore copies what the plan shares.
	instantiate func() (instance, error)
}

// instance is one thread's state of an operation. One thread uses it at a time.
type instance interface {
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
