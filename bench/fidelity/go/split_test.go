package fidelity

import (
	"testing"

	"github.com/chmduquesne/rollinghash/buzhash32"
	"github.com/chmduquesne/rollinghash/rabinkarp64"
)

const splitWindow = 64

// chunks counts them, so that the compiler can't leave the work out.
var chunks int

func newBuzhash(average int) func() error {
	data := randomBytes(32 << 20)
	hash := buzhash32.New()
	hash.Write(make([]byte, splitWindow))
	return func() error {
		for start := 0; start < len(data); chunks++ {
			end := min(start+average/2, len(data))
			last := min(start+average*2, len(data))
			for _, b := range data[end-splitWindow : end] {
				hash.Roll(b)
			}
			for end < last && hash.Sum32()&uint32(average-1) != 0 {
				hash.Roll(data[end])
				end++
			}
			start = end
		}
		return nil
	}
}

func newRabinKarp(average int) func() error {
	data := randomBytes(32 << 20)
	hash := rabinkarp64.New()
	hash.Write(make([]byte, splitWindow))
	return func() error {
		for start := 0; start < len(data); chunks++ {
			end := min(start+average/2, len(data))
			last := min(start+average*2, len(data))
			for _, b := range data[end-splitWindow : end] {
				hash.Roll(b)
			}
			for end < last && hash.Sum64()&uint64(average-1) != 0 {
				hash.Roll(data[end])
				end++
			}
			start = end
		}
		return nil
	}
}

func BenchmarkBuzhash1M(b *testing.B) {
	repeat(b, 32<<20, func() func() error { return newBuzhash(1 << 20) })
}
func BenchmarkBuzhash4M(b *testing.B) {
	repeat(b, 32<<20, func() func() error { return newBuzhash(4 << 20) })
}
func BenchmarkRabinKarp1M(b *testing.B) {
	repeat(b, 32<<20, func() func() error { return newRabinKarp(1 << 20) })
}
func BenchmarkRabinKarp4M(b *testing.B) {
	repeat(b, 32<<20, func() func() error { return newRabinKarp(4 << 20) })
}
