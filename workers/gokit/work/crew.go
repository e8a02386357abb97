package work

import (
	"fmt"
	"runtime"

	"sizeup/gokit/cpu"
	"sizeup/gokit/launch"
	"sizeup/gokit/protocol"
)

// crew is the threads of a launch. Between tasks they sleep: each waits on its channel and uses no
// CPU.
type crew struct {
	program   string // the worker, on stderr
	operation string
	plan      *Plan
	threads   []*thread
	batchOps  int64            // ops between two clock readings
	output    *protocol.Output // the output of every op; nil if outputs differ
	injectBit int64            // the bit of an output to flip before a check; negative for none
}

// thread is one goroutine locked to one operating-system thread. While a task runs, the thread's
// fields belong to the task.
type thread struct {
	program  string // the worker, on stderr
	index    int
	cpu      int // the CPU that it is pinned to
	instance Instance
	memory   *cpu.Memory   // nil without room for it
	counters *cpu.Counters // nil where others than this thread do the work
	tasks    chan func(*thread) error
	results  chan error
}

// assemble starts a thread for each index and pins it; thread i works on cpus[i % len].
func assemble(program string, threads int, cpus []int) (*crew, error) {
	c := &crew{program: program, threads: make([]*thread, threads)}
	for i := range c.threads {
		t := &thread{
			program: program,
			index:   i,
			cpu:     cpus[i%len(cpus)],
			tasks:   make(chan func(*thread) error, 1),
			results: make(chan error, 1),
		}
		c.threads[i] = t
		go t.work()
	}
	return c, c.each(func(t *thread) error {
		if err := cpu.PinThread(t.cpu); err != nil {
			return err
		}
		t.memory = cpu.NewMemory()
		return nil
	})
}

// End ends the threads.
func (c *crew) End() {
	for _, t := range c.threads {
		close(t.tasks)
	}
}

// each makes every thread carry out a task at the same time, sleeps until all are done, and returns
// the error of the first thread that has one.
func (c *crew) each(task func(*thread) error) error {
	for _, t := range c.threads {
		t.tasks <- task
	}
	var first error
	for _, t := range c.threads {
		if err := <-t.results; err != nil && first == nil {
			first = protocol.AsFault(err, protocol.KindInternal).In(fmt.Sprintf("thread %d (CPU %d)", t.index, t.cpu))
		}
	}
	return first
}

// Verify makes every thread perform one op and check it.
func (c *crew) Verify() (verified string, err error) {
	err = c.each(func(t *thread) error {
		_, err := Verify(t.instance, c.injectBit)
		return err
	})
	if err != nil {
		return "", protocol.AsFault(err, protocol.KindInternal).In(c.operation)
	}
	return c.plan.Verified, nil
}

// work is a thread's main loop. It stays locked to the end, so that the pinned thread ends with it
// and never runs another goroutine.
func (t *thread) work() {
	runtime.LockOSThread()
	for task := range t.tasks {
		t.results <- t.attempt(task)
	}
}

// attempt carries out a task; a panic in it is a bug in the worker.
func (t *thread) attempt(task func(*thread) error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = launch.PanicFault(t.program, r)
		}
	}()
	return task(t)
}
