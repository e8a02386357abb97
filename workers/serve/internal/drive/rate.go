package drive

import (
	"math/bits"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// A due request waits here until a connection is free. If the queue is full, the schedule is late
// to add requests, but their due times stay the same.
const queueLength = 1 << 16

// schedule makes requests due at a fixed rate, whether or not earlier ones have been answered.
// (fortio's own runner measures a call from its start: runOne in periodic/periodic.go of v1.75.3. A
// call that waited for the previous one then looks quick, which is coordinated omission.)
type schedule struct {
	ratePer1000S int64
	start        time.Time
	queue        chan time.Time // when each was due
	stopped      atomic.Bool
}

// due is when a request is due.
func (s *schedule) due(number int64) time.Time {
	const nsIn1000s = 1_000_000_000_000
	high, low := bits.Mul64(uint64(number), nsIn1000s)
	ns, _ := bits.Div64(high, low, uint64(s.ratePer1000S))
	return s.start.Add(time.Duration(ns))
}

// within is the number of requests due before a time after the start.
func (s *schedule) within(time time.Duration) int64 {
	const nsIn1000s = 1_000_000_000_000
	high, low := bits.Mul64(uint64(time), uint64(s.ratePer1000S))
	count, rest := bits.Div64(high, low, nsIn1000s)
	if rest > 0 {
		count++
	}
	return int64(count)
}

// run puts requests into the queue when they are due, on a thread of its own that sleeps in the
// kernel: Go's timers are late by up to a millisecond.
func (s *schedule) run() {
	runtime.LockOSThread() // so that the thread ends with the schedule
	defer close(s.queue)
	// No timer coalescing; an error here leaves it 50 µs late.
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0)
	for number := int64(0); !s.stopped.Load(); number++ {
		due := s.due(number)
		sleepUntil(due)
		s.queue <- due
	}
}

// sampleOf counts what is answered in a sample: all of its time, even if its start came late, as it does on a busy
// machine.
func (s *schedule) sampleOf(load *Load, now func() mark, report func(event string)) *Result {
	sleepUntil(s.start.Add(time.Duration(load.WarmupNS)))
	report("started")
	start := now()
	sleepUntil(start.at.Add(time.Duration(load.SampleNS)))
	end := now()
	report("ended")
	return start.to(end)
}

// sleepUntil sleeps until a time, to the microsecond.
func sleepUntil(moment time.Time) {
	for {
		left := time.Until(moment)
		if left <= 0 {
			return
		}
		// A signal, which the runtime uses to preempt its threads, ends the sleep early.
		request := unix.NsecToTimespec(left.Nanoseconds())
		_ = unix.ClockNanosleep(unix.CLOCK_MONOTONIC, 0, &request, nil)
	}
}

// fixedRate loads at a rate. The sample's requests are those that are due in it; each is awaited,
// while later ones continue to become due.
func (c *httpClient) fixedRate(load *Load, report func(event string)) (*Result, error) {
	runtime.GOMAXPROCS(c.cpus + 1) // one more for the schedule's thread
	warmup, sample := time.Duration(load.WarmupNS), time.Duration(load.SampleNS)
	s := &schedule{ratePer1000S: load.RatePer1000S, start: time.Now(), queue: make(chan time.Time, queueLength)}
	from, to := s.due(s.within(warmup)), s.start.Add(warmup+sample)
	dueOps := s.within(warmup+sample) - s.within(warmup)

	times := &histogram{}
	stretch := c.newStretch()
	for _, connection := range c.connections {
		stretch.start(func() error {
			for due := range s.queue {
				if stretch.stopped.Load() {
					continue // the rest of the queue is discarded
				}
				if err := connection.op(); err != nil {
					return err
				}
				if !due.Before(from) && due.Before(to) {
					times.add(time.Since(due).Nanoseconds())
				}
			}
			return nil
		})
	}
	go s.run()
	result := s.sampleOf(load, c.mark, report)
	for times.all.Load() < dueOps && !stretch.stopped.Load() {
		time.Sleep(time.Millisecond)
	}
	s.stopped.Store(true)
	stretch.stopped.Store(true)
	stretch.atWork.Wait()
	result.DueOps, result.Latency = dueOps, times.sparse()
	return result, stretch.err()
}
