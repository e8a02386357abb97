package main

import (
	"reflect"
	"strings"
	"testing"
)

func TestEachReplacerUsesTheAlgorithmOfItsName(t *testing.T) {
	for way, r := range map[string]replacement{
		"*strings.genericReplacer":    genericReplacement,
		"*strings.byteReplacer":       byteToByteReplacement,
		"*strings.byteStringReplacer": byteToStringReplacement,
	} {
		replacer := strings.NewReplacer(r.pairs...)
		replacer.Replace(r.text) // the first call chooses the algorithm
		if got := reflect.ValueOf(replacer).Elem().FieldByName("r").Elem().Type().String(); got != way {
			t.Errorf("%q uses %s, not %s", r.pairs, got, way)
		}
	}
}

func TestReplacingOneByOneUsesTheFirstMatchAndReplacesNothingTwice(t *testing.T) {
	for text, expected := range map[string]string{
		"":      "",
		"abcab": "bcabcbcab",
		"xaay":  "xabcabcy",
	} {
		r := replacement{pairs: []string{"ab", "bcab", "a", "abc", "aa", "never"}, text: text}
		if got := r.oneByOne(); got != expected {
			t.Errorf("%q becomes %q, not %q", text, got, expected)
		}
	}
}
