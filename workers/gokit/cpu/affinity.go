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
	return RestrictThread([]int{cpu})
}

// RestrictThread keeps the calling thread, which must be locked to its goroutine, on the given CPUs;
// processes that it starts inherit that.
func RestrictThread(cpus []int) error { return setAffinity(0, cpus) }

// RestrictProcess keeps every thread of the process on the given CPUs, including the runtime's own
// (collector, system monitor). Threads that start later inherit the restriction: Go starts no
// thread from one that a goroutine is locked to, so none inherits a pin instead.
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
			// A thread may end at any time; it then needs no restriction.
			if err := setAffinity(thread, cpus); err != nil && !errors.Is(err, unix.ESRCH) {
				return err
			}
		}
		if !fresh { // no unrestricted thread is left that could have started one
			return nil
		}
	}
}

// setAffinity binds a thread (0 for the calling one) to all of these CPUs; the kernel itself would
// accept a partial set.
func setAffinity(thread int, cpus []int) error {
	var wanted, given unix.CPUSet
	for _, cpu := range cpus {
		if cpu > MaxCPU {
			return protocol.Faultf(protocol.KindResources, "CPU %d: this worker supports CPUs up to %d", cpu, MaxCPU)
		}
		wanted.Set(cpu)
	}
	if err := unix.SchedSetaffinity(thread, &wanted); err != nil && !errors.Is(err, unix.EINVAL) {
		return err
	}
	// EINVAL means that none of the CPUs is available; the comparison below reports that.
	if err := unix.SchedGetaffinity(thread, &given); err != nil {
		return err
	}
	for _, cpu := range cpus {
		if !given.IsSet(cpu) {
			return protocol.Faultf(protocol.KindResources, "CPU %d is unavailable", cpu).
				Advise("the CPU is absent, offline, or outside the CPUs of this container or cgroup")
		}
	}
	return nil
}

// Allowed returns the CPUs that this process may use, at least one.
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
