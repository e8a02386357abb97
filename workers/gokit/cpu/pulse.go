package cpu

import "sizeup/gokit/protocol"

// Instructions of a pulse. Both kernels are written out so many times in a
// row that the loop around them is noise.
const (
	clockRounds = clockOps / clockUnrolled
	widthOps    = 6_000_000
	widthRounds = widthOps / widthUnrolled
)

// chainClock runs a chain of instructions, each of which waits for the one
// before it: rounds × clockUnrolled of them. It returns what they come to.
//
//go:noescape
func chainClock(rounds int64) int64

// fillWidth runs independent additions over eight registers: rounds ×
// widthUnrolled of them. They add a register, for some cores carry out the
// addition of a constant while renaming registers, and need no port for it. It
// returns the sum of the registers, which begin at 1 … 8 and grow by 3 each time.
//
//go:noescape
func fillWidth(rounds int64) int64

// TakePulse takes the pulse of the CPU that the calling thread is pinned to.
func TakePulse() protocol.Pulse {
	start := NowNS()
	chainClock(clockRounds)
	middle := NowNS()
	fillWidth(widthRounds)
	end := NowNS()
	return protocol.Pulse{
		ClockOps: clockOps, ClockNS: middle - start,
		WidthOps: widthOps, WidthNS: end - middle,
	}
}
