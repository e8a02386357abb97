package work

import (
	"errors"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"

	"sizeup/gokit/protocol"
)

func TestOpsStayOnThePinnedThreadUnlessTheirLibraryStartsThreads(t *testing.T) {
	for _, startsThreads := range []bool{false, true} {
		var pinned int
		var elsewhere atomic.Int64
		c := scriptedCrew(t, 1, func() error {
			if unix.Gettid() != pinned {
				elsewhere.Add(1)
			}
			return nil
		})
		c.plan.StartsThreads = startsThreads
		err := c.each(func(*thread) error {
			pinned = unix.Gettid()
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		answer, err := c.measure(&protocol.MeasureRequest{Sample: 1000})
		if err != nil {
			t.Fatal(err)
		}
		if startsThreads != (elsewhere.Load() > 0) {
			t.Errorf("starts threads: %v, ops on other threads: %d", startsThreads, elsewhere.Load())
		}
		if sample := answer.Threads[0]; sample.Ops < leastOps || sample.CPUNS < 0 || sample.VoluntarySwitches < 0 {
			t.Errorf("starts threads: %v: %+v", startsThreads, sample)
		}
	}
}

func TestAnOpThatFailsOrPanicsElsewhereFailsTheSample(t *testing.T) {
	for _, op := range []func() error{
		func() error { return errors.New("no") },
		func() error { panic("no") },
	} {
		c := scriptedCrew(t, 1, op)
		c.plan.StartsThreads = true
		if _, err := c.measure(&protocol.MeasureRequest{Sample: 1000}); err == nil {
			t.Error("the sample passed")
		}
	}
}
