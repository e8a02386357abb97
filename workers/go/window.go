package main

import (
	"sync/atomic"

	"sizeup/gokit/cpu"
	"sizeup/gokit/protocol"
)

// leastOps is how many ops a window counts at least.
const leastOps = 3

// window is one timed stretch, shared by the threads that run it. Times are ns
// of cpu.NowNS.
type window struct {
	settle        int64 // how long to work uncounted before
	length        int64 // how long to work counted, at least
	batchOps      int64
	startsThreads bool // of the plan

	arrived atomic.Int64  // threads at the barrier
	open    chan struct{} // closed when all are there
	settled atomic.Int64  // threads that have performed a batch
	left    atomic.Int64  // threads whose counted stretch is over
	broken  atomic.Bool   // a thread gave up: the others stop as well

	threads          []threadWindow
	starts, ends     []int64 // of each thread's counted stretch
	processCPU       int64   // of the whole process, over thread 0's stretch
	processElapsedNS int64
}

// newWindow makes a window for the crew; settle and length are ns.
func (c *crew) newWindow(settle, length int64) *window {
	return &window{
		settle:        settle,
		length:        length,
		batchOps:      c.batchOps,
		startsThreads: c.plan.startsThreads,
		open:          make(chan struct{}),
		threads:       make([]threadWindow, len(c.threads)),
		starts:        make([]int64, len(c.threads)),
		ends:          make([]int64, len(c.threads)),
	}
}

// Measure answers a request for a window, and says how many ops all threads did in
// it.
func (c *crew) Measure(request *protocol.MeasureRequest) (answer any, ops int64, err error) {
	window, err := c.measure(request)
	if err != nil {
		return nil, 0, err
	}
	for _, t := range window.Threads {
		ops += t.Ops
	}
	return window, ops, nil
}

// measure runs one window on the crew.
func (c *crew) measure(request *protocol.MeasureRequest) (*windowAnswer, error) {
	w := c.newWindow(int64(request.Settle), int64(request.Window))
	if err := c.each(w.run); err != nil {
		return nil, protocol.AsFault(err, protocol.KindInternal).In(c.operation)
	}
	start, end := w.starts[0], w.ends[0]
	for i := range c.threads {
		start, end = min(start, w.starts[i]), max(end, w.ends[i])
	}
	return &windowAnswer{
		Answer:           "window",
		StartNS:          monotonic(start),
		EndNS:            monotonic(end),
		ProcessCPUNS:     w.processCPU,
		ProcessElapsedNS: w.processElapsedNS,
		Threads:          w.threads,
	}, nil
}

// run is one thread's way through the window.
func (w *window) run(t *thread) error {
	completed := false
	defer func() { // also when an op panics
		if !completed {
			w.broken.Store(true)
		}
	}()
	result := threadWindow{CPU: t.cpu}
	result.PulseBefore = cpu.TakePulse()
	w.meet()
	if err := w.work(t, &result); err != nil {
		return err
	}
	result.PulseAfter = cpu.TakePulse()
	w.threads[t.index] = result
	completed = true
	return nil
}

// work is a window between its pulses. Ops that may not stay on the locked thread
// it waits for; then its own counters are what the window tells of the thread, for
// those of whichever threads had a goroutine say nothing.
func (w *window) work(t *thread, result *threadWindow) error {
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

// stretch is all the work of a window: uncounted, counted, and uncounted again.
func (w *window) stretch(t *thread, result *threadWindow) error {
	if err := w.settleDown(t); err != nil {
		return err
	}
	if err := w.count(t, result); err != nil {
		return err
	}
	return w.accompany(t)
}

// meet is the barrier: the thread sleeps until all have come.
func (w *window) meet() {
	if w.arrived.Add(1) == w.all() {
		close(w.open)
	}
	<-w.open
}

// settleDown works uncounted until the settle time is over and every thread is
// at work.
func (w *window) settleDown(t *thread) error {
	start := cpu.NowNS()
	for first := true; ; first = false {
		if err := t.perform(w.batchOps); err != nil {
			return err
		}
		if first {
			// Brings the kernel's account of this thread up to date, which it may have last done
			// long ago where a CPU has no tick: the sum of all is read soon.
			threadCPU()
			w.settled.Add(1)
		}
		if cpu.NowNS()-start >= w.settle && w.settled.Load() == w.all() || w.broken.Load() {
			return nil
		}
	}
}

// count is the timed stretch. What reads the kernel's counters lies outside the
// first and the last look at the clock.
func (w *window) count(t *thread, result *threadWindow) error {
	forProcess := t.index == 0
	var processStart, processBefore int64

	if forProcess {
		processStart, processBefore = cpu.NowNS(), cpu.ProcessNS()
	}
	chains := cpu.ChainsOf(w.length)
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
	if forProcess {
		w.processCPU = cpu.ProcessNS() - processBefore
		w.processElapsedNS = cpu.NowNS() - processStart
	}

	w.starts[t.index], w.ends[t.index] = start, end
	result.Ops = ops
	result.ElapsedNS = end - start
	result.ChainsNS = chains.TookNS()
	result.used(before, after)
	return nil
}

// accompany works on, uncounted, until every thread has left its stretch: no
// counted op ever has an idle neighbour.
func (w *window) accompany(t *thread) error {
	w.left.Add(1)
	for w.left.Load() < w.all() && !w.broken.Load() {
		if err := t.perform(w.batchOps); err != nil {
			return err
		}
	}
	return nil
}

// all is the number of threads.
func (w *window) all() int64 { return int64(len(w.threads)) }
