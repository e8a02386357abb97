package cpu

import (
	"testing"
	"time"
)

func TestTheClockOfTimedLoopsRunsWithTheSystemsMonotonicClock(t *testing.T) {
	const tolerance = 10_000_000 // ns; wide, for a busy machine
	start, system := NowNS(), MonotonicNS()
	time.Sleep(20 * time.Millisecond)
	if elapsed, expected := NowNS()-start, MonotonicNS()-system; max(elapsed-expected, expected-elapsed) > tolerance {
		t.Errorf("%d ns, and %d on the system's clock", elapsed, expected)
	}
}

func TestTheClockHasACost(t *testing.T) {
	if cost := ClockCostNS(); cost < 1 {
		t.Errorf("%d ns", cost)
	}
}
