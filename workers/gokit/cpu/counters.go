package cpu

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"

	"sizeup/gokit/protocol"
)

// event is a hardware event: its name in the protocol, its type and its number for the kernel.
type event struct {
	name   string
	kind   uint32
	config uint64
}

// readMisses is the generic event of reads that miss a cache.
func readMisses(cache uint64) uint64 {
	return cache | unix.PERF_COUNT_HW_CACHE_RESULT_MISS<<16
}

// eventGroups is what is counted together; the Rust kit's counters.rs says why.
var eventGroups = [][]event{
	{
		{"cycles", unix.PERF_TYPE_HARDWARE, unix.PERF_COUNT_HW_CPU_CYCLES},
		{"instructions", unix.PERF_TYPE_HARDWARE, unix.PERF_COUNT_HW_INSTRUCTIONS},
		{"branches", unix.PERF_TYPE_HARDWARE, unix.PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
		{"branch-misses", unix.PERF_TYPE_HARDWARE, unix.PERF_COUNT_HW_BRANCH_MISSES},
	},
	{
		{"l1d-misses", unix.PERF_TYPE_HW_CACHE, readMisses(unix.PERF_COUNT_HW_CACHE_L1D)},
		{"llc-misses", unix.PERF_TYPE_HARDWARE, unix.PERF_COUNT_HW_CACHE_MISSES},
		{"dtlb-misses", unix.PERF_TYPE_HW_CACHE, readMisses(unix.PERF_COUNT_HW_CACHE_DTLB)},
	},
	{
		{"frontend-stalls", unix.PERF_TYPE_HARDWARE, unix.PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
		{"backend-stalls", unix.PERF_TYPE_HARDWARE, unix.PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
	},
}

// mostFiles is the part of the open files that the process may have which counters take at most:
// work and the process need some, too.
const mostFiles = 2

// CounterPlan is what is counted of each thread.
type CounterPlan struct {
	groups [][]event
	kernel bool
	// slotsPerCycle is in how many slots of a cycle the core could issue an operation, where its
	// events don't say; else 0.
	slotsPerCycle uint64
	missing       map[string]string
}

// FindCounters tries each event on the calling thread, for so many threads.
func FindCounters(threads int) CounterPlan {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		panic("getrlimit: " + err.Error())
	}
	groups := eventGroups
	events, slots := topDown("/")
	if len(events) > 0 {
		groups = append(slices.Clone(groups), events)
	}
	plan := findCounters(groups, threads, limit.Cur)
	plan.slotsPerCycle = slots
	return plan
}

func findCounters(groups [][]event, threads int, limit uint64) CounterPlan {
	plan, isForbidden := tryEvents(groups, true)
	if len(plan.groups) == 0 && isForbidden {
		plan, _ = tryEvents(groups, false)
	}
	files := 0
	for _, events := range plan.groups {
		files += threads * len(events)
	}
	if uint64(files) <= limit/mostFiles {
		return plan
	}
	why := fmt.Sprintf("%d open files for %d threads: ulimit -n is %d", files, threads, limit)
	plan.groups = nil
	for _, events := range groups {
		for _, e := range events {
			plan.missing[e.name] = why
		}
	}
	return plan
}

func tryEvents(groups [][]event, kernel bool) (plan CounterPlan, isForbidden bool) {
	plan = CounterPlan{kernel: kernel, missing: map[string]string{}}
	for _, events := range groups {
		var found []event
		var opened []int
		for _, e := range events {
			fd, err := openEvent(e, opened, kernel)
			if err != nil {
				plan.missing[e.name] = whyNotCounted(err)
				isForbidden = isForbidden || isRefusal(err)
				continue
			}
			found, opened = append(found, e), append(opened, fd)
		}
		closeAll(opened)
		if len(found) > 0 {
			plan.groups = append(plan.groups, found)
		}
	}
	return plan, isForbidden
}

// Answer is the plan as ready reports it.
func (p CounterPlan) Answer() *protocol.Counted {
	counted := &protocol.Counted{Groups: [][]string{}, Kernel: p.kernel, SlotsPerCycle: p.slotsPerCycle, Missing: p.missing}
	for _, events := range p.groups {
		var names []string
		for _, e := range events {
			names = append(names, e.name)
		}
		counted.Groups = append(counted.Groups, names)
	}
	return counted
}

func closeAll(fds []int) {
	for _, fd := range fds {
		// The kernel closes the others when the process ends.
		_ = unix.Close(fd)
	}
}

func isRefusal(err error) bool { return errors.Is(err, unix.EACCES) || errors.Is(err, unix.EPERM) }

func whyNotCounted(err error) string {
	switch {
	case isRefusal(err):
		return "forbidden by kernel.perf_event_paranoid"
	case errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENODEV), errors.Is(err, unix.EOPNOTSUPP),
		errors.Is(err, unix.EINVAL):
		return "not counted by this CPU or hypervisor"
	case errors.Is(err, unix.ENOSYS):
		return "not in this kernel"
	default:
		return err.Error()
	}
}

// openEvent opens an event of the calling thread, on any CPU, in the group of those that are open
// already. A leader counts nothing before its group is enabled: what joins a group that counts
// already is not counted by some kernels (seen on 6.18, not on 6.1).
func openEvent(e event, group []int, kernel bool) (int, error) {
	attr := unix.PerfEventAttr{
		Type:        e.kind,
		Size:        uint32(unsafe.Sizeof(unix.PerfEventAttr{})),
		Config:      e.config,
		Read_format: unix.PERF_FORMAT_TOTAL_TIME_ENABLED | unix.PERF_FORMAT_TOTAL_TIME_RUNNING | unix.PERF_FORMAT_GROUP,
		Bits:        unix.PerfBitExcludeHv,
	}
	if !kernel {
		attr.Bits |= unix.PerfBitExcludeKernel
	}
	leader := -1
	if len(group) > 0 {
		leader = group[0]
	} else {
		attr.Bits |= unix.PerfBitDisabled
	}
	return unix.PerfEventOpen(&attr, 0, -1, leader, unix.PERF_FLAG_FD_CLOEXEC)
}

// Counters are those of one thread.
type Counters struct {
	groups [][]int // of each group the descriptors; the first is the one by which it is read
}

// Open opens what was found, of the calling thread. None where one can't be opened any more: too
// many files, say.
func (p CounterPlan) Open() *Counters {
	c := &Counters{}
	for _, events := range p.groups {
		opened, err := openGroup(events, p.kernel)
		if err != nil {
			for _, group := range c.groups {
				closeAll(group)
			}
			return &Counters{}
		}
		c.groups = append(c.groups, opened)
	}
	return c
}

func openGroup(events []event, kernel bool) ([]int, error) {
	var opened []int
	for _, e := range events {
		fd, err := openEvent(e, opened, kernel)
		if err != nil {
			closeAll(opened)
			return nil, err
		}
		opened = append(opened, fd)
	}
	if err := unix.IoctlSetInt(opened[0], unix.PERF_EVENT_IOC_ENABLE, unix.PERF_IOC_FLAG_GROUP); err != nil {
		closeAll(opened)
		return nil, err
	}
	return opened, nil
}

// Read returns of each group how long it was to be counted and how long it was, in ns, then its
// counts, all since it was opened. Empty without counters.
func (c *Counters) Read() [][]int64 {
	if c == nil {
		return nil
	}
	var all [][]int64
	for _, group := range c.groups {
		// How many, both times, the counts.
		buffer := make([]byte, 8*(3+len(group)))
		if n, err := unix.Read(group[0], buffer); err != nil || n != len(buffer) {
			return nil
		}
		var words []int64
		for at := 8; at < len(buffer); at += 8 {
			words = append(words, int64(binary.NativeEndian.Uint64(buffer[at:])))
		}
		all = append(all, words)
	}
	return all
}

// CountedBetween is what was counted between two readings.
func CountedBetween(before, after [][]int64) [][]int64 {
	if len(before) != len(after) {
		return nil
	}
	all := make([][]int64, len(after))
	for i, words := range after {
		all[i] = make([]int64, len(words))
		for j, word := range words {
			all[i][j] = max(0, word-before[i][j])
		}
	}
	return all
}
