package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"golang.org/x/sys/unix"

	"sizeup/gokit/process"
)

// CPUNS is the CPU time of processes in ns; one that has ended is an error.
func CPUNS(processes []int) (int64, error) {
	var sum int64
	for _, pid := range processes {
		// The clock of a process: see clock_getcpuclockid(3), and CPUCLOCK_SCHED in Linux's
		// include/linux/posix-timers.h.
		const sched = 2
		clock := int32(^pid)<<3 | sched
		var value unix.Timespec
		if err := unix.ClockGettime(clock, &value); err != nil {
			return 0, fmt.Errorf("the CPU time of the server's process %d: %w", pid, err)
		}
		sum += value.Nano()
	}
	return sum, nil
}

// ResidentBytes is the resident memory of processes; shared memory counts for each. One that has ended has none: a
// server's helpers come and go.
func ResidentBytes(processes []int) (int64, error) {
	var sum int64
	for _, pid := range processes {
		bytes, err := process.ResidentBytes(strconv.Itoa(pid))
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ESRCH) {
			continue
		}
		if err != nil {
			return 0, err
		}
		sum += bytes
	}
	return sum, nil
}
