package work

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"sizeup/gokit/cpu"
	"sizeup/gokit/protocol"
)

func TestTheEnvironmentThatChangesGoIsRecorded(t *testing.T) {
	t.Setenv("GOGC", "off")
	if flags := buildFlags(""); !strings.Contains(flags, "env GOGC=off") {
		t.Errorf("flags %q", flags)
	}
}

func TestTheBuildIsDescribedBeforeTheGarbageOfTheSetupIsCollected(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	collections := func() uint32 {
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		return memory.NumForcedGC
	}
	var before uint32
	// Long enough for a batch of one, whatever the clock costs.
	op := func() error {
		time.Sleep(time.Millisecond)
		return nil
	}
	w := scriptedWorker("scripted", planScript(op))
	w.Libraries = func() map[string]string {
		before = collections()
		return map[string]string{"test": "1"}
	}
	c, ready, err := w.prepare(request("scripted"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.End()
	if after := collections(); after != before+1 {
		t.Errorf("%d collections after the libraries' versions were read, not 1", after-before)
	}
	if versions := ready.(*protocol.ReadyAnswer).Build.Libraries; versions["test"] != "1" {
		t.Errorf("libraries %v", versions)
	}
}

func TestTheManifestReadsTheVersionsOfLibrariesOnce(t *testing.T) {
	read := 0
	w := scriptedWorker("scripted", nil)
	w.Libraries = func() map[string]string {
		read++
		return map[string]string{"test": "1"}
	}
	manifest, err := w.manifest()
	if err != nil {
		t.Fatal(err)
	}
	if versions := manifest.Build.Libraries; read != 1 || len(versions) != 1 || versions["test"] != "1" {
		t.Errorf("libraries %v, read %d times", versions, read)
	}
}

func TestTheClockIsTheSystemsMonotonicClock(t *testing.T) {
	const tolerance = 10_000_000 // ns; wide, for a busy machine
	before := cpu.MonotonicNS()
	middle := monotonic(cpu.NowNS())
	after := cpu.MonotonicNS()
	if middle < before-tolerance || middle > after+tolerance {
		t.Errorf("%d is not between %d and %d", middle, before, after)
	}
}
