package cpu

import (
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sizeup/gokit/protocol"
)

func allowed(t *testing.T) []int {
	t.Helper()
	cpus, err := Allowed()
	if err != nil || len(cpus) == 0 {
		t.Fatalf("%v, %v", cpus, err)
	}
	return cpus
}

// onThread runs a part of a test on a thread that ends with it.
func onThread(part func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		part()
	}()
	<-done
}

func TestAPinnedThreadHasOneCPU(t *testing.T) {
	for _, cpu := range allowed(t) {
		onThread(func() {
			if err := PinThread(cpu); err != nil {
				t.Error(err)
			}
			if cpus, err := Allowed(); err != nil || !slices.Equal(cpus, []int{cpu}) {
				t.Errorf("pinned to CPU %d, allowed: %v (%v)", cpu, cpus, err)
			}
		})
	}
}

func TestAnUnavailableCPUIsAResourcesFault(t *testing.T) {
	if slices.Contains(allowed(t), 1000) {
		t.Skip("there is a CPU 1000")
	}
	for _, cpu := range []int{1000, 5000} {
		onThread(func() {
			err := setAffinity(0, []int{allowed(t)[0], cpu})
			f := protocol.AsFault(err, "")
			if f.Kind != protocol.KindResources || !strings.Contains(f.Message, strconv.Itoa(cpu)) {
				t.Errorf("%v", err)
			}
		})
	}
}
