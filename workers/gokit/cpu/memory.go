package cpu

import (
	"syscall"
	"unsafe"

	"sizeup/gokit/protocol"
)

// Sizes of what a memory pulse reads; the Rust kit's memory.rs says why they are so.
const (
	lineBytes      = 64
	largePageBytes = 2 << 20
	chainLines     = 2 << 10
	streamLines    = 16 << 10
	linesUnrolled  = 8 // lines in a round of followLines and of sumLines
)

// followLines follows rounds × linesUnrolled pointers from the line at an address, each of which is
// the first word of the line that the one before leads to. It returns where that ends.
//
//go:noescape
func followLines(at uintptr, rounds int64) uintptr

// sumLines returns the sum of the first words of rounds × linesUnrolled lines from an address on.
//
//go:noescape
func sumLines(at uintptr, rounds int64) uint64

// Memory is what the memory pulses of a thread read: the lines of a chain and those of a stream,
// in one large page where the system has them.
type Memory struct {
	mapped []byte // outside the garbage collector's memory
	chain  uintptr
	stream uintptr
}

// NewMemory makes it; nil if there is no room for it.
func NewMemory() *Memory {
	mapped, err := syscall.Mmap(-1, 0, 2*largePageBytes, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		return nil
	}
	first := uintptr(unsafe.Pointer(&mapped[0]))
	skipped := -first & (largePageBytes - 1)
	page := mapped[skipped : skipped+largePageBytes]
	// A system without large pages refuses, and the pulse works without.
	_ = syscall.Madvise(page, syscall.MADV_HUGEPAGE)
	chain := first + skipped
	m := &Memory{mapped: mapped, chain: chain, stream: chain + chainLines*lineBytes}
	link(page[:chainLines*lineBytes], chain)
	number(page[chainLines*lineBytes:][:streamLines*lineBytes])
	flushLines(m.chain, chainLines)
	flushLines(m.stream, streamLines)
	return m
}

// Before takes the memory pulse before a sample; nil without memory.
func (m *Memory) Before() *protocol.MemoryPulse {
	if m == nil {
		return nil
	}
	start := NowNS()
	followLines(m.chain, chainLines/linesUnrolled)
	middle := NowNS()
	sumLines(m.stream, streamLines/linesUnrolled)
	end := NowNS()
	flushLines(m.stream, streamLines)
	return &protocol.MemoryPulse{
		Loads: chainLines, LoadsNS: middle - start,
		Lines: streamLines, LinesNS: end - middle,
	}
}

// After takes the memory pulse after a sample; nil without memory.
func (m *Memory) After() *protocol.MemoryPulse {
	pulse := m.Before()
	if pulse != nil {
		flushLines(m.chain, chainLines)
	}
	return pulse
}

// word is the first word of a line.
func word(lines []byte, line int) *uint64 {
	return (*uint64)(unsafe.Pointer(&lines[line*lineBytes]))
}

// link makes lines, which begin at an address, one circle of pointers in random order: Sattolo's
// shuffle, with random numbers by Marsaglia's xorshift.
func link(lines []byte, at uintptr) {
	order := make([]int, len(lines)/lineBytes)
	for i := range order {
		order[i] = i
	}
	random := uint64(0x9e37_79b9_7f4a_7c15)
	for last := len(order) - 1; last > 0; last-- {
		random ^= random << 13
		random ^= random >> 7
		random ^= random << 17
		other := random % uint64(last)
		order[last], order[other] = order[other], order[last]
	}
	for i, line := range order {
		next := order[(i+1)%len(order)]
		*word(lines, line) = uint64(at) + uint64(next*lineBytes)
	}
}

// number writes each line's number, so that a sum over all shows that each was read once.
func number(lines []byte) {
	for line := range len(lines) / lineBytes {
		*word(lines, line) = uint64(line)
	}
}
