package work

import (
	"runtime"
	"slices"

	"sizeup/gokit/cpu"
	"sizeup/gokit/launch"
	"sizeup/gokit/process"
	"sizeup/gokit/protocol"
)

// prepare does everything before the first sample: it restricts the process to its CPUs, decodes
// the request, proves the libraries, sets every thread up, verifies it and finds the batch size.
func (w *Worker) prepare(request *protocol.PrepareRequest) (launch.Work, any, error) {
	op, err := w.Find(request.Operation)
	if err != nil {
		return nil, nil, err
	}
	parameters, err := op.Parameters.Read(request.Parameters)
	if err != nil {
		return nil, nil, err
	}
	crew, ready, err := w.prepareOperation(op, request, parameters)
	if err != nil {
		f := protocol.AsFault(err, protocol.KindInternal)
		if f.Kind != protocol.KindBadRequest { // whose message already begins with the cause
			f = f.In(op.Name)
		}
		return nil, nil, f
	}
	return crew, ready, nil
}

func (w *Worker) prepareOperation(
	op Operation, request *protocol.PrepareRequest, parameters protocol.Parameters) (
	*crew, *protocol.ReadyAnswer, error) {
	// A thread that runs Go code holds one of GOMAXPROCS slots, and all threads of a sample run at
	// once: one slot each. No more, so that the collector, which runs in these slots, takes its
	// time from the threads, as in a service that has only these CPUs.
	if err := cpu.RestrictProcess(request.CPUs); err != nil {
		return nil, nil, protocol.AsFault(err, protocol.KindResources)
	}
	runtime.GOMAXPROCS(request.Threads)

	in := protocol.NewInputs(request.Inputs)
	plan, err := op.Plan(&Job{parameters, in})
	if err != nil {
		return nil, nil, err
	}
	if err := in.RefuseSpare(); err != nil {
		return nil, nil, err
	}
	if err := w.selfTest(); err != nil {
		return nil, nil, err
	}

	crew, err := assemble(w.program(), request.Threads, request.CPUs)
	if err != nil {
		return nil, nil, protocol.AsFault(err, protocol.KindResources)
	}
	crew.operation, crew.plan, crew.injectBit = op.Name, plan, -1
	if request.Inject {
		crew.injectBit = request.Seed
	}
	clockCost, err := crew.setUp()
	if err != nil {
		crew.End() // and releases its threads' memory
		return nil, nil, err
	}

	build := w.Build(w.librariesNamed(plan.Libraries))
	runtime.GC() // garbage from the setup and of the build must not be collected in the first sample
	resident, err := process.ResidentBytes("self")
	if err != nil {
		return nil, nil, err
	}
	ready := &protocol.ReadyAnswer{
		Answer:        "ready",
		Protocol:      protocol.Number,
		Worker:        w.Name,
		Build:         build,
		BatchOps:      crew.batchOps,
		ClockCostNS:   clockCost,
		ResidentBytes: resident,
		Verified:      plan.Verified,
		Pulse:         cpu.PulseKernels,
		Chain:         cpu.MeasureChainKernel(),
	}
	if !plan.StartsThreads {
		counters := cpu.FindCounters(request.Threads)
		ready.Counters = counters.Answer()
		err := crew.each(func(t *thread) error {
			t.counters = counters.Open()
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
	}
	if plan.BytesPerOp > 0 {
		ready.BytesPerOp = &plan.BytesPerOp
	}
	if crew.output != nil {
		ready.SetOutput(*crew.output)
	}
	return crew, ready, nil
}

// setUp gives every thread its state, verifies two ops of it and finds the batch size; it returns
// the cost of a clock reading, in ns.
func (c *crew) setUp() (clockCost int64, err error) {
	costs := make([]int64, len(c.threads))
	outputs := make([]protocol.Output, len(c.threads))
	err = c.each(func(t *thread) (err error) {
		costs[t.index] = cpu.ClockCostNS()
		if t.instance, err = c.plan.Instantiate(); err != nil {
			return err
		}
		outputs[t.index], err = VerifyTwice(t.instance, c.injectBit)
		return err
	})
	if err != nil {
		return 0, err
	}
	if outputs = slices.Compact(outputs); len(outputs) == 1 && outputs[0] != (protocol.Output{}) {
		c.output = &outputs[0]
	}
	for _, cost := range costs {
		clockCost = max(clockCost, cost)
	}
	c.batchOps, err = c.findBatch(clockCost)
	return clockCost, err
}
