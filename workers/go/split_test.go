package main

import (
	"math/bits"
	"slices"
	"testing"

	"github.com/chmduquesne/rollinghash/buzhash32"
	"github.com/chmduquesne/rollinghash/rabinkarp64"
)

// windowHash is a hash over the window that ends before a place, made anew.
type windowHash func(data []byte, end int) uint64

// buzhashAnew is the cyclic polynomial: each byte's number, rotated by how many
// bytes follow it.
func buzhashAnew() windowHash {
	numbers := buzhash32.GenerateHashes(1)
	return func(data []byte, end int) (hash uint64) {
		for i, b := range data[end-splitWindow : end] {
			hash ^= uint64(bits.RotateLeft32(numbers[b], splitWindow-1-i))
		}
		return hash
	}
}

// rabinKarpAnew is the remainder of the window as a polynomial over GF(2): the
// sum of the remainders of its bytes in their places.
func rabinKarpAnew(t *testing.T) windowHash {
	polynomial, err := rabinkarp64.RandomPolynomial(1)
	if err != nil {
		t.Fatal(err)
	}
	var remainders [splitWindow][256]uint64
	for b := range 256 {
		remainder := uint64(b)
		for place := splitWindow - 1; place >= 0; place-- {
			remainders[place][b] = remainder
			for range 8 { // times x
				if remainder <<= 1; remainder>>53 != 0 {
					remainder ^= uint64(polynomial)
				}
			}
		}
	}
	return func(data []byte, end int) (hash uint64) {
		for i, b := range data[end-splitWindow : end] {
			hash ^= remainders[i][b]
		}
		return hash
	}
}

// cutsAnew cuts by the definition.
func cutsAnew(shape splitShape, data []byte, hash windowHash) (cuts []int) {
	for from := 0; from < len(data); {
		end := min(from+shape.least, len(data))
		for end < min(from+shape.most, len(data)) && hash(data, end)%uint64(shape.average) != 0 {
			end++
		}
		cuts = append(cuts, end)
		from = end
	}
	return cuts
}

func TestCutsAreWhatTheDefinitionSays(t *testing.T) {
	data := random(4<<20 + 12345)
	for name, kind := range map[string]struct {
		make func(splitShape) splitter
		hash windowHash
	}{
		"buzhash":   {newBuzhashSplitter, buzhashAnew()},
		"rabinkarp": {newRabinKarpSplitter, rabinKarpAnew(t)},
	} {
		for _, average := range []int{1 << 10, 128 << 10, 512 << 10} {
			shape := newSplitShape(average)
			s := &splitInstance{shape: shape, splitter: kind.make(shape), block: data}
			for range 2 { // no state is left over
				if err := s.Op(); err != nil {
					t.Fatal(err)
				}
				if anew := cutsAnew(shape, data, kind.hash); !slices.Equal(s.cuts, anew) {
					t.Errorf("%s %d: %d cuts %v, not %d %v", name, average, len(s.cuts), s.cuts, len(anew), anew)
				}
			}
		}
	}
}

func TestCutsOutOfBoundsAreRefused(t *testing.T) {
	s := &splitInstance{shape: newSplitShape(1 << 20)}
	for _, output := range [][]byte{
		{},
		{0, 0, 0, 2},                   // one chunk of 32 MiB
		{0, 0, 0x10, 0, 0, 0, 0, 0},    // a cut that goes back
		{0, 0, 0x01, 0, 0, 0, 0x10},    // a short chunk, and half a cut
		{0, 0, 0x10, 0, 0, 0, 0x20, 0}, // the end is missing
	} {
		if s.Check(output) == nil {
			t.Errorf("% x passes", output)
		}
	}
}
