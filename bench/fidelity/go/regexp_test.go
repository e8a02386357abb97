package fidelity

import (
	"regexp"
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
