package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sizeup/gokit/cpu"
	"sizeup/gokit/protocol"
)

// scripted is an instance whose op is a function of the test.
type scripted struct{ op func() error }

func (s scripted) Op() error               { return s.op() }
func (s scripted) Output() ([]byte, error) { return []byte("ok"), nil }
func (s scripted) Check(out []byte) error {
	return mustEqual("the output", out, []byte("ok"))
}

// scriptedCrew is a crew whose thread i does ops[i], one an op, in batches.
func scriptedCrew(t *testing.T, batchOps int64, ops ...func() error) *crew {
	t.Helper()
	runtime.GOMAXPROCS(len(ops))
	c, err := assemble(len(ops), someCPUs())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.End)
	c.operation, c.plan, c.batchOps, c.injectBit = "scripted", &plan{}, batchOps, -1
	for i, op := range ops {
		c.threads[i].instance = scripted{op}
	}
	return c
}

// register adds a scripted operation for one test.
func register(t *testing.T, name string, plan func(*job) (*plan, error)) request {
	t.Helper()
	before := registry
	t.Cleanup(func() { registry = before })
	registry = append(slices.Clone(registry), declare(name, plan, nil))
	return trial{name, "{}"}.request(t, 2)
}

// planScript plans work whose op is a function of the test.
func planScript(op func() error) func(*job) (*plan, error) {
	return func(*job) (*plan, error) {
		return &plan{libraries: []string{libraryGo}, instantiate: func() (instance, error) {
			return scripted{op}, nil
		}}, nil
	}
}

func TestASampleOnTwoThreadsHasPlausibleFigures(t *testing.T) {
	answers, status := converse(t, quick.request(t, 2).line(), aSample.line())
	if status != 0 || answers[1].Answer != "sample" {
		t.Fatalf("status %d, %+v", status, answers)
	}
	sample := answers[1]
	if len(sample.Threads) != 2 {
		t.Fatalf("%d threads", len(sample.Threads))
	}
	const requested = 20_000_000
	for i, thread := range sample.Threads {
		if thread.CPU != someCPUs()[i%len(someCPUs())] {
			t.Errorf("thread %d worked on CPU %d", i, thread.CPU)
		}
		if thread.Ops < leastOps || thread.Ops%answers[0].BatchOps != 0 {
			t.Errorf("thread %d did %d ops in batches of %d", i, thread.Ops, answers[0].BatchOps)
		}
		if thread.ElapsedNS < requested || thread.ElapsedNS > sample.EndNS-sample.StartNS {
			t.Errorf("thread %d took %d ns", i, thread.ElapsedNS)
		}
		if thread.CPUNS <= 0 || thread.MinorFaults < 0 || thread.InvoluntarySwitches < 0 {
			t.Errorf("thread %d: %+v", i, thread)
		}
		for _, p := range []protocol.Pulse{thread.PulseBefore, thread.PulseAfter} {
			if p.ClockOps <= 0 || p.WidthOps <= 0 || p.ClockNS <= 0 || p.WidthNS <= 0 {
				t.Errorf("thread %d: pulse %+v", i, p)
			}
		}
	}
	for i, thread := range sample.Threads {
		for _, p := range []*protocol.MemoryPulse{thread.MemoryBefore, thread.MemoryAfter} {
			if p == nil || p.Loads <= 0 || p.Lines <= 0 || p.LoadsNS <= 0 || p.LinesNS <= 0 {
				t.Errorf("thread %d: memory pulse %+v", i, p)
			}
		}
	}
	first := sample.Threads[0]
	if sample.ProcessCPUNS < first.CPUNS || sample.ProcessElapsedNS < first.ElapsedNS {
		t.Errorf("process %d of %d ns, its thread 0 %d of %d",
			sample.ProcessCPUNS, sample.ProcessElapsedNS, first.CPUNS, first.ElapsedNS)
	}
}

func TestASampleCountsOnlyItsOwnWholeOps(t *testing.T) {
	const batch = 4
	done := 0
	c := scriptedCrew(t, batch, func() error { done++; return nil })
	answer, err := c.measure(&protocol.MeasureRequest{Warmup: 0, Sample: 1000})
	if err != nil {
		t.Fatal(err)
	}
	counted := answer.Threads[0].Ops
	if counted < leastOps || counted%batch != 0 || counted > int64(done)-batch {
		t.Errorf("counted %d of %d ops, in batches of %d, at least one of which was warm-up", counted, done, batch)
	}
}

func TestASampleHasAtLeastThreeOps(t *testing.T) {
	c := scriptedCrew(t, 1, func() error {
		for start := cpu.NowNS(); cpu.NowNS()-start < 10_000; {
		}
		return nil
	})
	answer, err := c.measure(&protocol.MeasureRequest{Warmup: 0, Sample: 1000})
	if err != nil {
		t.Fatal(err)
	}
	if ops := answer.Threads[0].Ops; ops != leastOps {
		t.Errorf("%d ops of 10 µs in a sample of 1 µs", ops)
	}
}

func TestASampleHasAChainAfterEachLongOpAndOneAtItsEnd(t *testing.T) {
	c := scriptedCrew(t, 1, func() error { time.Sleep(7 * time.Millisecond); return nil })
	answer, err := c.measure(&protocol.MeasureRequest{Warmup: 0, Sample: 1000})
	if err != nil {
		t.Fatal(err)
	}
	if chains := answer.Threads[0].ChainsNS; len(chains) != leastOps || slices.Min(chains) <= 0 {
		t.Errorf("chains of %v ns", chains)
	}
}

func TestNoThreadCountsBeforeAllAreAtWork(t *testing.T) {
	var quickOps atomic.Int64
	started := make(chan int64, 1)
	c := scriptedCrew(t, 1,
		func() error { quickOps.Add(1); return nil },
		func() error { // the first op waits until the neighbour has done many
			for quickOps.Load() < 1000 {
				runtime.Gosched()
			}
			select {
			case started <- quickOps.Load():
			default:
			}
			return nil
		})
	answer, err := c.measure(&protocol.MeasureRequest{Warmup: 0, Sample: 1000})
	if err != nil {
		t.Fatal(err)
	}
	warm := <-started
	if counted := answer.Threads[0].Ops; counted > quickOps.Load()-warm {
		t.Errorf("thread 0 counted %d ops, and did %d after thread 1's first", counted, quickOps.Load()-warm)
	}
}

func TestAThreadKeepsWorkingUntilAllHaveFinished(t *testing.T) {
	var w *sample
	var quickOps atomic.Int64
	slowOps := 0
	c := scriptedCrew(t, 1,
		func() error { quickOps.Add(1); return nil },
		func() error {
			slowOps++
			if slowOps != 1+leastOps { // the last op that counts
				return nil
			}
			// Once the neighbour has left its sample it must continue, or this hangs.
			for w.left.Load() < 1 {
				runtime.Gosched()
			}
			for after := quickOps.Load() + 100; quickOps.Load() < after; {
				runtime.Gosched()
			}
			return nil
		})
	w = c.newSample(0, 1)
	if err := c.each(w.run); err != nil {
		t.Fatal(err)
	}
	if counted := w.threads[0].Ops; counted > quickOps.Load()-100 {
		t.Errorf("%d ops counted of %d, including those after the sample", counted, quickOps.Load())
	}
}

func TestAFailingOpIsReportedAndNotCounted(t *testing.T) {
	var failing atomic.Bool
	var done atomic.Int64
	prepareFails := register(t, "fails/test", planScript(func() error {
		if failing.Load() && done.Add(1) > 100 {
			return errors.New("the library is unwell")
		}
		return nil
	}))
	parsed, err := protocol.Parse([]byte(prepareFails.line()))
	if err != nil {
		t.Fatal(err)
	}
	work, _, err := prepare(parsed.(*protocol.PrepareRequest))
	if err != nil {
		t.Fatal(err)
	}
	defer work.End()
	failing.Store(true)
	_, ops, err := work.Measure(&protocol.MeasureRequest{Warmup: 0, Sample: time.Second})
	f := protocol.AsFault(err, "")
	if f.Kind != protocol.KindOperationFailed ||
		!strings.Contains(f.Message, "unwell") || !strings.Contains(f.Message, "fails/test") {
		t.Errorf("%v", err)
	}
	if ops != 0 {
		t.Errorf("%d ops were counted", ops)
	}
}

func TestAFailureInOneThreadEndsTheSampleOfAll(t *testing.T) {
	c := scriptedCrew(t, 1,
		func() error { return nil },
		func() error { return errors.New("no more") })
	// Takes ten minutes if the first thread does not notice.
	if _, err := c.measure(&protocol.MeasureRequest{Warmup: 0, Sample: 10 * time.Minute}); err == nil {
		t.Error("no error")
	}
}

func TestAPanicInAnOpIsAnInternalError(t *testing.T) {
	prepare := register(t, "panics/test", planScript(func() error { panic("at the disco") }))
	answers, status := converse(t, prepare.line())
	last := answers[0]
	if status != 1 || last.Kind != protocol.KindInternal || !strings.Contains(last.Message, "at the disco") {
		t.Errorf("status %d, %+v", status, last)
	}
}

func TestAPanicInAPlanIsAnInternalError(t *testing.T) {
	prepare := register(t, "panics/test", func(*job) (*plan, error) { panic("early") })
	mustRefuse(t, protocol.KindInternal, "early", prepare.line())
}

func TestABatchIsTheLeastPowerOfTwoThatIsLongEnough(t *testing.T) {
	// An op of no less than 10 µs, timed by the same clock.
	op := func() error {
		for start := cpu.NowNS(); cpu.NowNS()-start < 10_000; {
		}
		return nil
	}
	c := scriptedCrew(t, 1, op)
	for _, clockCost := range []int64{1, 100} {
		ops, err := c.findBatch(clockCost)
		if err != nil {
			t.Fatal(err)
		}
		needed := max(1, clockCost*clockShare/10_000)
		if ops&(ops-1) != 0 || ops < 1 || ops >= 2*needed && ops > 1 {
			t.Errorf("a batch of %d ops, where %d are long enough", ops, needed)
		}
	}
}

func TestEveryThreadOfTheProcessStaysOnTheGivenCPUs(t *testing.T) {
	cpus := someCPUs()[:1]
	converse(t, quick.request(t, 2).with("cpus", cpus).line())
	tasks, err := filepath.Glob("/proc/self/task/*")
	if err != nil || len(tasks) < 2 {
		t.Fatal(tasks, err)
	}
	const key = "Cpus_allowed:"
	var masks []string
	for _, task := range tasks {
		status, err := os.ReadFile(task + "/status")
		if err != nil {
			continue // it has ended
		}
		_, mask, _ := strings.Cut(string(status), key)
		mask, _, _ = strings.Cut(mask, "\n")
		masks = append(masks, strings.TrimSpace(mask))
	}
	for _, mask := range masks {
		if mask != masks[0] || strings.Trim(mask, "0,") != string("1248"[cpus[0]%4]) {
			t.Errorf("thread masks %q, not CPU %d alone", masks, cpus[0])
			break
		}
	}
}
