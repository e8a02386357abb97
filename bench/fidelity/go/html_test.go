package fidelity

import (
	"html"
	"testing"
)

// Results go here, so that the compiler can't leave the work out.
var converted string

func BenchmarkHTMLEscape(b *testing.B) {
	text := string(input(b, "escape.txt"))
	b.SetBytes(int64(len(text)))
	b.ResetTimer()
	for range b.N {
		converted = html.EscapeString(text)
	}
}

func BenchmarkHTMLUnescape(b *testing.B) {
	text := html.EscapeString(string(input(b, "escape.txt")))
	b.SetBytes(int64(len(text)))
	b.ResetTimer()
	for range b.N {
		converted = html.UnescapeString(text)
	}
}
