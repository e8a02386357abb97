package cpu

// Pulse is a millisecond's look at the core: how fast its clock runs, and how
// much of its width is ours. The numbers of instructions never change; the
// times (ns) are what tells.
type Pulse struct {
	ClockOps int64 `json:"clock_ops"`
	ClockNS  int64 `json:"clock_ns"`
	WidthOps int64 `json:"width_ops"`
	WidthNS  int64 `json:"width_ns"`
}

// Kernels says which instructions a pulse is made of.
type Kernels struct {
	ClockKernel      string `json:"clock_kernel"`
	ClockCyclesPerOp int64  `json:"clock_cycles_per_op"`
	WidthKernel      string `json:"width_kernel"`
}

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
func TakePulse() Pulse {
	start := now()
	chainClock(clockRounds)
	middle := now()
	fillWidth(widthRounds)
	end := now()
	return Pulse{
		ClockOps: clockOps, ClockNS: middle - start,
		WidthOps: widthOps, WidthNS: end - middle,
	}
}
