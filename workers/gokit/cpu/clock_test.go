package cpu

import (
	"testing"
	"time"
)

func TestTheClockOfTimedLoopsRunsWithTheSystemsMonotonicClock(t *testing.T) {
	// This thread may be preempted between any two readings, so the system's enclose ours.
	before := MonotonicNS()
	start := NowNS()
	after := MonotonicNS()
	time.Sleep(20 * time.Millisecond)
	least := MonotonicNS() - after
	elapsed := NowNS() - start
	most := MonotonicNS() - before
	const tolerance = 1_000_000 // ns: a twentieth
	if elapsed < least-tolerance || elapsed > most+tolerance {
		t.Errorf("%d ns, and between %d and %d on the system's clock", elapsed, least, most)
	}
}

func TestTheClockHasACost(t *testing.T) {
	if cost := ClockCostNS(); cost < 1 {
		t.Errorf("%d ns", cost)
	}
}
