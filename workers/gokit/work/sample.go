package work

import (
	"sync/atomic"

	"sizeup/gokit/cpu"
	"sizeup/gokit/protocol"
)

// leastOps is the minimum number of ops in a sample.
const leastOps = 3

// sample is one timed stretch, shared by the threads that run it. Times are ns of cpu.NowNS.
type sample struct {
	warmup        int64 // uncounted work before
	length        int64 // counted work, at least
	batchOps      int64
	startsThreads bool // of the plan

	arrived atomic.Int64  // threads at the barrier
	open    chan struct{} // closed when all have arrived
	warm    atomic.Int64  // threads that have performed a batch
	left    atomic.Int64  // threads whose counted stretch is over
	broken  atomic.Bool   // a thread gave up: the others stop as well

	threads          []ThreadSample
	starts, ends     []int64 // of each thread's counted stretch
	processCPU       int64   // of the whole process, over thread 0's stretch
	processElapsedNS int64
}

// newSample makes a sample for the crew; warmup and length are ns.
func (c *crew) newSample(warmup, length int64) *sample {
	return &sample{
		warmup:        warmup,
		length:        length,
		batchOps:      c.batchOps,
		startsThreads: c.plan.StartsThreads,
		open:          make(chan struct{}),
		threads:       make([]ThreadSample, len(c.threads)),
		starts:        make([]int64, len(c.threads)),
		ends:          make([]int64, len(c.threads)),
	}
}

// Measure takes a sample and returns the number of ops of all threads in it.
func (c *crew) Measure(request *protocol.MeasureRequest) (answer any, ops int64, err error) {
	sample, err := c.measure(request)
	if err != nil {
		return nil, 0, err
	}
	for _, t := range sample.Threads {
		ops += t.Ops
	}
	return sample, ops, nil
}

// measure runs one sample on the crew.
func (c *crew) measure(request *protocol.MeasureRequest) (*SampleAnswer, error) {
	w := c.newSample(int64(request.Warmup), int64(request.Sample))
	if err := c.each(w.run); err != nil {
		return nil, protocol.AsFault(err, protocol.KindInternal).In(c.operation)
	}
	start, end := w.starts[0], w.ends[0]
	for i := range c.threads {
		start, end = min(start, w.starts[i]), max(end, w.ends[i])
	}
	return &SampleAnswer{
		Answer:           "sample",
		StartNS:          monotonic(start),
		EndNS:            monotonic(end),
		ProcessCPUNS:     w.processCPU,
		ProcessElapsedNS: w.processElapsedNS,
		Threads:          w.threads,
	}, nil
}

// run is one thread's part in the sample.
func (w *sample) run(t *thread) error {
	completed := false
	defer func() { // also when an op panics
		if !completed {
			w.broken.Store(true)
		}
	}()
	result := ThreadSample{CPU: t.cpu}
	result.MemoryBefore = t.memory.Before()
	result.PulseBefore = cpu.TakePulse()
	w.meet()
	if err := w.work(t, &result); err != nil {
		return err
	}
	result.PulseAfter = cpu.TakePulse()
	result.MemoryAfter = t.memory.After()
	w.threads[t.index] = result
	completed = true
	return nil
}

// work is a sample between its pulses. If ops may leave the locked thread, the thread waits for
// them; the sample then reports the waiting thread's counters, because those of the threads that
// happened to run a goroutine mean nothing.
func (w *sample) work(t *thread, result *ThreadSample) error {
	if !w.startsThreads {
		return w.stretch(t, result)
	}
	before := usageBefore()
	done := make(chan error, 1)
	go func() {
		done <- t.attempt(func(t *thread) error { return w.stretch(t, result) })
	}()
	err := <-done
	result.used(before, usageAfter())
	return err
}

// stretch is all the work of a sample: uncounted, counted, and uncounted again.
func (w *sample) stretch(t *thread, result *ThreadSample) error {
	if err := w.warmUp(t); err != nil {
		return err
	}
	if err := w.count(t, result); err != nil {
		return err
	}
	return w.accompany(t)
}

// meet is the barrier: the thread sleeps until all have arrived.
func (w *sample) meet() {
	if w.arrived.Add(1) == w.all() {
		close(w.open)
	}
	<-w.open
}

// warmUp works uncounted until the warm-up time is over and every thread is at work.
func (w *sample) warmUp(t *thread) error {
	start := cpu.NowNS()
	for first := true; ; first = false {
		if err := t.perform(w.batchOps); err != nil {
			return err
		}
		if first {
			// Brings the kernel's accounting of this thread up to date, which may be old on a CPU
			// without a tick: the sum over all threads is read soon.
			threadCPU()
			w.warm.Add(1)
		}
		if cpu.NowNS()-start >= w.warmup && w.warm.Load() == w.all() || w.broken.Load() {
			return nil
		}
	}
}

// count is the timed stretch. The kernel's counters are read outside the first and the last clock
// reading.
func (w *sample) count(t *thread, result *ThreadSample) error {
	forProcess := t.index == 0
	var processStart, processBefore int64

	if forProcess {
		processStart, processBefore = cpu.NowNS(), cpu.ProcessNS()
	}
	chains := cpu.ChainsOf(w.length)
	countsBefore := t.counters.Read()
	before := usageBefore()
	start := cpu.NowNS()

	var ops int64
	end := start
	for isOver := false; !isOver; {
		if err := t.perform(w.batchOps); err != nil {
			return err
		}
		ops += w.batchOps
		end = cpu.NowNS()
		isOver = end-start >= w.length && ops >= leastOps || w.broken.Load()
		if isOver || chains.Due(end-start) {
			chains.Run(end - start)
		}
	}

	after := usageAfter()
	result.Counters = cpu.CountedBetween(countsBefore, t.counters.Read())
	if forProcess {
		w.processCPU = cpu.ProcessNS() - processBefore
		w.processElapsedNS = cpu.NowNS() - processStart
	}

	w.starts[t.index], w.ends[t.index] = start, end
	result.Ops = ops
	result.ElapsedNS = end - start
	result.ChainsNS = chains.TookNS()
	result.used(before, after)
	if !w.startsThreads {
		inKernel := after.systemNS - before.systemNS
		result.SystemNS = &inKernel
	}
	return nil
}

// accompany continues to work, uncounted, until every thread has left its stretch: no counted op
// ever has an idle neighbour.
func (w *sample) accompany(t *thread) error {
	w.left.Add(1)
	for w.left.Load() < w.all() && !w.broken.Load() {
		if err := t.perform(w.batchOps); err != nil {
			return err
		}
	}
	return nil
}

// all is the number of threads.
func (w *sample) all() int64 { return int64(len(w.threads)) }
