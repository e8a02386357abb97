package fidelity

import (
	"testing"

	"github.com/chmduquesne/rollinghash/buzhash32"
	"github.com/chmduquesne/rollinghash/rabinkarp64"
)

const splitWindow = 64

// The loops are of kopia's shape, which looks at the hash after it rolled it. One
// that looks before is up to a quarter faster: the compiler makes other code of it.

// chunks counts them, so that the compiler can't leave the work out.
var chunks int

func newBuzhash(average int) func() error {
	data := randomBytes(32 << 20)
	hash := buzhash32.New()
	hash.Write(make([]byte, splitWindow))
	mask := uint32(average - 1)
	return func() error {
		for start := 0; start < len(data); chunks++ {
			from := min(start+average/2-1, len(data))
			end := min(start+average*2, len(data))
			for _, b := range data[max(start, from-splitWindow):from] {
				hash.Roll(b)
			}
			for i, b := range data[from:end] {
				hash.Roll(b)
				if hash.Sum32()&mask == 0 {
					end = from + i + 1
					break
				}
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
	mask := uint64(average - 1)
	return func() error {
		for start := 0; start < len(data); chunks++ {
			from := min(start+average/2-1, len(data))
			end := min(start+average*2, len(data))
			for _, b := range data[max(start, from-splitWindow):from] {
				hash.Roll(b)
			}
			for i, b := range data[from:end] {
				hash.Roll(b)
				if hash.Sum64()&mask == 0 {
					end = from + i + 1
					break
				}
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
