package cpu

import "sizeup/gokit/protocol"

// Chains are looks at the clock inside a window. A pulse is taken when the work is
// over, and by then a core may have raised its clock again; a chain is run between two
// batches, while the core still has the clock that the work makes. It uses registers
// only, so it leaves caches as they are.
type Chains struct {
	spacingNS, dueNS int64
	tookNS           []int64
}

// MeasureChainKernel says what a chain is, and finds what timing one costs: the quickest
// of several rounds, for a disturbance only ever adds. A look at the clock alone would be
// too much, for the chain begins before the look is over.
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
	// mostChains is how many a window has at most: one at its end, the others before it.
	mostChains = 9
	// leastSpacing is how far chains in a window lie apart at least: 12,000 cycles in
	// 6 ms are 0.1 % at 2 GHz, and less above.
	leastSpacing = 6_000_000
)

// ChainsOf makes those of a window of at least this length, with room for all: nothing
// is allocated in a window.
func ChainsOf(windowNS int64) Chains {
	spacing := max((windowNS+mostChains-1)/mostChains, leastSpacing)
	return Chains{spacingNS: spacing, dueNS: spacing, tookNS: make([]int64, 0, mostChains)}
}

// Due says whether there is to be one now, so long after the window began. Where
// batches take longer than chains lie apart, there is one after each.
func (c *Chains) Due(elapsedNS int64) bool { return elapsedNS >= c.dueNS }

// Run runs one, so long after the window began.
func (c *Chains) Run(elapsedNS int64) {
	chainClock(1) // the work may have driven its code out of the caches: not to be timed
	start := NowNS()
	chainClock(chainOps/clockUnrolled + 1)
	c.tookNS = append(c.tookNS, NowNS()-start)
	c.dueNS = (elapsedNS/c.spacingNS + 1) * c.spacingNS
}

// TookNS is how long each took.
func (c *Chains) TookNS() []int64 { return c.tookNS }
