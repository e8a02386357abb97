package main

import (
	"math"
	"time"

	"sizeup/worker-nginx/internal/drive"
)

// A staircase searches for the most requests/s whose 99th percentile stays below a limit:
// a step up after a window that kept it, a step down after one that did not. It
// then goes to and fro around the rate that keeps it every other time, which is
// what the median over windows tells (W. J. Dixon and A. M. Mood 1948, the
// up-and-down method).
type staircase struct {
	ratePer1000S int64
	limitNS      int64
}

const (
	// A step in a window, by factor.
	step = 0.02
	// The search before begins a little below what connections that are always
	// busy get …
	firstShare = 0.95
	probeTime  = 300 * time.Millisecond
	// … and of what was due so much is to be answered in time.
	keptShare = 0.98
)

// The steps of the search before, each once.
var coarseSteps = []float64{0.10, 0.06, 0.04, 0.02}

// findStairs finds about where the staircase is to begin.
func (s *site) findStairs() (*staircase, error) {
	least := leastOps * int64(len(s.counting()))
	most, err := s.take(drive.Load{
		SettleNS: leastSettle.Nanoseconds(), WindowNS: probeTime.Nanoseconds(), LeastOps: least,
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
		load.SettleNS, load.WindowNS = leastSettle.Nanoseconds(), probeTime.Nanoseconds()
		probe, err := s.take(load)
		if err != nil {
			return nil, err
		}
		found.move(probe.result, step)
	}
	return found, nil
}

// climb takes a step after a window.
func (s *staircase) climb(result *drive.Result) { s.move(result, step) }

func (s *staircase) move(result *drive.Result, step float64) {
	factor := 1 + step
	if !s.isKept(result) {
		factor = 1 / factor
	}
	s.ratePer1000S = max(1, int64(math.Round(float64(s.ratePer1000S)*factor)))
}

// isKept says whether the limit was kept, and the rate.
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
