package drive

import (
	"math/bits"
	"sync/atomic"
)

// Buckets are linear within a power of two: the width of a bucket is at most 1/128 of its lower
// end, less than 1 %. (The idea is from HdrHistogram, Gil Tene.)
const (
	subBits    = 7
	subBuckets = 1 << subBits
	buckets    = (64 - subBits) * subBuckets
)

// histogram counts times in ns; many goroutines may add to it.
type histogram struct {
	counts [buckets]atomic.Int64
	all    atomic.Int64
}

func (h *histogram) add(ns int64) {
	h.counts[bucketOf(max(ns, 0))].Add(1)
	h.all.Add(1)
}

// sparse returns the buckets that are not empty.
func (h *histogram) sparse() [][2]int64 {
	found := [][2]int64{}
	for i := range h.counts {
		if count := h.counts[i].Load(); count > 0 {
			found = append(found, [2]int64{lowerNS(i), count})
		}
	}
	return found
}

func bucketOf(ns int64) int {
	octave := max(bits.Len64(uint64(ns))-subBits-1, 0)
	return octave*subBuckets + int(ns>>octave)
}

func lowerNS(bucket int) int64 {
	octave := max(bucket/subBuckets-1, 0)
	return int64(bucket-octave*subBuckets) << octave
}

// UpperNS is the upper end of the bucket that begins at a time.
func UpperNS(lower int64) int64 { return lowerNS(bucketOf(lower) + 1) }
