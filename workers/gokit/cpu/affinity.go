package cpu

import (
	"errors"
	"os"
	"strconv"

	"golang.org/x/sys/unix"

	"sizeup/gokit/protocol"
)

// MaxCPU is the highest CPU number that unix.CPUSet can hold.
const MaxCPU = 1023

// PinThread binds the calling thread, which must be locked to its goroutine, to
// one CPU.
func PinThread(cpu int) error {
	return setAffinity(0, []int{cpu})
}

// RestrictProcess keeps every thread of the process to the given CPUs, the
// runtime's own (collector, system monitor) included. Threads that start later
// inherit it: Go starts none from a thread that a goroutine is locked to, so
// none inherits a pin instead.
func RestrictProcess(cpus []int) error {
	const tasks = "/proc/self/task"
	done := map[int]bool{}
	for {
		entries, err := os.ReadDir(tasks)
		if err != nil {
			return err
		}
		fresh := false
		for _, entry := range entries {
			thread, err := strconv.Atoi(entry.Name())
			if err != nil || done[thread] {
				continue
			}
			fresh, done[thread] = true, true
			// A thread may end at any time; it needs no pin then.
			if err := setAffinity(thread, cpus); err != nil && !errors.Is(err, unix.ESRCH) {
				return err
			}
		}
		if !fresh { // none can have been started by one that was still free
			return nil
		}
	}
}

// setAffinity binds a thread (0 for the calling one) to CPUs, all of them: the
// kernel is content when it can have one.
func setAffinity(thread int, cpus []int) error {
	var wanted, given unix.CPUSet
	for _, cpu := range cpus {
		if cpu > MaxCPU {
			return protocol.Faultf(protocol.KindResources, "CPU %d: this worker can pin to CPU %d at most", cpu, MaxCPU)
		}
		wanted.Set(cpu)
	}
	if err := unix.SchedSetaffinity(thread, &wanted); err != nil && !errors.Is(err, unix.EINVAL) {
		return err
	}
	// EINVAL means that none of the CPUs is to be had; the comparison says so.
	if err := unix.SchedGetaffinity(thread, &given); err != nil {
		return err
	}
	for _, cpu := range cpus {
		if !given.IsSet(cpu) {
			return protocol.Faultf(protocol.KindResources, "CPU %d can't be had", cpu).
				Advise("it is absent, offline, or outside this container's or cgroup's CPUs")
		}
	}
	return nil
}

// Allowed is the CPUs that this process may use, of which there is at least one.
func Allowed() ([]int, error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil, err
	}
	var cpus []int
	for cpu := range MaxCPU + 1 {
		if set.IsSet(cpu) {
			cpus = append(cpus, cpu)
		}
	}
	return cpus, nil
}
