package cpu

import (
	"testing"
	"unsafe"
)

// someLines are lines for a test, aligned.
func someLines(count int) ([]byte, uintptr) {
	memory := make([]byte, (count+1)*lineBytes)
	at := uintptr(unsafe.Pointer(&memory[0]))
	skipped := -at & (lineBytes - 1)
	return memory[skipped:][:count*lineBytes], at + skipped
}

func TestTheChainVisitsEveryLineOnceAndEndsWhereItBegan(t *testing.T) {
	const count = 1024
	lines, at := someLines(count)
	link(lines, at)
	if end := followLines(at, count/linesUnrolled); end != at {
		t.Errorf("after %d lines it is at %#x, not at %#x", count, end, at)
	}
	places := map[uintptr]bool{}
	for rounds := range int64(count / linesUnrolled) {
		place := followLines(at, rounds+1)
		if place < at || place >= at+count*lineBytes || (place-at)%lineBytes != 0 {
			t.Fatalf("%#x is no line from %#x on", place, at)
		}
		places[place] = true
	}
	if len(places) != count/linesUnrolled {
		t.Errorf("%d places after %d different numbers of rounds", len(places), count/linesUnrolled)
	}
}

func TestTheStreamReadsEveryLineOnceAlsoAfterAFlush(t *testing.T) {
	for _, count := range []int{linesUnrolled, 1024, streamLines} {
		lines, at := someLines(count)
		number(lines)
		for range 2 {
			if sum := sumLines(at, int64(count/linesUnrolled)); sum != uint64(count*(count-1)/2) {
				t.Errorf("%d lines sum up to %d", count, sum)
			}
			flushLines(at, int64(count))
		}
	}
}

func TestAMemoryPulseHasTheNumbersOfTheProtocol(t *testing.T) {
	memory := NewMemory()
	if memory == nil {
		t.Fatal("no room for two pages")
	}
	for _, take := range []func() (loads, loadsNS, lines, linesNS int64){
		func() (int64, int64, int64, int64) {
			p := memory.Before()
			return p.Loads, p.LoadsNS, p.Lines, p.LinesNS
		},
		func() (int64, int64, int64, int64) {
			p := memory.After()
			return p.Loads, p.LoadsNS, p.Lines, p.LinesNS
		},
	} {
		loads, loadsNS, lines, linesNS := take()
		if loads != 2048 || lines != 16384 || loadsNS <= 0 || linesNS <= 0 {
			t.Errorf("%d loads in %d ns, %d lines in %d ns", loads, loadsNS, lines, linesNS)
		}
	}
	var without *Memory
	if without.Before() != nil || without.After() != nil {
		t.Error("a pulse without memory")
	}
}
