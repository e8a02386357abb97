package main

import (
	"golang.org/x/sys/unix"

	"sizeup/gokit/cpu"
)

// clockOffset is where the clock of the timed loop lies on CLOCK_MONOTONIC, found
// once, when the program starts.
var clockOffset = findClockOffset()

// monotonic turns a value of cpu.NowNS into one of CLOCK_MONOTONIC, which other
// processes share, in ns.
func monotonic(now int64) int64 { return now + clockOffset }

// findClockOffset reads both clocks in turn; the tightest of a few tries is off
// by less than such a reading takes.
func findClockOffset() int64 {
	const tries = 16
	var offset int64
	tightest := int64(1 << 62)
	for range tries {
		before := cpu.NowNS()
		middle := cpu.MonotonicNS()
		after := cpu.NowNS()
		if width := after - before; width < tightest {
			tightest = width
			offset = middle - (before + width/2)
		}
	}
	return offset
}

// threadCPU is the CPU time of the calling thread in ns.
func threadCPU() int64 { return cpu.ReadNS(unix.CLOCK_THREAD_CPUTIME_ID) }

// counters are what the kernel counts for one thread.
type counters struct {
	minorFaults, majorFaults               int64
	voluntarySwitches, involuntarySwitches int64
}

// threadCounters reads the counters of the calling thread.
func threadCounters() counters {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &usage); err != nil {
		panic("getrusage: " + err.Error())
	}
	return counters{usage.Minflt, usage.Majflt, usage.Nvcsw, usage.Nivcsw}
}
