package server

import (
	"bytes"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"

	"sizeup/gokit/process"
)

// CPUNS is the CPU time of all of NGINX's processes in ns.
func (s *Server) CPUNS() (int64, error) {
	var sum int64
	for _, pid := range s.Processes() {
		// The clock of a process: see clock_getcpuclockid(3), and CPUCLOCK_SCHED in Linux's
		// include/linux/posix-timers.h.
		const sched = 2
		clock := int32(^pid)<<3 | sched
		var value unix.Timespec
		if err := unix.ClockGettime(clock, &value); err != nil {
			return 0, fmt.Errorf("the CPU time of NGINX's process %d: %w", pid, err)
		}
		sum += value.Nano()
	}
	return sum, nil
}

// ResidentBytes is the resident memory of all of NGINX's processes; shared memory counts for each.
func (s *Server) ResidentBytes() (int64, error) {
	var sum int64
	for _, pid := range s.Processes() {
		bytes, err := process.ResidentBytes(strconv.Itoa(pid))
		if err != nil {
			return 0, err
		}
		sum += bytes
	}
	return sum, nil
}

// Processes is the master and its workers.
func (s *Server) Processes() []int { return append([]int{s.master.Pid}, s.workers...) }

// isWorker reports whether a process is one of NGINX's workers. It checks process numbers of our
// workers, in case their master was killed.
func isWorker(pid int) bool {
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return err == nil && bytes.HasPrefix(content, []byte("nginx: worker process"))
}
