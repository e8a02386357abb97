package work

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sizeup/gokit/cpu"
	"sizeup/gokit/protocol"
)

// someCPUs is two CPUs, or one if there are no more. A test may restrict the process to fewer.
var someCPUs = sync.OnceValue(func() []int {
	cpus, err := cpu.Allowed()
	if err != nil {
		panic(err)
	}
	return cpus[:min(2, len(cpus))]
})

// scripted is an instance whose op is a function of the test.
type scripted struct{ op func() error }

func (s scripted) Op() error               { return s.op() }
func (s scripted) Output() ([]byte, error) { return []byte("ok"), nil }
func (s scripted) Check(out []byte) error {
	if string(out) != "ok" {
		return errors.New("the output is not ok")
	}
	return nil
}

// scriptedCrew is a crew whose thread i does ops[i], one an op, in batches.
func scriptedCrew(t *testing.T, batchOps int64, ops ...func() error) *crew {
	t.Helper()
	runtime.GOMAXPROCS(len(ops))
	c, err := assemble("test", len(ops), someCPUs())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.End)
	c.operation, c.plan, c.batchOps, c.injectBit = "scripted", &Plan{}, batchOps, -1
	for i, op := range ops {
		c.threads[i].instance = scripted{op}
	}
	return c
}

// scriptedWorker is a worker with one operation, which is planned so.
func scriptedWorker(name string, plan func(*Job) (*Plan, error)) *Worker {
	return &Worker{
		Name: "test", Operations: []Operation{Declare(name, plan, nil)},
		Libraries: func() map[string]string { return map[string]string{"test": "1"} },
	}
}

// request is a request for an operation without parameters, on two threads.
func request(name string) *protocol.PrepareRequest {
	return &protocol.PrepareRequest{
		Operation: name, Parameters: []byte("{}"), Threads: 2, CPUs: someCPUs(), Seed: 42,
	}
}

// planScript plans work whose op is a function of the test.
func planScript(op func() error) func(*Job) (*Plan, error) {
	return func(*Job) (*Plan, error) {
		return &Plan{Libraries: []string{"test"}, Instantiate: func() (Instance, error) {
			return scripted{op}, nil
		}}, nil
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
	worker := scriptedWorker("fails/test", planScript(func() error {
		if failing.Load() && done.Add(1) > 100 {
			return errors.New("the library is unwell")
		}
		return nil
	}))
	work, _, err := worker.prepare(request("fails/test"))
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

// answerOf is what a worker answers to a prepare.
func answerOf(t *testing.T, worker *Worker) (answer protocol.ErrorAnswer, status int) {
	t.Helper()
	line := fmt.Sprintf(`{"request":"prepare","protocol":1,"operation":%q,"parameters":{},"threads":1,"cpus":[%d],"seed":1,"inputs":{}}`,
		worker.Operations[0].Name, someCPUs()[0])
	var out bytes.Buffer
	status = worker.Main(nil, strings.NewReader(line+"\n"), &out, io.Discard)
	if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
		t.Fatal(err)
	}
	return answer, status
}

func TestAPanicInAnOpIsAnInternalError(t *testing.T) {
	worker := scriptedWorker("panics/test", planScript(func() error { panic("at the disco") }))
	answer, status := answerOf(t, worker)
	if status != 1 || answer.Kind != protocol.KindInternal || !strings.Contains(answer.Message, "at the disco") {
		t.Errorf("status %d, %+v", status, answer)
	}
}

func TestAPanicInAPlanIsAnInternalError(t *testing.T) {
	worker := scriptedWorker("panics/test", func(*Job) (*Plan, error) { panic("early") })
	answer, status := answerOf(t, worker)
	if status != 1 || answer.Kind != protocol.KindInternal || !strings.Contains(answer.Message, "early") {
		t.Errorf("status %d, %+v", status, answer)
	}
}

func TestAWorkerListsItsOperationsAndAnyOtherCallIsAUsageError(t *testing.T) {
	worker := scriptedWorker("idles/test", planScript(func() error { return nil }))
	var out, diagnostics bytes.Buffer
	if status := worker.Main([]string{"--list"}, nil, &out, io.Discard); status != 0 {
		t.Fatalf("status %d: %s", status, out.String())
	}
	var manifest protocol.ListAnswer
	if err := json.Unmarshal(out.Bytes(), &manifest); err != nil {
		t.Fatal(err)
	}
	if manifest.Worker != "test" || manifest.Operations[0].Name != "idles/test" ||
		manifest.Build.Libraries["test"] != "1" || manifest.Build.Paths == nil {
		t.Errorf("manifest %+v", manifest)
	}
	out.Reset()
	status := worker.Main([]string{"--help"}, nil, &out, &diagnostics)
	if status != 2 || out.Len() > 0 || !strings.Contains(diagnostics.String(), "usage") {
		t.Errorf("status %d, stdout %q, stderr %q", status, out.String(), diagnostics.String())
	}
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
