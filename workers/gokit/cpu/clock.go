// Package cpu deals with CPUs: which of them threads may use, their clock and width (pulses), and
// the clocks of the operating system. It knows no operations.
package cpu

import (
	"time"

	"golang.org/x/sys/unix"
)

// Go reads CLOCK_MONOTONIC through the vDSO, but exposes it only as a difference of two times;
// reading the clock itself takes a system call, which is ten times slower (290 ns instead of 25 ns
// on the VM it was built on).
var clockBase = time.Now()

// NowNS is the time since the program started, in ns of CLOCK_MONOTONIC: the clock of timed loops,
// where the compiler inlines it.
func NowNS() int64 { return int64(time.Since(clockBase)) }

// MonotonicNS is CLOCK_MONOTONIC itself, which other processes share.
func MonotonicNS() int64 { return ReadNS(unix.CLOCK_MONOTONIC) }

// ProcessNS is the CPU time of the whole process.
func ProcessNS() int64 { return ReadNS(unix.CLOCK_PROCESS_CPUTIME_ID) }

// ReadNS reads one of the kernel's clocks, by a system call.
func ReadNS(clock int32) int64 {
	var value unix.Timespec
	if err := unix.ClockGettime(clock, &value); err != nil {
		panic("clock_gettime: " + err.Error()) // every Linux has these clocks
	}
	return value.Nano()
}

// ClockCostNS measures the cost of one call of NowNS, rounded up: the quickest of several rounds,
// because disturbances only add time.
func ClockCostNS() int64 {
	const rounds, looks = 16, 256
	quickest := int64(1 << 62)
	for range rounds {
		start := NowNS()
		for range looks - 1 {
			NowNS()
		}
		quickest = min(quickest, NowNS()-start)
	}
	return max(1, (quickest+looks-1)/looks)
}
