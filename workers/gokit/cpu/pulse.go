package cpu

import "sizeup/gokit/protocol"

// Instructions of a pulse. Both kernels are unrolled so far that the loop around them is noise.
const (
	clockRounds = clockOps / clockUnrolled
	widthOps    = 6_000_000
	widthRounds = widthOps / widthUnrolled
)

// chainClock runs a chain of rounds × clockUnrolled instructions, each of which depends on the one
// before it. It returns their result.
//
//go:noescape
func chainClock(rounds int64) int64

// fillWidth runs rounds × widthUnrolled independent additions over eight registers. They add a
// register, because some cores perform the addition of a constant while renaming registers, without
// a port. It returns the sum of the registers, which begin at 1 … 8 and grow by 3 each time.
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
