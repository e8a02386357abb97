package server

import (
	"bytes"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// CPUNS is the CPU time of all of NGINX's processes in ns.
func (s *Server) CPUNS() (int64, error) {
	var sum int64
	for _, pid := range s.Processes() {
		// The clock of a process: see clock_getcpuclockid(3), and CPUCLOCK_SCHED
		// in Linux's include/linux/posix-timers.h.
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

// ResidentBytes is the resident memory of all of NGINX's processes; what they
// share counts for each.
func (s *Server) ResidentBytes() (int64, error) {
	var sum int64
	for _, pid := range s.Processes() {
		bytes, err := ResidentBytes(strconv.Itoa(pid))
		if err != nil {
			return 0, err
		}
		sum += bytes
	}
	return sum, nil
}

// Processes is the master and its workers.
func (s *Server) Processes() []int { return append([]int{s.master.Pid}, s.workers...) }

// ResidentBytes is the resident memory of a process, by number or "self".
func ResidentBytes(process string) (int64, error) {
	content, err := os.ReadFile("/proc/" + process + "/statm")
	if err != nil {
		return 0, err
	}
	fields := bytes.Fields(content)
	const residentField = 1
	if len(fields) <= residentField {
		return 0, fmt.Errorf("/proc/%s/statm: %q", process, content)
	}
	pages, err := strconv.ParseInt(string(fields[residentField]), 10, 64)
	return pages * int64(os.Getpagesize()), err
}

// isWorker says whether a process is one of NGINX's workers. It is asked of
// numbers that were workers of ours, should their master have been killed.
func isWorker(pid int) bool {
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return err == nil && bytes.HasPrefix(content, []byte("nginx: worker process"))
}
