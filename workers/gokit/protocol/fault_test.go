package protocol

import (
	"errors"
	"fmt"
	"testing"
)

func TestAFaultKeepsItsKindAndHintWhenWrapped(t *testing.T) {
	fault := Faultf(KindInput, "byte %d differs", 17).Advise("recreate it")
	wrapped := AsFault(fmt.Errorf("by the way: %w", fault), KindInternal).In("thread 1").In("empty/go")
	if *wrapped != (Fault{KindInput, "empty/go: thread 1: byte 17 differs", "recreate it"}) {
		t.Errorf("%+v", wrapped)
	}
	if fault.Message != "byte 17 differs" {
		t.Errorf("the fault itself became %+v", fault)
	}
}

func TestAnyOtherErrorGetsTheKindGiven(t *testing.T) {
	if f := AsFault(errors.New("no more"), KindOperationFailed); *f != (Fault{KindOperationFailed, "no more", ""}) {
		t.Errorf("%+v", f)
	}
}
