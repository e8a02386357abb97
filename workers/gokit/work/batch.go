package work

import (
	"sizeup/gokit/cpu"
	"sizeup/gokit/protocol"
)

// clockShare is how many times longer than a clock reading a batch takes, at least, when its size
// is chosen. The readings then cost less than 0.1 % even if the core later becomes two and a half
// times as fast because a neighbour that shared it has gone and the clock has risen.
const clockShare = 2500

// perform does a batch of ops.
func (t *thread) perform(ops int64) error { return Perform(t.instance, ops) }

// Perform does ops as the timed loop does, and stops at the first that fails.
func Perform(inst Instance, ops int64) error {
	for range ops {
		if err := inst.Op(); err != nil {
			return protocol.AsFault(err, protocol.KindOperationFailed)
		}
	}
	return nil
}

// findBatch finds the least power of two of ops that takes clockShare × clockCost (ns). All threads
// search at once, which warms them up, and the largest result counts: a disturbance makes a
// thread's batch look longer than it is.
func (c *crew) findBatch(clockCost int64) (ops int64, err error) {
	found := make([]int64, len(c.threads))
	err = c.each(func(t *thread) (err error) {
		found[t.index], err = t.findBatch(clockShare * clockCost)
		return err
	})
	for _, f := range found {
		ops = max(ops, f)
	}
	return ops, err
}

// findBatch finds the least power of two of ops whose batch never takes less
// than least ns.
func (t *thread) findBatch(least int64) (int64, error) {
	for ops := int64(1); ; ops *= 2 {
		long, err := t.takes(ops, least)
		if err != nil || long {
			return ops, err
		}
	}
}

// takes reports whether a batch takes at least this many ns. A close result is tried again, because
// one interruption would make any batch long enough.
func (t *thread) takes(ops, least int64) (bool, error) {
	const tries, clearly = 3, 4
	for range tries {
		start := cpu.NowNS()
		if err := t.perform(ops); err != nil {
			return false, err
		}
		elapsed := cpu.NowNS() - start
		if elapsed < least || elapsed >= clearly*least {
			return elapsed >= least, nil
		}
	}
	return true, nil
}
