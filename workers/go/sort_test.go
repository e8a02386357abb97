package main

import (
	"cmp"
	"strings"
	"testing"
)

func TestASortThatOnlyCopiesIsFound(t *testing.T) {
	copyOnly[uint64](t, "sort-u64/go")
	copyOnly[string](t, "sort-strings/go")
}

func copyOnly[T cmp.Ordered](t *testing.T, operation string) {
	t.Helper()
	inst := trial{operation, `{"items":1026}`}.instance(t).(*sortInstance[T])
	inst.sort = func(sorted, unsorted []T) { copy(sorted, unsorted) }
	output, err := inst.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := inst.Check(output); err == nil || !strings.Contains(err.Error(), "not sorted") {
		t.Errorf("%s: %v", operation, err)
	}
}
