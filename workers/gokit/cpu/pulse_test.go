package cpu

import (
	"runtime"
	"testing"
)

func TestThePulseHasTheNumbersOfTheProtocol(t *testing.T) {
	p := TakePulse()
	if p.ClockOps*PulseKernels.ClockCyclesPerOp != 1_800_000 || p.WidthOps != 6_000_000 {
		t.Errorf("%+v of %+v", p, PulseKernels)
	}
	if p.ClockNS <= 0 || p.WidthNS <= 0 {
		t.Errorf("%+v took no time", p)
	}
	if clockOps%clockUnrolled != 0 || widthOps%widthUnrolled != 0 {
		t.Error("the numbers of instructions are not whole rounds")
	}
}

// TestEveryLinkOfTheChainIsDone multiplies 1 by 3 repeatedly, or flips bits in turn: the result
// shows how many links ran.
func TestEveryLinkOfTheChainIsDone(t *testing.T) {
	for _, rounds := range []int64{1, 2, 3, 1000, 1001} {
		var expected int64
		switch runtime.GOARCH {
		case "amd64":
			product := uint32(1)
			for range rounds * clockUnrolled {
				product *= 3
			}
			expected = int64(product)
		case "arm64":
			for link := range rounds * clockUnrolled {
				expected ^= 1 << (link % clockUnrolled)
			}
		}
		if came := chainClock(rounds); came != expected {
			t.Errorf("%d rounds give %#x, not %#x", rounds, came, expected)
		}
	}
}

func TestEveryAdditionIsDone(t *testing.T) {
	for _, rounds := range []int64{1, 2, 1000} {
		if sum := fillWidth(rounds); sum != 36+3*widthUnrolled*rounds {
			t.Errorf("%d rounds sum up to %d, not %d", rounds, sum, 36+3*widthUnrolled*rounds)
		}
	}
}
