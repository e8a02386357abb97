package cpu

import "sizeup/gokit/protocol"

// Chains are clock probes inside a sample. The pulse comes after the work, when a core may already
// have raised its clock again; a chain runs between two batches, while the core still has the clock
// that the work causes. It uses registers only, so it leaves the caches alone.
type Chains struct {
	spacingNS, dueNS int64
	tookNS           []int64
}

// MeasureChainKernel describes a chain and measures the cost of timing one: the quickest of several
// rounds, because disturbances only add time. The cost of a clock reading alone would be too high,
// because the chain begins before the reading is over.
func MeasureChainKernel() *protocol.ChainKernel {
	const rounds, chains = 16, 128
	quickest := int64(1 << 62)
	for range rounds {
		start := NowNS()
		for range chains - 1 {
			chainClock(1)
			NowNS()
		}
		chainClock(1)
		quickest = min(quickest, NowNS()-start)
	}
	return &protocol.ChainKernel{Ops: chainOps, CostNS: max(1, (quickest+chains/2)/chains)}
}

const (
	// mostChains is the most chains in a sample: one at its end, the others before it.
	mostChains = 9
	// leastSpacing is the least time between the chains of a sample: 12,000 cycles in 6 ms are 0.1
	// % at 2 GHz, and less above.
	leastSpacing = 6_000_000
)

// ChainsOf prepares the chains of a sample of at least this length, with room for all: nothing is
// allocated during a sample.
func ChainsOf(sampleNS int64) Chains {
	spacing := max((sampleNS+mostChains-1)/mostChains, leastSpacing)
	return Chains{spacingNS: spacing, dueNS: spacing, tookNS: make([]int64, 0, mostChains)}
}

// Due reports whether a chain is due this long after the sample began. Where batches take longer
// than the interval between chains, one is due after each batch.
func (c *Chains) Due(elapsedNS int64) bool { return elapsedNS >= c.dueNS }

// Run runs a chain, this long after the sample began.
func (c *Chains) Run(elapsedNS int64) {
	chainClock(1) // untimed: the work may have evicted its code from the caches
	start := NowNS()
	chainClock(chainOps/clockUnrolled + 1)
	c.tookNS = append(c.tookNS, NowNS()-start)
	c.dueNS = (elapsedNS/c.spacingNS + 1) * c.spacingNS
}

// TookNS is the time of each chain.
func (c *Chains) TookNS() []int64 { return c.tookNS }
