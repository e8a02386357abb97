package protocol

import (
	"errors"
	"fmt"
)

// The kinds of error in the protocol.
const (
	KindProtocol         = "protocol"
	KindBadRequest       = "bad-request"
	KindUnknownOperation = "unknown-operation"
	KindInput            = "input"
	KindUnavailable      = "unavailable"
	KindResources        = "resources"
	KindWrongAnswer      = "wrong-answer"
	KindOperationFailed  = "operation-failed"
	KindInternal         = "internal"
)

// Fault is an error that can be sent to the harness as it is. Every fault ends the launch.
type Fault struct {
	Kind    string
	Message string // what happened and where
	Hint    string // what to do next; may be empty
}

func (f *Fault) Error() string { return f.Kind + ": " + f.Message }

// Faultf makes a fault without a hint.
func Faultf(kind, format string, args ...any) *Fault {
	return &Fault{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// Advise adds a hint.
func (f *Fault) Advise(hint string) *Fault {
	f.Hint = hint
	return f
}

// AsFault converts err to a fault: with the kind it has, or else with the given one.
func AsFault(err error, otherwise string) *Fault {
	if f, ok := errors.AsType[*Fault](err); ok {
		return f
	}
	return &Fault{Kind: otherwise, Message: err.Error()}
}

// In adds where the fault happened: an operation, a thread. It returns a copy, because threads may
// share a fault.
func (f *Fault) In(place string) *Fault {
	return &Fault{Kind: f.Kind, Message: place + ": " + f.Message, Hint: f.Hint}
}
