package cpu

import (
	"runtime"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// softwareEvents are what the kernel itself counts, on every machine.
var softwareEvents = [][]event{{
	{"task-clock", unix.PERF_TYPE_SOFTWARE, unix.PERF_COUNT_SW_TASK_CLOCK},
	{"page-faults", unix.PERF_TYPE_SOFTWARE, unix.PERF_COUNT_SW_PAGE_FAULTS},
}}

const manyFiles = 1 << 20

// softwarePlan counts those, where the system lets it.
func softwarePlan(t *testing.T) CounterPlan {
	t.Helper()
	plan := findCounters(softwareEvents, 1, manyFiles)
	if len(plan.groups) == 0 {
		t.Skipf("nothing is counted here: %v", plan.missing)
	}
	return plan
}

func faults() int64 {
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &used); err != nil {
		panic(err)
	}
	return used.Minflt
}

func TestEveryEventIsFoundOrMissingWithAReason(t *testing.T) {
	counted := FindCounters(1).Answer()
	known := map[string]bool{}
	for _, group := range counted.Groups {
		for _, name := range group {
			known[name] = true
		}
	}
	for name, why := range counted.Missing {
		if why == "" || known[name] {
			t.Errorf("%s: %q", name, why)
		}
		known[name] = true
	}
	for _, events := range eventGroups {
		for _, e := range events {
			if !known[e.name] {
				t.Errorf("%s is neither found nor missing", e.name)
			}
		}
	}
}

func TestAGroupCountsWhatItsThreadDoesBetweenTwoReadings(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	counters := softwarePlan(t).Open()
	outer := faults()
	before := counters.Read()
	inner := faults()
	const pages, page = 100, 64 << 10
	memory, err := syscall.Mmap(-1, 0, pages*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	for i := range pages {
		memory[i*page] = 1
	}
	inner = faults() - inner
	counts := CountedBetween(before, counters.Read())
	outer = faults() - outer
	if err := syscall.Munmap(memory); err != nil {
		t.Fatal(err)
	}
	if len(counts) != 1 || len(counts[0]) != 4 {
		t.Fatalf("%v", counts)
	}
	enabled, running, clock, counted := counts[0][0], counts[0][1], counts[0][2], counts[0][3]
	if enabled <= 0 || running != enabled || clock <= 0 {
		t.Errorf("%v", counts)
	}
	if inner <= 0 || counted < inner || counted > outer {
		t.Errorf("%d faults counted, %d to %d there", counted, inner, outer)
	}
}

func TestThreadsThatWouldTakeMostOpenFilesAreNotCounted(t *testing.T) {
	softwarePlan(t)
	// Two files a thread, of half of the limit.
	if plan := findCounters(softwareEvents, 256, 1024); len(plan.groups) != 1 {
		t.Errorf("%v", plan)
	}
	plan := findCounters(softwareEvents, 257, 1024)
	const why = "514 open files for 257 threads: ulimit -n is 1024"
	if len(plan.groups) != 0 || plan.missing["page-faults"] != why {
		t.Errorf("%v", plan)
	}
}

func TestWithoutCountersNothingIsRead(t *testing.T) {
	var none *Counters
	if counts := none.Read(); counts != nil {
		t.Errorf("%v", counts)
	}
}
