package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sizeup/gokit/protocol"
)

// leastOps is the minimum number of ops in a sample.
const leastOps = 3

func TestASampleOnTwoThreadsHasPlausibleFigures(t *testing.T) {
	answers, status := converse(t, quick.request(t, 2).line(), aSample.line())
	if status != 0 || answers[1].Answer != "sample" {
		t.Fatalf("status %d, %+v", status, answers)
	}
	sample := answers[1]
	if len(sample.Threads) != 2 {
		t.Fatalf("%d threads", len(sample.Threads))
	}
	const requested = 20_000_000
	for i, thread := range sample.Threads {
		if thread.CPU != someCPUs()[i%len(someCPUs())] {
			t.Errorf("thread %d worked on CPU %d", i, thread.CPU)
		}
		if thread.Ops < leastOps || thread.Ops%answers[0].BatchOps != 0 {
			t.Errorf("thread %d did %d ops in batches of %d", i, thread.Ops, answers[0].BatchOps)
		}
		if thread.ElapsedNS < requested || thread.ElapsedNS > sample.EndNS-sample.StartNS {
			t.Errorf("thread %d took %d ns", i, thread.ElapsedNS)
		}
		if thread.CPUNS <= 0 || thread.MinorFaults < 0 || thread.InvoluntarySwitches < 0 {
			t.Errorf("thread %d: %+v", i, thread)
		}
		for _, p := range []protocol.Pulse{thread.PulseBefore, thread.PulseAfter} {
			if p.ClockOps <= 0 || p.WidthOps <= 0 || p.ClockNS <= 0 || p.WidthNS <= 0 {
				t.Errorf("thread %d: pulse %+v", i, p)
			}
		}
	}
	for i, thread := range sample.Threads {
		for _, p := range []*protocol.MemoryPulse{thread.MemoryBefore, thread.MemoryAfter} {
			if p == nil || p.Loads <= 0 || p.Lines <= 0 || p.LoadsNS <= 0 || p.LinesNS <= 0 {
				t.Errorf("thread %d: memory pulse %+v", i, p)
			}
		}
	}
	first := sample.Threads[0]
	if sample.ProcessCPUNS < first.CPUNS || sample.ProcessElapsedNS < first.ElapsedNS {
		t.Errorf("process %d of %d ns, its thread 0 %d of %d",
			sample.ProcessCPUNS, sample.ProcessElapsedNS, first.CPUNS, first.ElapsedNS)
	}
}

func TestEveryThreadOfTheProcessStaysOnTheGivenCPUs(t *testing.T) {
	cpus := someCPUs()[:1]
	converse(t, quick.request(t, 2).with("cpus", cpus).line())
	tasks, err := filepath.Glob("/proc/self/task/*")
	if err != nil || len(tasks) < 2 {
		t.Fatal(tasks, err)
	}
	const key = "Cpus_allowed:"
	var masks []string
	for _, task := range tasks {
		status, err := os.ReadFile(task + "/status")
		if err != nil {
			continue // it has ended
		}
		_, mask, _ := strings.Cut(string(status), key)
		mask, _, _ = strings.Cut(mask, "\n")
		masks = append(masks, strings.TrimSpace(mask))
	}
	for _, mask := range masks {
		if mask != masks[0] || strings.Trim(mask, "0,") != string("1248"[cpus[0]%4]) {
			t.Errorf("thread masks %q, not CPU %d alone", masks, cpus[0])
			break
		}
	}
}
