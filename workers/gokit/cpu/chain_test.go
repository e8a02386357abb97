package cpu

import (
	"slices"
	"testing"
)

// timesOf are the times after which a window with batches of this length has chains,
// that at its end left out.
func timesOf(windowNS, batchNS int64) []int64 {
	chains := ChainsOf(windowNS)
	times := []int64{}
	for elapsed := batchNS; elapsed < windowNS; elapsed += batchNS {
		if chains.Due(elapsed) {
			chains.Run(elapsed)
			times = append(times, elapsed)
		}
	}
	return times
}

func every(spacing, count int64) []int64 {
	times := []int64{}
	for i := range count {
		times = append(times, (i+1)*spacing)
	}
	return times
}

func TestChainsLieEvenlyOverAWindow(t *testing.T) {
	const ms = 1_000_000
	for _, c := range []struct {
		window, batch int64
		times         []int64
	}{
		{50 * ms, 50_000, every(6*ms, 8)},
		{900 * ms, 50_000, every(100*ms, 8)},
		{50 * ms, 20 * ms, every(20*ms, 2)}, // after each batch, where these are long
		{50 * ms, 7 * ms, every(7*ms, 7)},   // once for a point that a batch went past
		{50 * ms, 60 * ms, nil},
	} {
		if times := timesOf(c.window, c.batch); !slices.Equal(times, c.times) {
			t.Errorf("%d ns in batches of %d: chains at %v, not %v", c.window, c.batch, times, c.times)
		}
	}
}

// TestChainsTakeAThousandthOfAWindowAtMost counts: 12,000 cycles each, at 2 GHz.
func TestChainsTakeAThousandthOfAWindowAtMost(t *testing.T) {
	for _, window := range []int64{1_000, 5_999_999, 6_000_001, 44_000_000, 50_000_003, 60_000_000_000} {
		for _, batches := range []int64{20_000, 11, 1} {
			inside := int64(len(timesOf(window, (window+batches-1)/batches)))
			if inside >= mostChains || inside*12_000/2*1000 > window {
				t.Errorf("%d chains in %d ns of %d batches", inside, window, batches)
			}
		}
	}
}

func TestAChainTakesTimeAndIsWholeRounds(t *testing.T) {
	chains := ChainsOf(1_000)
	chains.Run(0)
	if took := chains.TookNS(); len(took) != 1 || took[0] <= 0 {
		t.Errorf("chains took %v", took)
	}
	if chainOps%clockUnrolled != 0 || chainOps*PulseKernels.ClockCyclesPerOp != 12_000 {
		t.Errorf("%d instructions in rounds of %d", chainOps, clockUnrolled)
	}
}
