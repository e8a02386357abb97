package work

import (
	"strings"
	"testing"

	"sizeup/gokit/cpu"
)

func TestTheEnvironmentThatChangesGoIsRecorded(t *testing.T) {
	t.Setenv("GOGC", "off")
	if flags := buildFlags(""); !strings.Contains(flags, "env GOGC=off") {
		t.Errorf("flags %q", flags)
	}
}

func TestTheClockIsTheSystemsMonotonicClock(t *testing.T) {
	const tolerance = 10_000_000 // ns; wide, for a busy machine
	before := cpu.MonotonicNS()
	middle := monotonic(cpu.NowNS())
	after := cpu.MonotonicNS()
	if middle < before-tolerance || middle > after+tolerance {
		t.Errorf("%d is not between %d and %d", middle, before, after)
	}
}
