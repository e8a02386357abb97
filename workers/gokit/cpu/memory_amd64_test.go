package cpu

import "testing"

// TestWhatOlderCPUsHaveInsteadFlushesLinesAndLeavesThemAsTheyAre reads all lines after it.
func TestWhatOlderCPUsHaveInsteadFlushesLinesAndLeavesThemAsTheyAre(t *testing.T) {
	lines, at := someLines(streamLines)
	number(lines)
	flushStrongly(at, streamLines)
	if sum := sumLines(at, streamLines/linesUnrolled); sum != streamLines*(streamLines-1)/2 {
		t.Errorf("the lines sum up to %d", sum)
	}
}
