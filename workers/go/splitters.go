package main

import (
	"github.com/chmduquesne/rollinghash/buzhash32"
	"github.com/chmduquesne/rollinghash/rabinkarp64"
)

// rollingHash is a hash over the last splitWindow bytes: as the library rolls it, and by its
// definition.
type rollingHash struct {
	name     string
	splitter func(splitShape) splitter
	places   func() *windowPlaces
}

func (h rollingHash) String() string { return h.name }

var rollingHashes = []rollingHash{
	{"buzhash", newBuzhashSplitter, buzhashPlaces},
	{"rabinkarp", newRabinKarpSplitter, rabinKarpPlaces},
}

// The two splitters differ only in the type of their hash.

type buzhashSplitter struct {
	shape splitShape
	hash  *buzhash32.Buzhash32
	mask  uint32
}

func newBuzhashSplitter(shape splitShape) splitter {
	hash := buzhash32.New()
	_, _ = hash.Write(make([]byte, splitWindow)) // sets the window's length; it never fails
	return &buzhashSplitter{shape, hash, uint32(shape.average - 1)}
}

func (s *buzhashSplitter) cut(data []byte) int {
	roll, from, to := s.shape.scan(data)
	for _, b := range data[roll:from] {
		s.hash.Roll(b)
	}
	for i, b := range data[from:to] {
		s.hash.Roll(b)
		if s.hash.Sum32()&s.mask == 0 {
			return from + i + 1
		}
	}
	return to
}

type rabinKarpSplitter struct {
	shape splitShape
	hash  *rabinkarp64.RabinKarp64
	mask  uint64
}

// rabinKarpPolynomial is the one that rabinkarp64.New uses; New searches for it on each call, which
// takes a seventh of a second.
const rabinKarpPolynomial = 0x2e3e3e4a305605

func newRabinKarpSplitter(shape splitShape) splitter {
	hash := rabinkarp64.NewFromPol(rabinKarpPolynomial)
	_, _ = hash.Write(make([]byte, splitWindow)) // sets the window's length; it never fails
	return &rabinKarpSplitter{shape, hash, uint64(shape.average - 1)}
}

func (s *rabinKarpSplitter) cut(data []byte) int {
	roll, from, to := s.shape.scan(data)
	for _, b := range data[roll:from] {
		s.hash.Roll(b)
	}
	for i, b := range data[from:to] {
		s.hash.Roll(b)
		if s.hash.Sum64()&s.mask == 0 {
			return from + i + 1
		}
	}
	return to
}
