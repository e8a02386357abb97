package main

import (
	"runtime"
	"slices"
	"sync"
	"time"

	"sizeup/gokit/cpu"
	"sizeup/gokit/protocol"
	"sizeup/worker-serve/internal/drive"
)

// The minimum number of ops in a sample for each of the server's threads.
const leastOps = 3

// Samples may be longer than requested. A page takes about a millisecond, so a sample of 50 ms
// would have few requests; and tails need more requests than means.
const (
	leastSample = 250 * time.Millisecond
	leastWarmup = 50 * time.Millisecond
	tailSample  = time.Second
	tailWarmup  = 200 * time.Millisecond
)

// Measure takes a sample and returns the number of ops in it.
func (s *site) Measure(request *protocol.MeasureRequest) (answer any, ops int64, err error) {
	sample, err := s.measure(request)
	if err != nil {
		return nil, 0, blameMemory(protocol.AsFault(asFault(err), protocol.KindOperationFailed)).In(s.operation)
	}
	for _, t := range sample.Threads {
		ops += t.Ops
	}
	return sample, ops, nil
}

// measure takes one sample: pulses on all CPUs, load, pulses again.
func (s *site) measure(request *protocol.MeasureRequest) (*sampleAnswer, error) {
	before, err := s.pulses()
	if err != nil {
		return nil, err
	}
	load := drive.Load{
		WarmupNS: max(request.Warmup, leastWarmup).Nanoseconds(),
		SampleNS: max(request.Sample, leastSample).Nanoseconds(),
		LeastOps: leastOps * int64(len(s.counting())),
	}
	if rate := s.ratePer1000S(); rate > 0 {
		load = atRate(rate, request.Warmup, request.Sample, load.LeastOps)
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

// atRate is a load at a rate, with a sample long enough for the minimum number of requests.
func atRate(ratePer1000S int64, warmup, sample time.Duration, leastOps int64) drive.Load {
	const nsIn1000s = 1_000_000_000_000
	// Twice as long: if fewer than half of the requests are answered in it, something is wrong.
	enough := 2 * leastOps * (nsIn1000s / ratePer1000S)
	return drive.Load{
		WarmupNS:     max(warmup, tailWarmup).Nanoseconds(),
		SampleNS:     max(sample.Nanoseconds(), tailSample.Nanoseconds(), enough),
		LeastOps:     leastOps,
		RatePer1000S: ratePer1000S,
	}
}

// ratePer1000S is the number of requests due in 1,000 s; 0 for as many as possible.
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

// taken is a sample's load, measured on both sides.
type taken struct {
	result     *drive.Result
	start, end moment
}

// moment is the CPU time of the server and of this process, and the time of the reading: before it
// at the start of a sample, after it at the end. So CPU time can't exceed elapsed time, wherever
// this thread is preempted.
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
		err = protocol.Faultf(protocol.KindOperationFailed, "%d requests were answered in %v; a sample needs at least %d",
			t.result.Ops, time.Duration(t.result.ElapsedNS), load.LeastOps)
	}
	return &t, err
}

// answer is the sample without its pulses. It ended when the client reported its end, and lasted as
// long as the client measured: the client's clock need not be ours.
func (t *taken) answer(s *site) *sampleAnswer {
	elapsed := t.result.ElapsedNS
	counting := s.counting()
	answer := &sampleAnswer{
		Answer:           "sample",
		StartNS:          t.end.ns - elapsed,
		EndNS:            t.end.ns,
		ProcessCPUNS:     t.end.own - t.start.own,
		ProcessElapsedNS: max(elapsed, t.end.ns-t.start.ns),
		Threads:          make([]threadSample, len(s.cpus)),
		Parts: []partSample{
			{CPUCount: len(s.serverCPUs), CPUNS: t.end.server - t.start.server, ElapsedNS: t.end.ns - t.start.ns},
			{CPUCount: len(s.clientCPUs), CPUNS: t.result.CPUNS, ElapsedNS: elapsed},
		},
	}
	if s.clientCPUs == nil {
		answer.Parts[1].CPUCount = s.client.Driver.CPUCount
	}
	for i, number := range s.cpus {
		answer.Threads[i] = threadSample{CPU: number, ElapsedNS: elapsed}
	}
	// Which CPU answered which request is unknown: assume equal shares.
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
			runtime.LockOSThread() // so that the pinned thread ends with the goroutine
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
