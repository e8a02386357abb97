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

// trialsOf is an operation with parameters that it declares: with every choice, and with one value
// of each integer.
func trialsOf(t *testing.T, op operation) (trials []trial) {
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
		if overhead, isECC := parameters["overhead_percent"]; isECC { // which determines the rest
			shape := eccShapeFor(overhead.(int))
			parameters["data_shards"], parameters["parity_shards"] = shape.dataShards, shape.parityShards
			parameters["shard_bytes"] = shape.shardBytes
		}
		encoded, err := json.Marshal(parameters)
		if err != nil {
			t.Fatal(err)
		}
		if digest, has := parameters["spans_sha256"]; has && (parameters["finds"] == findsGroups) != (digest == findDigests[1]) {
			continue // of what is not looked for
		}
		s := trial{op.Name, string(encoded)}
		_, err = s.tryPlan(t)
		isCrossed := err != nil && strings.HasPrefix(protocol.AsFault(err, "").Message, "parameters: ")
		if !isCrossed && !slices.Contains(trials, s) { // two parameters may exclude each other
			trials = append(trials, s)
		}
	}
	if trials == nil {
		t.Errorf("%s refuses all of %v", op.Name, combinations)
	}
	return trials
}

// someValues is all choices, or one value.
func someValues(name string, r protocol.Range) []any {
	switch {
	case name == "spans_sha256":
		return findDigests
	case r.Text:
		return []any{"ABCDEFGHIJKLMNOPQRSTUVWXYZ$"}
	case r.From == nil:
		return r.Of
	case strings.HasSuffix(name, "_bytes"):
		return []any{min(max(sampleBytes, *r.From), *r.To)}
	}
	return []any{min(*r.From+2, *r.To)}
}

// isShortlisted reports what is also tested on an emulated CPU, where all operations would take too
// long.
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
