package work

import (
	"golang.org/x/sys/unix"

	"sizeup/gokit/cpu"
)

// clockOffset is the offset of the timed loop's clock from CLOCK_MONOTONIC, measured once at
// program start.
var clockOffset = findClockOffset()

// monotonic converts a value of cpu.NowNS to CLOCK_MONOTONIC, which other processes share, in ns.
func monotonic(now int64) int64 { return now + clockOffset }

// findClockOffset reads both clocks in turn; the error of the tightest of a few tries is below the
// time of such a reading.
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

// usage is the kernel's counters of one thread, and when they were read.
type usage struct {
	readNS, cpuNS                          int64
	systemNS                               int64 // CPU time in the kernel
	minorFaults, majorFaults               int64
	voluntarySwitches, involuntarySwitches int64
}

// usageBefore reads what the calling thread has used, and usageAfter reads it at the end of a
// stretch. The thread may be preempted between any two readings: the elapsed clock encloses that of
// CPU time, so that CPU time can't exceed elapsed time.
func usageBefore() usage {
	u := counters()
	u.readNS = cpu.NowNS()
	u.cpuNS = threadCPU()
	return u
}

func usageAfter() usage {
	cpuNS := threadCPU()
	readNS := cpu.NowNS()
	u := counters()
	u.cpuNS, u.readNS = cpuNS, readNS
	return u
}

func threadCPU() int64 { return cpu.ReadNS(unix.CLOCK_THREAD_CPUTIME_ID) }

func counters() usage {
	var read unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &read); err != nil {
		panic("getrusage: " + err.Error())
	}
	return usage{
		systemNS:    read.Stime.Nano(),
		minorFaults: read.Minflt, majorFaults: read.Majflt,
		voluntarySwitches: read.Nvcsw, involuntarySwitches: read.Nivcsw,
	}
}
