package main

import (
	"runtime"
	"slices"
	"sync"
	"time"

	"sizeup/gokit/cpu"
	"sizeup/gokit/protocol"
	"sizeup/worker-nginx/internal/drive"
)

// A window has at least so many ops for each of the server's threads.
const leastOps = 3

// Windows may be longer than asked for. A page takes about a millisecond, so that
// one of 50 ms would hold few; and tails need more requests than means.
const (
	leastWindow = 250 * time.Millisecond
	leastSettle = 50 * time.Millisecond
	tailWindow  = time.Second
	tailSettle  = 200 * time.Millisecond
)

// Measure answers a request for a window, and says how many ops were done in it.
func (s *site) Measure(request *protocol.MeasureRequest) (answer any, ops int64, err error) {
	window, err := s.measure(request)
	if err != nil {
		return nil, 0, protocol.AsFault(err, protocol.KindOperationFailed).In(https.Name)
	}
	for _, t := range window.Threads {
		ops += t.Ops
	}
	return window, ops, nil
}

// measure takes one window: pulses on all CPUs, load, pulses again.
func (s *site) measure(request *protocol.MeasureRequest) (*windowAnswer, error) {
	before, err := s.pulses()
	if err != nil {
		return nil, err
	}
	load := drive.Load{
		SettleNS: max(request.Settle, leastSettle).Nanoseconds(),
		WindowNS: max(request.Window, leastWindow).Nanoseconds(),
		LeastOps: leastOps * int64(len(s.counting())),
	}
	if rate := s.ratePer1000S(); rate > 0 {
		load = atRate(rate, request.Settle, request.Window, load.LeastOps)
	}
	taken, err := s.take(load)
	if err != nil {
		return nil, err
	}
	after, err := s.pulses()
	if err != nil {
		return nil, err
	}
	answer := taken.answer(s)
	for i, number := range s.cpus {
		answer.Threads[i].PulseBefore, answer.Threads[i].PulseAfter = before[number], after[number]
	}
	if load.RatePer1000S > 0 {
		answer.DueOps, answer.Latency = &taken.result.DueOps, taken.result.Latency
	}
	if s.staircase != nil {
		s.staircase.climb(taken.result)
	}
	return answer, nil
}

// atRate is a load at a rate, with a window that has enough requests.
func atRate(ratePer1000S int64, settle, window time.Duration, leastOps int64) drive.Load {
	const nsIn1000s = 1_000_000_000_000
	// Twice as long: at least half of them are answered in it, or something is wrong.
	enough := 2 * leastOps * (nsIn1000s / ratePer1000S)
	return drive.Load{
		SettleNS:     max(settle, tailSettle).Nanoseconds(),
		WindowNS:     max(window.Nanoseconds(), tailWindow.Nanoseconds(), enough),
		LeastOps:     leastOps,
		RatePer1000S: ratePer1000S,
	}
}

// ratePer1000S is how many requests are due in 1,000 s; 0 for as many as can be.
func (s *site) ratePer1000S() int64 {
	if s.staircase != nil {
		return s.staircase.ratePer1000S
	}
	return 1000 * s.parameters.ratePerCPU * int64(len(s.serverCPUs))
}

// counting is the indices of the threads whose CPU is the server's.
func (s *site) counting() []int {
	var found []int
	for i, number := range s.cpus {
		if slices.Contains(s.serverCPUs, number) {
			found = append(found, i)
		}
	}
	return found
}

// taken is a window's load, seen from both sides.
type taken struct {
	result     *drive.Result
	start, end moment
}

// moment is the CPU time of the server and of this process, and when that was: before
// it was read at the start of a window, and after it at the end. So nobody can have had more
// of it than there was, wherever this thread is stopped.
type moment struct{ ns, server, own int64 }

func (s *site) take(load drive.Load) (*taken, error) {
	var t taken
	var failure error
	look := func(into *moment) {
		var err error
		into.own = cpu.ProcessNS()
		if into.server, err = s.server.CPUNS(); err != nil {
			failure = err
		}
	}
	var err error
	t.result, err = s.client.Load(load, func() {
		t.start.ns = cpu.MonotonicNS()
		look(&t.start)
	}, func() {
		look(&t.end)
		t.end.ns = cpu.MonotonicNS()
	})
	if checked := s.server.Check(); checked != nil {
		return nil, protocol.AsFault(checked, protocol.KindOperationFailed)
	}
	if err == nil {
		err = failure
	}
	if err == nil && t.result.Ops < load.LeastOps {
		err = protocol.Faultf(protocol.KindOperationFailed, "%d requests were answered in %v, and %d are the least",
			t.result.Ops, time.Duration(t.result.ElapsedNS), load.LeastOps)
	}
	return &t, err
}

// answer is the window without its pulses. It ended when the client said so, and
// lasted as long as the client says: its clock need not be ours.
func (t *taken) answer(s *site) *windowAnswer {
	elapsed := t.result.ElapsedNS
	counting := s.counting()
	answer := &windowAnswer{
		Answer:           "window",
		StartNS:          t.end.ns - elapsed,
		EndNS:            t.end.ns,
		ProcessCPUNS:     t.end.own - t.start.own,
		ProcessElapsedNS: max(elapsed, t.end.ns-t.start.ns),
		Threads:          make([]threadWindow, len(s.cpus)),
		Parts: []partWindow{
			{CPUCount: len(s.serverCPUs), CPUNS: t.end.server - t.start.server, ElapsedNS: t.end.ns - t.start.ns},
			{CPUCount: len(s.clientCPUs), CPUNS: t.result.CPUNS, ElapsedNS: elapsed},
		},
	}
	if s.clientCPUs == nil {
		answer.Parts[1].CPUCount = s.client.Driver.CPUCount
	}
	for i, number := range s.cpus {
		answer.Threads[i] = threadWindow{CPU: number, ElapsedNS: elapsed}
	}
	// Which CPU answered which request is not known: equal shares.
	for place, i := range counting {
		n := int64(len(counting))
		answer.Threads[i].Ops = (t.result.Ops + n - 1 - int64(place)) / n
	}
	return answer
}

// pulses takes the pulse of every CPU at once, while there is no load.
func (s *site) pulses() (map[int]protocol.Pulse, error) {
	distinct := slices.Compact(slices.Sorted(slices.Values(s.cpus)))
	runtime.GOMAXPROCS(len(distinct)) // the client sets its own
	taken := make([]protocol.Pulse, len(distinct))
	failed := make([]error, len(distinct))
	var atWork, pinned sync.WaitGroup
	pinned.Add(len(distinct))
	for i, number := range distinct {
		atWork.Go(func() {
			runtime.LockOSThread() // and so the thread, which is pinned, ends with the goroutine
			failed[i] = cpu.PinThread(number)
			pinned.Done()
			pinned.Wait()
			taken[i] = cpu.TakePulse()
		})
	}
	atWork.Wait()
	found := map[int]protocol.Pulse{}
	for i, number := range distinct {
		if failed[i] != nil {
			return nil, protocol.AsFault(failed[i], protocol.KindResources)
		}
		found[number] = taken[i]
	}
	return found, nil
}
