package cpu

import (
	"slices"
	"testing"
)

// timesOf returns when a sample with batches of this length has chains, except the one at its end.
func timesOf(sampleNS, batchNS int64) []int64 {
	chains := ChainsOf(sampleNS)
	times := []int64{}
	for elapsed := batchNS; elapsed < sampleNS; elapsed += batchNS {
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

func TestChainsLieEvenlyOverASample(t *testing.T) {
	const ms = 1_000_000
	for _, c := range []struct {
		sample, batch int64
		times         []int64
	}{
		{50 * ms, 50_000, every(6*ms, 8)},
		{900 * ms, 50_000, every(100*ms, 8)},
		{50 * ms, 20 * ms, every(20*ms, 2)}, // after each batch, where batches are long
		{50 * ms, 7 * ms, every(7*ms, 7)},   // one for a due time that a batch skipped
		{50 * ms, 60 * ms, nil},
	} {
		if times := timesOf(c.sample, c.batch); !slices.Equal(times, c.times) {
			t.Errorf("%d ns in batches of %d: chains at %v, not %v", c.sample, c.batch, times, c.times)
		}
	}
}

// TestChainsTakeAThousandthOfASampleAtMost assumes 12,000 cycles a chain, at 2 GHz.
func TestChainsTakeAThousandthOfASampleAtMost(t *testing.T) {
	for _, sample := range []int64{1_000, 5_999_999, 6_000_001, 44_000_000, 50_000_003, 60_000_000_000} {
		for _, batches := range []int64{20_000, 11, 1} {
			inside := int64(len(timesOf(sample, (sample+batches-1)/batches)))
			if inside >= mostChains || inside*12_000/2*1000 > sample {
				t.Errorf("%d chains in %d ns of %d batches", inside, sample, batches)
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
