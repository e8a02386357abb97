package fidelity

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
)

const items = 1_000_000

// splitMix is SplitMix64.
func splitMix(state *uint64) uint64 {
	*state += 0x9e3779b97f4a7c15
	return mixed(*state)
}

func mixed(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func sorts[T cmp.Ordered](b *testing.B, draw func(state *uint64) T) {
	unsorted, state := make([]T, items), uint64(2026)
	for i := range unsorted {
		unsorted[i] = draw(&state)
	}
	sorted := make([]T, items)
	b.ResetTimer()
	for range b.N {
		copy(sorted, unsorted)
		slices.Sort(sorted)
	}
}

func BenchmarkSortU64(b *testing.B) { sorts(b, splitMix) }

func BenchmarkSortStrings(b *testing.B) {
	words := strings.Fields("api assets billing cart catalog events images jobs metrics orders payments queue search sessions static users")
	sorts(b, func(state *uint64) string {
		drawn := splitMix(state)
		return fmt.Sprintf("/%s/%s/%x", words[drawn%16], words[drawn>>4%16], drawn>>40)
	})
}

var counted int

func BenchmarkHashInsert(b *testing.B) {
	keys, state := make([]uint64, items), uint64(2027)
	for i := range keys {
		keys[i] = mixed(splitMix(&state) >> 32 * (items / 2) >> 32)
	}
	b.ResetTimer()
	for range b.N {
		counts := map[uint64]uint64{}
		for _, key := range keys {
			counts[key]++
		}
		counted = len(counts)
	}
}
