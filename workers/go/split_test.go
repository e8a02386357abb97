package main

import (
	"slices"
	"testing"

	"github.com/chmduquesne/rollinghash/rabinkarp64"
)

func TestThePolynomialIsTheLibrarysOwn(t *testing.T) {
	polynomial, err := rabinkarp64.RandomPolynomial(1) // as rabinkarp64.New does
	if err != nil || polynomial != rabinKarpPolynomial {
		t.Errorf("%v, %v", polynomial, err)
	}
}

func TestCutsMatchTheDefinition(t *testing.T) {
	data := random(4<<20 + 12345)
	for _, hash := range rollingHashes {
		places := hash.places()
		for _, average := range []int{1 << 10, 128 << 10, 512 << 10} {
			shape := newSplitShape(average)
			s := &splitInstance{shape: shape, splitter: hash.splitter(shape), block: data}
			byDefinition := shape.cutAnew(data, places)
			for range 2 { // no state remains
				if err := s.Op(); err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(s.cuts, byDefinition) {
					t.Errorf("%s %d: %d cuts %v, not %d %v", hash, average, len(s.cuts), s.cuts, len(byDefinition), byDefinition)
				}
			}
		}
	}
}

func TestCutsOutOfBoundsAreRefused(t *testing.T) {
	s := &splitInstance{shape: newSplitShape(1 << 20), block: make([]byte, 32<<20)}
	for _, output := range [][]byte{
		{},
		{0, 0, 0, 2},                   // one chunk of 32 MiB
		{0, 0, 0x10, 0, 0, 0, 0, 0},    // a cut that goes backwards
		{0, 0, 0x01, 0, 0, 0, 0x10},    // a short chunk, and half a cut
		{0, 0, 0x10, 0, 0, 0, 0x20, 0}, // the end is missing
	} {
		if s.Check(output) == nil {
			t.Errorf("% x passes", output)
		}
	}
}
