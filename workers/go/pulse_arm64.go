package main

// A multiplication takes 2 to 5 cycles on aarch64 cores; the exclusive or of
// two registers takes 1 on all of them.
const (
	clockOps      = 1_800_000
	clockUnrolled = 40 // exclusive ors in a round of chainClock
	widthUnrolled = 80 // additions in a round of fillWidth
)

var kernels = pulseKernels{
	ClockKernel:      "eor x, 1 cycle",
	ClockCyclesPerOp: 1,
	WidthKernel:      "add x, 8 independent",
}
