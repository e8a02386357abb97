package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"sizeup/gokit/protocol"
)

// sampleBytes is a length that no table has.
const sampleBytes = 100_003

// samplesOf is an operation with parameters that it declares: with every choice that
// there is, and of integers with one each.
func samplesOf(t *testing.T, op operation) (samples []sample) {
	t.Helper()
	combinations := []map[string]any{{}}
	for _, name := range slices.Sorted(maps.Keys(op.Parameters)) {
		var more []map[string]any
		for _, before := range combinations {
			for _, value := range someValues(name, op.Parameters[name]) {
				with := maps.Clone(before)
				with[name] = value
				more = append(more, with)
			}
		}
		combinations = more
	}
	for _, parameters := range combinations {
		if overhead, isECC := parameters["overhead_percent"]; isECC { // which decides on the rest
			shape := eccShapeFor(overhead.(int))
			parameters["data_shards"], parameters["parity_shards"] = shape.dataShards, shape.parityShards
			parameters["shard_bytes"] = shape.shardBytes
		}
		encoded, err := json.Marshal(parameters)
		if err != nil {
			t.Fatal(err)
		}
		s := sample{op.Name, string(encoded)}
		_, err = s.tryPlan(t)
		isCrossed := err != nil && strings.HasPrefix(protocol.AsFault(err, "").Message, "parameters: ")
		if !isCrossed && !slices.Contains(samples, s) { // two parameters may exclude each other
			samples = append(samples, s)
		}
	}
	if samples == nil {
		t.Errorf("%s refuses all of %v", op.Name, combinations)
	}
	return samples
}

// someValues is all choices, or one value.
func someValues(name string, r protocol.Range) []any {
	switch {
	case r.Text:
		return []any{"ABCDEFGHIJKLMNOPQRSTUVWXYZ$"}
	case r.From == nil:
		return r.Of
	case strings.HasSuffix(name, "_bytes"):
		return []any{min(max(sampleBytes, *r.From), *r.To)}
	}
	return []any{min(*r.From+2, *r.To)}
}

// isShortlisted says what is tested where a CPU is emulated, too: there all of it would
// take too long.
func isShortlisted(op operation) bool {
	family, _, _ := strings.Cut(op.Name, "/")
	return slices.Contains([]string{
		"empty", "regexp", "html-escape", "html-unescape", "ecdsa-p256-sign", "ecdsa-p256-verify", "rsa-sign",
		"aead-seal", "gzip-reused", "gunzip-own-reused",
	}, family)
}

// operationsToTest is the registry, or the shortlist.
func operationsToTest() []operation {
	return slices.DeleteFunc(slices.Clone(registry), func(op operation) bool {
		return testing.Short() && !isShortlisted(op)
	})
}
