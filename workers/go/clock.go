package main

import (
	"bytes"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// Go reads CLOCK_MONOTONIC through the vDSO, but gives it away only as a
// difference of two times; asking the kernel for the clock itself is a system
// call, and ten times dearer (25 ns against 290 ns on the VM it was built on).
// So time.Since is the clock of the timed loop, and where it lies on
// CLOCK_MONOTONIC is found once, when the program starts.
var (
	clockBase   = time.Now()
	clockOffset = findClockOffset()
)

// now is the time since the program started, in ns of CLOCK_MONOTONIC.
func now() int64 { return int64(time.Since(clockBase)) }

// monotonic turns a value of now into one of CLOCK_MONOTONIC, which other
// processes share, in ns.
func monotonic(now int64) int64 { return now + clockOffset }

// findClockOffset reads both clocks in turn; the tightest of a few tries is off
// by less than such a reading takes.
func findClockOffset() int64 {
	const tries = 16
	var offset int64
	tightest := int64(1 << 62)
	for range tries {
		before := now()
		middle := readClock(unix.CLOCK_MONOTONIC)
		after := now()
		if width := after - before; width < tightest {
			tightest = width
			offset = middle - (before + width/2)
		}
	}
	return offset
}

// measureClockCost finds what one call of now costs, in ns, rounded up: the
// quickest of several rounds, for a disturbance only ever adds.
func measureClockCost() int64 {
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

// threadCPU is the CPU time of the calling thread in ns.
func threadCPU() int64 { return readClock(unix.CLOCK_THREAD_CPUTIME_ID) }

// processCPU is the CPU time of the whole process in ns.
func processCPU() int64 { return readClock(unix.CLOCK_PROCESS_CPUTIME_ID) }

func readClock(id int32) int64 {
	var value unix.Timespec
	if err := unix.ClockGettime(id, &value); err != nil {
		panic("clock_gettime: " + err.Error()) // every Linux has these clocks
	}
	return value.Nano()
}

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

// residentBytes is the process's resident memory.
func residentBytes() (int64, error) {
	const file, residentField = "/proc/self/statm", 1
	content, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	fields := bytes.Fields(content)
	if len(fields) <= residentField {
		return 0, faultf(kindInternal, "%s: %q", file, content)
	}
	pages, err := strconv.ParseInt(string(fields[residentField]), 10, 64)
	return pages * int64(os.Getpagesize()), err
}
