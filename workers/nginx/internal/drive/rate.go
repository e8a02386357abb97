package drive

import (
	"math/bits"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// A request that is due waits here until a connection is free. When it is full, the
// schedule is late in putting requests in, but they were due when they were due.
const queueLength = 1 << 16

// schedule has requests become due at a fixed rate, whether or not earlier ones
// were answered. (fortio's own runner measures a call from when it began: runOne in
// periodic/periodic.go of v1.75.3. One that had to wait for the one before it then
// looks quick, which is coordinated omission.)
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

// within is how many requests are due before a time after the start.
func (s *schedule) within(time time.Duration) int64 {
	const nsIn1000s = 1_000_000_000_000
	high, low := bits.Mul64(uint64(time), uint64(s.ratePer1000S))
	count, rest := bits.Div64(high, low, nsIn1000s)
	if rest > 0 {
		count++
	}
	return int64(count)
}

// run puts requests into the queue when they are due, on a thread of its own that
// sleeps in the kernel: Go's timers are late by up to a millisecond.
func (s *schedule) run() {
	runtime.LockOSThread() // and so the thread ends with the schedule
	defer close(s.queue)
	// Nothing is to be put together with other timers; an error leaves it 50 µs late.
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0)
	for number := int64(0); !s.stopped.Load(); number++ {
		due := s.due(number)
		sleepUntil(due)
		s.queue <- due
	}
}

// sleepUntil sleeps to the microsecond.
func sleepUntil(moment time.Time) {
	for {
		left := time.Until(moment)
		if left <= 0 {
			return
		}
		// A signal, with which the runtime interrupts its threads, ends it early.
		request := unix.NsecToTimespec(left.Nanoseconds())
		_ = unix.ClockNanosleep(unix.CLOCK_MONOTONIC, 0, &request, nil)
	}
}

// fixedRate loads at a rate. The window's requests are those that are due in it;
// each is waited for, while later ones go on being due.
func (c *client) fixedRate(load *Load, tell func(event string)) (*Result, error) {
	runtime.GOMAXPROCS(c.cpus + 1) // the schedule's thread has a place of its own
	settle, window := time.Duration(load.SettleNS), time.Duration(load.WindowNS)
	s := &schedule{ratePer1000S: load.RatePer1000S, start: time.Now(), queue: make(chan time.Time, queueLength)}
	from, to := s.due(s.within(settle)), s.start.Add(settle+window)
	dueOps := s.within(settle+window) - s.within(settle)

	times := &histogram{}
	stretch := c.newStretch()
	for _, connection := range c.connections {
		stretch.start(func() error {
			for due := range s.queue {
				if stretch.stopped.Load() {
					continue // what is left in the queue is nobody's
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
	sleepUntil(s.start.Add(settle))
	tell("started")
	start := c.mark()
	sleepUntil(to)
	end := c.mark()
	tell("ended")
	for times.all.Load() < dueOps && !stretch.stopped.Load() {
		time.Sleep(time.Millisecond)
	}
	s.stopped.Store(true)
	stretch.stopped.Store(true)
	stretch.atWork.Wait()
	result := start.to(end)
	result.DueOps, result.Latency = dueOps, times.sparse()
	return result, stretch.err()
}
