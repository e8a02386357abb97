// Package cpu looks at CPUs: their clock and width (pulses), which of them may be
// used, and the clocks of the operating system. It knows neither workloads nor
// the protocol.
package cpu

import (
	"time"

	"golang.org/x/sys/unix"
)

var clockBase = time.Now()

// now is the time since the program started, in ns of CLOCK_MONOTONIC, read
// without a system call.
func now() int64 { return int64(time.Since(clockBase)) }

// MonotonicNS is CLOCK_MONOTONIC, which other processes share.
func MonotonicNS() int64 { return readClock(unix.CLOCK_MONOTONIC) }

// ProcessNS is the CPU time of this process in ns.
func ProcessNS() int64 { return readClock(unix.CLOCK_PROCESS_CPUTIME_ID) }

func readClock(id int32) int64 {
	var value unix.Timespec
	if err := unix.ClockGettime(id, &value); err != nil {
		panic("clock_gettime: " + err.Error()) // every Linux has these clocks
	}
	return value.Nano()
}

// ClockCostNS finds what one look at the clock costs, rounded up: the quickest of
// several rounds, for a disturbance only ever adds.
func ClockCostNS() int64 {
	const rounds, looks = 16, 256
	quickest := int64(1 << 62)
	for range rounds {
		start := now()
		for range looks - 1 {
			now()
		}
		quickest = min(quickest, now()-start)
	}
	return max(1, (quickest+looks-1)/looks)
}
