package main

import (
	"math"
	"time"

	"sizeup/worker-serve/internal/drive"
)

// A staircase searches for the most requests/s whose 99th percentile stays below a limit: a step up
// after a sample within the limit, a step down after one beyond it. It then oscillates around the
// rate that is within the limit every other time, which the median over samples estimates (W. J.
// Dixon and A. M. Mood 1948, the up-and-down method).
type staircase struct {
	ratePer1000S int64
	limitNS      int64
}

const (
	// The factor of one step.
	step = 0.02
	// The initial search begins a little below the rate of connections that are always busy …
	firstShare = 0.95
	probeTime  = 300 * time.Millisecond
	// … and this share of the due requests must be answered in time.
	keptShare = 0.98
)

// The steps of the initial search, each used once.
var coarseSteps = []float64{0.10, 0.06, 0.04, 0.02}

// findStairs finds roughly where the staircase should begin.
func (s *site) findStairs() (*staircase, error) {
	least := leastOps * int64(len(s.counting()))
	most, err := s.take(drive.Load{
		WarmupNS: leastWarmup.Nanoseconds(), SampleNS: probeTime.Nanoseconds(), LeastOps: least,
	})
	if err != nil {
		return nil, err
	}
	perS := float64(most.result.Ops) * 1e9 / float64(most.result.ElapsedNS)
	found := &staircase{
		ratePer1000S: max(1, int64(firstShare*perS*1000)),
		limitNS:      s.parameters.p99LimitMS * int64(time.Millisecond),
	}
	for _, step := range coarseSteps {
		load := atRate(found.ratePer1000S, 0, 0, least)
		load.WarmupNS, load.SampleNS = leastWarmup.Nanoseconds(), probeTime.Nanoseconds()
		probe, err := s.take(load)
		if err != nil {
			return nil, err
		}
		found.move(probe.result, step)
	}
	return found, nil
}

// climb takes a step after a sample.
func (s *staircase) climb(result *drive.Result) { s.move(result, step) }

func (s *staircase) move(result *drive.Result, step float64) {
	factor := 1 + step
	if !s.isKept(result) {
		factor = 1 / factor
	}
	s.ratePer1000S = max(1, int64(math.Round(float64(s.ratePer1000S)*factor)))
}

// isKept reports whether a sample kept the limit and the rate.
func (s *staircase) isKept(result *drive.Result) bool {
	wasKept := float64(result.Ops) >= keptShare*float64(result.DueOps)
	return wasKept && belowNS(result.Latency, 0.99) <= s.limitNS
}

// belowNS is the time that this share of requests stayed below.
func belowNS(latency [][2]int64, share float64) int64 {
	var all, below int64
	for _, bucket := range latency {
		all += bucket[1]
	}
	for _, bucket := range latency {
		if below += bucket[1]; float64(below) >= share*float64(all) {
			return drive.UpperNS(bucket[0])
		}
	}
	return math.MaxInt64
}
