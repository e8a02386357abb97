package fidelity

import (
	"regexp"
	"strings"
	"testing"
)

func benchmarkRegexp(b *testing.B, pattern string) {
	text := input(b, "regex-text-256KiB.txt")
	re := regexp.MustCompile(pattern)
	b.SetBytes(int64(len(text)))
	b.ResetTimer()
	for range b.N {
		if re.Match(text) {
			b.Fatal("match")
		}
	}
}

func BenchmarkRegexpEasy(b *testing.B)  { benchmarkRegexp(b, "ABCDEFGHIJKLMNOPQRSTUVWXYZ$") }
func BenchmarkRegexpEasyI(b *testing.B) { benchmarkRegexp(b, "(?i)ABCDEFGHIJklmnopqrstuvwxyz$") }
func BenchmarkRegexpEasy2(b *testing.B) {
	benchmarkRegexp(b, "A[AB]B[BC]C[CD]D[DE]E[EF]F[FG]G[GH]H[HI]I[IJ]J$")
}
func BenchmarkRegexpMedium(b *testing.B) { benchmarkRegexp(b, "[XYZ]ABCDEFGHIJKLMNOPQRSTUVWXYZ$") }
func BenchmarkRegexpHard(b *testing.B)   { benchmarkRegexp(b, "[ -~]*ABCDEFGHIJKLMNOPQRSTUVWXYZ$") }
func BenchmarkRegexpHard2(b *testing.B) {
	benchmarkRegexp(b, "ABCD|CDEF|EFGH|GHIJ|IJKL|KLMN|MNOP|OPQR|QRST|STUV|UVWX|WXYZ")
}

func findAll(b *testing.B, pattern string, find func(re *regexp.Regexp, text []byte) [][]int) {
	text := input(b, "access.log")
	re := regexp.MustCompile(strings.TrimSpace(string(input(b, pattern))))
	b.SetBytes(int64(len(text)))
	b.ResetTimer()
	for range b.N {
		if len(find(re, text)) == 0 {
			b.Fatal("no match")
		}
	}
}

func matches(re *regexp.Regexp, text []byte) [][]int { return re.FindAllIndex(text, -1) }

func BenchmarkRegexLog(b *testing.B) {
	findAll(b, "pattern-fields.txt", func(re *regexp.Regexp, text []byte) [][]int { return re.FindAllSubmatchIndex(text, -1) })
}
func BenchmarkRegexWAF(b *testing.B)      { findAll(b, "pattern-attacks.txt", matches) }
func BenchmarkRegexLiterals(b *testing.B) { findAll(b, "pattern-agents.txt", matches) }
