package work

import (
	"math"
	"math/rand/v2"
	"testing"

	"sizeup/gokit/cpu"
	"sizeup/gokit/protocol"
)

// BenchmarkLook measures what a clock reading costs a sample, with the loop around it: pairs of
// samples of an empty op, with a reading after every op and with one after many. The last figure is
// its share of the shortest batch that findBatch allows; docs/protocol.md requires less than 0.1 %.
func BenchmarkLook(b *testing.B) {
	c, err := assemble("test", 1, someCPUs()[:1])
	if err != nil {
		b.Fatal(err)
	}
	defer c.End()
	c.operation, c.plan, c.injectBit = "empty/test", &Plan{}, -1
	var clockCost int64
	err = c.each(func(t *thread) error {
		t.instance, clockCost = scripted{func() error { return nil }}, cpu.ClockCostNS()
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	perOp := func(batchOps int64) float64 {
		c.batchOps = batchOps
		answer, err := c.measure(&protocol.MeasureRequest{Warmup: 200_000, Sample: 2_000_000})
		if err != nil {
			b.Fatal(err)
		}
		return float64(answer.Threads[0].ElapsedNS) / float64(answer.Threads[0].Ops)
	}

	const manyOps = 1 << 16
	order := rand.New(rand.NewPCG(1, 2))
	var n, sum, squares float64
	for b.Loop() {
		var often, rare float64
		if order.IntN(2) == 0 {
			often, rare = perOp(1), perOp(manyOps)
		} else {
			rare, often = perOp(manyOps), perOp(1)
		}
		cost := often - rare
		n, sum, squares = n+1, sum+cost, squares+cost*cost
	}
	mean := sum / n
	deviation := math.Sqrt((squares/n - mean*mean) / n)
	b.ReportMetric(mean, "ns/look")
	b.ReportMetric(1.96*deviation, "±ns/look")
	b.ReportMetric(100*mean/float64(clockShare*clockCost), "%-of-a-batch")
}
