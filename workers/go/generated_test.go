package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"testing"
)

func TestTheRandomBytesAreThoseOfTheSpecification(t *testing.T) {
	// As a Python program made them that knows c2sp.org/chacha8rand and nothing of Go.
	const specified = "cb298738de3cd76034d3980a3325a4b40b6df2e34f88ac0eb9230ad8f74b12f9"
	digest := sha256.Sum256(random(64 << 10))
	if got := hex.EncodeToString(digest[:]); got != specified {
		t.Errorf("SHA-256 %s, not %s", got, specified)
	}
}

func TestTheRandomBytesBeginAgainAfterTheirPeriod(t *testing.T) {
	long := random(2*randomPeriod + 1000)
	if !bytes.Equal(long[randomPeriod:2*randomPeriod], long[:randomPeriod]) || !bytes.Equal(long[2*randomPeriod:], long[:1000]) {
		t.Error("they go on in another way")
	}
}

func TestEditedTextCompressesLikeProse(t *testing.T) {
	text := sampleInput(t, "text")
	piece, err := editedText(text)
	if err != nil {
		t.Fatal(err)
	}
	// Large windows must not find whole copies: for the text 21 times over Zstandard's
	// best level has a ratio of 70.
	for algorithm, bounds := range map[string][2]float64{
		"lz4": {1.9, 2.1}, "s2-default": {1.8, 1.9}, "s2-better": {2.2, 2.3}, "deflate-best-speed": {2.3, 2.5},
		"deflate-default": {2.6, 2.8}, "gzip": {2.7, 2.9}, "pgzip": {2.6, 2.8}, "zstd-fastest": {2.6, 2.8},
		"zstd": {3.0, 3.2}, "zstd-better-compression": {3.5, 3.7}, "zstd-best-compression": {3.8, 4.0},
	} {
		compressed, err := compressPiece(codecs[algorithm], editedPiece, text)
		if err != nil {
			t.Fatal(err)
		}
		if ratio := float64(len(piece)) / float64(len(compressed)); ratio < bounds[0] || ratio > bounds[1] {
			t.Errorf("%s: ratio %.2f is not %v", algorithm, ratio, bounds)
		}
	}
}

func TestEditedTextOfAnotherTextIsRefused(t *testing.T) {
	if _, err := editedText([]byte("another text")); err == nil {
		t.Error("it passed")
	}
}
