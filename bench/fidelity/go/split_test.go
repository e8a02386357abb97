package fidelity

import (
	"testing"

	"github.com/chmduquesne/rollinghash/buzhash32"
	"github.com/chmduquesne/rollinghash/rabinkarp64"
)

const splitWindow = 64

// The loops are methods of kopia's shape, which look at the hash after they rolled
// it. One that looks before is up to a quarter faster: the compiler makes other code
// of it.

// chunks counts them, so that the compiler can't leave the work out.
var chunks int

type buzhash struct {
	hash    *buzhash32.Buzhash32
	mask    uint32
	average int
}

// next is the length of the first chunk of data.
func (s *buzhash) next(data []byte) int {
	least, most := min(s.average/2-1, len(data)), min(s.average*2, len(data))
	for _, b := range data[max(0, least-splitWindow):least] {
		s.hash.Roll(b)
	}
	for i, b := range data[least:most] {
		s.hash.Roll(b)
		if s.hash.Sum32()&s.mask == 0 {
			return least + i + 1
		}
	}
	return most
}

func newBuzhash(average int) func() error {
	data := randomBytes(32 << 20)
	splitter := &buzhash{buzhash32.New(), uint32(average - 1), average}
	splitter.hash.Write(make([]byte, splitWindow))
	return func() error {
		for rest := data; len(rest) > 0; chunks++ {
			rest = rest[splitter.next(rest):]
		}
		return nil
	}
}

type rabinKarp struct {
	hash    *rabinkarp64.RabinKarp64
	mask    uint64
	average int
}

// next is the length of the first chunk of data.
func (s *rabinKarp) next(data []byte) int {
	least, most := min(s.average/2-1, len(data)), min(s.average*2, len(data))
	for _, b := range data[max(0, least-splitWindow):least] {
		s.hash.Roll(b)
	}
	for i, b := range data[least:most] {
		s.hash.Roll(b)
		if s.hash.Sum64()&s.mask == 0 {
			return least + i + 1
		}
	}
	return most
}

func newRabinKarp(average int) func() error {
	data := randomBytes(32 << 20)
	splitter := &rabinKarp{rabinkarp64.New(), uint64(average - 1), average}
	splitter.hash.Write(make([]byte, splitWindow))
	return func() error {
		for rest := data; len(rest) > 0; chunks++ {
			rest = rest[splitter.next(rest):]
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
