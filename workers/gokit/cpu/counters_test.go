package cpu

import (
	"runtime"
	"testing"
)

func TestEveryEventIsFoundOrMissingWithAReason(t *testing.T) {
	counted := FindCounters()
	known := map[string]bool{}
	for _, group := range counted.Groups {
		for _, name := range group {
			known[name] = true
		}
	}
	for name, why := range counted.Missing {
		if why == "" || known[name] {
			t.Errorf("%s: %q", name, why)
		}
		known[name] = true
	}
	for _, events := range eventGroups {
		for _, e := range events {
			if !known[e.name] {
				t.Errorf("%s is neither found nor missing", e.name)
			}
		}
	}
}

func TestWhatIsReadHasTheFormOfWhatWasFound(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	counted := FindCounters()
	counters := OpenCounters(counted)
	counts := CountedBetween(counters.Read(), counters.Read())
	if len(counts) != len(counted.Groups) {
		t.Fatalf("%v of %v", counts, counted.Groups)
	}
	for i, words := range counts {
		if len(words) != 2+len(counted.Groups[i]) || words[1] > words[0] {
			t.Errorf("%v of %v", words, counted.Groups[i])
		}
	}
}
