package cpu

import "sizeup/gokit/protocol"

// A 32-bit multiplication takes 3 cycles on every Intel core since Nehalem and every AMD core since
// Zen (a 64-bit one takes 4 on Zen 1); an addition takes 1, but may share a cycle with its
// successor on cores that fold chains of them.
const (
	clockOps      = 600_000
	chainOps      = 4_000
	clockUnrolled = 20 // multiplications in a round of chainClock
	widthUnrolled = 80 // additions in a round of fillWidth
)

// PulseKernels are the instructions of a pulse on this architecture.
var PulseKernels = protocol.PulseKernels{
	ClockKernel:      "imul r32, r32: 3 cycles",
	ClockCyclesPerOp: 3,
	WidthKernel:      "add r64, r64: 8 independent",
}
