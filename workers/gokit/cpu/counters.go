package cpu

import (
	"encoding/binary"
	"errors"
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

// FindCounters tries each event on the calling thread.
func FindCounters() protocol.Counted {
	counted, isForbidden := tryEvents(true)
	if len(counted.Groups) == 0 && isForbidden {
		counted, _ = tryEvents(false)
	}
	return counted
}

func tryEvents(kernel bool) (counted protocol.Counted, isForbidden bool) {
	counted = protocol.Counted{Groups: [][]string{}, Kernel: kernel, Missing: map[string]string{}}
	for _, events := range eventGroups {
		var names []string
		var opened []int
		for _, e := range events {
			leader := -1
			if len(opened) > 0 {
				leader = opened[0]
			}
			fd, err := openEvent(e, leader, kernel)
			if err != nil {
				counted.Missing[e.name] = whyNotCounted(err)
				isForbidden = isForbidden || isRefusal(err)
				continue
			}
			names, opened = append(names, e.name), append(opened, fd)
		}
		closeAll(opened)
		if len(names) > 0 {
			counted.Groups = append(counted.Groups, names)
		}
	}
	return counted, isForbidden
}

func closeAll(fds []int) {
	for _, fd := range fds {
		// What can't be closed is closed when the process ends.
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

// openEvent opens an event of the calling thread, on any CPU, counting from now on.
func openEvent(e event, leader int, kernel bool) (int, error) {
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
	return unix.PerfEventOpen(&attr, 0, -1, leader, unix.PERF_FLAG_FD_CLOEXEC)
}

// Counters are those of one thread.
type Counters struct {
	groups [][]int // of each group the descriptors; the first is the one by which it is read
}

// OpenCounters opens what was found, of the calling thread. None where one can't be opened any
// more: too many files, say.
func OpenCounters(counted protocol.Counted) *Counters {
	c := &Counters{}
	for _, names := range counted.Groups {
		var opened []int
		for _, name := range names {
			leader := -1
			if len(opened) > 0 {
				leader = opened[0]
			}
			fd, err := openEvent(eventNamed(name), leader, counted.Kernel)
			if err != nil {
				closeAll(opened)
				for _, group := range c.groups {
					closeAll(group)
				}
				return &Counters{}
			}
			opened = append(opened, fd)
		}
		c.groups = append(c.groups, opened)
	}
	return c
}

func eventNamed(name string) event {
	for _, events := range eventGroups {
		for _, e := range events {
			if e.name == name {
				return e
			}
		}
	}
	panic("an event that is not counted: " + name)
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
