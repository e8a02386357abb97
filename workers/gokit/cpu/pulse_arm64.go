package cpu

import "sizeup/gokit/protocol"

// A multiplication takes 2 to 4 cycles on Neoverse cores and AmpereOne; the
// exclusive or takes 1 on all of them (docs/methodology.md has
// the table and its sources).
const (
	clockOps      = 1_800_000
	chainOps      = 12_000
	clockUnrolled = 40 // exclusive ors in a round of chainClock
	widthUnrolled = 80 // additions in a round of fillWidth
)

// PulseKernels are the instructions of a pulse on this architecture.
var PulseKernels = protocol.PulseKernels{
	ClockKernel:      "eor x, x, #imm: 1 cycle",
	ClockCyclesPerOp: 1,
	WidthKernel:      "add x, x, x: 8 independent",
}
