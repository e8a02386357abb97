package main

import (
	"errors"
	"fmt"
)

// The kinds of error that the protocol knows.
const (
	kindProtocol        = "protocol"
	kindBadRequest      = "bad-request"
	kindUnknownWorkload = "unknown-workload"
	kindInput           = "input"
	kindResources       = "resources"
	kindWrongAnswer     = "wrong-answer"
	kindOperationFailed = "operation-failed"
	kindInternal        = "internal"
)

// fault is an error that can be sent to the harness as it is. Every fault ends
// the launch.
type fault struct {
	kind    string
	message string // what happened and where
	hint    string // what to do next; may be empty
}

func (f *fault) Error() string { return f.kind + ": " + f.message }

// faultf makes a fault without a hint.
func faultf(kind, format string, args ...any) *fault {
	return &fault{kind: kind, message: fmt.Sprintf(format, args...)}
}

// advise adds a hint.
func (f *fault) advise(hint string) *fault {
	f.hint = hint
	return f
}

// asFault gives err its kind: the one it brings, or else the one given.
func asFault(err error, otherwise string) *fault {
	if f, ok := errors.AsType[*fault](err); ok {
		return f
	}
	return &fault{kind: otherwise, message: err.Error()}
}

// in says where the fault happened: a workload, a thread. The fault itself is
// left alone, for threads may share one.
func (f *fault) in(place string) *fault {
	return &fault{kind: f.kind, message: place + ": " + f.message, hint: f.hint}
}
