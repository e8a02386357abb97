package drive

import (
	"math/rand/v2"
	"testing"
)

func TestABucketIsAtMostOnePercentWideAndHoldsItsTime(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		ns := random.Int64N(1 << (1 + random.IntN(60)))
		lower := lowerNS(bucketOf(ns))
		upper := UpperNS(lower)
		if ns < lower || ns >= upper {
			t.Fatalf("%d is in the bucket from %d to %d", ns, lower, upper)
		}
		if width := upper - lower; width > 1 && width*100 > lower {
			t.Fatalf("the bucket from %d to %d is wider than 1 %%", lower, upper)
		}
	}
}

func TestCountsComeBackInRisingOrder(t *testing.T) {
	h := &histogram{}
	for _, ns := range []int64{5, 1_000_000, 5, 3_000_000_000, -1} {
		h.add(ns)
	}
	sparse := h.sparse()
	if len(sparse) != 4 || sparse[0] != [2]int64{0, 1} || sparse[1] != [2]int64{5, 2} || h.all.Load() != 5 {
		t.Fatal(sparse)
	}
	for i := range sparse[1:] {
		if sparse[i][0] >= sparse[i+1][0] {
			t.Fatal(sparse)
		}
	}
}
