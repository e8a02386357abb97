package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"testing"
)

func TestTheRandomBytesMatchTheSpecification(t *testing.T) {
	// Made by a Python program from c2sp.org/chacha8rand, independent of Go.
	const specified = "cb298738de3cd76034d3980a3325a4b40b6df2e34f88ac0eb9230ad8f74b12f9"
	digest := sha256.Sum256(random(64 << 10))
	if got := hex.EncodeToString(digest[:]); got != specified {
		t.Errorf("SHA-256 %s, not %s", got, specified)
	}
}

func TestTheRandomBytesRepeatAfterTheirPeriod(t *testing.T) {
	long := random(2*randomPeriod + 1000)
	if !bytes.Equal(long[randomPeriod:2*randomPeriod], long[:randomPeriod]) || !bytes.Equal(long[2*randomPeriod:], long[:1000]) {
		t.Error("the second period differs")
	}
}

func TestEditedTextCompressesLikeProse(t *testing.T) {
	text := opticks(t)
	// Large samples must not contain whole copies: for the text repeated 21 times Zstandard's best
	// level has a ratio of 70.
	for made, bounds := range map[stream][2]float64{
		{"lz4/pierrec", "fast", editedTextName}:             {1.9, 2.1},
		{"s2/klauspost", "default", editedTextName}:         {1.8, 1.9},
		{"s2/klauspost", "better", editedTextName}:          {2.2, 2.3},
		{"deflate/klauspost", "best-speed", editedTextName}: {2.3, 2.5},
		{"deflate/klauspost", "default", editedTextName}:    {2.6, 2.8},
		{"gzip/go", "default", editedTextName}:              {2.7, 2.9},
		{"gzip/pgzip", "default", editedTextName}:           {2.6, 2.8},
		{"zstd/klauspost", "fastest", editedTextName}:       {2.6, 2.8},
		{"zstd/klauspost", "default", editedTextName}:       {3.0, 3.2},
		{"zstd/klauspost", "better", editedTextName}:        {3.5, 3.7},
		{"zstd/klauspost", "best", editedTextName}:          {3.8, 4.0},
	} {
		p := &pieceJob{format: formatNamed(made.format), stream: made, concurrency: 1, pieceBytes: knownBytes, text: text}
		compressed, err := p.compress()
		if err != nil {
			t.Fatal(err)
		}
		if ratio := float64(p.pieceBytes) / float64(len(compressed)); ratio < bounds[0] || ratio > bounds[1] {
			t.Errorf("%v: ratio %.2f is not %v", made, ratio, bounds)
		}
	}
}

func TestAShortEditedTextIsTheBeginningOfALongOne(t *testing.T) {
	long, err := editedText(opticks(t), 9<<20)
	if err != nil {
		t.Fatal(err)
	}
	short, err := editedText(opticks(t), 1000)
	if err != nil || len(long) != 9<<20 || !bytes.Equal(short, long[:1000]) {
		t.Errorf("%d and %d bytes (%v)", len(short), len(long), err)
	}
}

func TestEditedTextFromAnotherTextIsRefused(t *testing.T) {
	if _, err := editedText([]byte("another text"), 1000); err == nil {
		t.Error("the text was accepted")
	}
}
