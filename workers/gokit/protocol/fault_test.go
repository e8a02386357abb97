package protocol

import (
	"errors"
	"fmt"
	"testing"
)

func TestAFaultKeepsItsKindAndHintWhereverItIsToldOf(t *testing.T) {
	fault := Faultf(KindInput, "byte %d differs", 17).Advise("make it anew")
	told := AsFault(fmt.Errorf("by the way: %w", fault), KindInternal).In("thread 1").In("empty/go")
	if *told != (Fault{KindInput, "empty/go: thread 1: byte 17 differs", "make it anew"}) {
		t.Errorf("%+v", told)
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
