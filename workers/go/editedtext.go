package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"

	"sizeup/gokit/protocol"
)

// The input `edited-text`, version 1: what a backup of many versions of many documents contains.
// Passages of the input `text`, each starting at a random word and 20 to 399 words long, follow
// each other. One word in twelve is left out, one in twelve gets another word before it, and two in
// twelve are replaced by another word of the text. The result is prose that compresses like prose
// and that repeats often, but seldom more than a handful of words at a time: a compressor with a
// long window finds many matches, but no whole copies. Compression ratios: deflate 2.4 to 2.8, S2
// 1.9 to 2.2, LZ4 2, Zstandard 2.7 to 3.9 (8 MiB).
const (
	editedTextName = "edited-text-1"

	// The first editedTextPinned bytes, even if a piece has fewer, prove that it is made of the
	// right text in the right way.
	editedTextPinned = 8 << 20
	editedTextDigest = "71fbec6ee5c97c5aa4c31a279f14698e7c118a40e1d97df0c6a0217262ca8f8c"
)

// Bounds of a passage in words, and how often a word is edited.
const (
	leastPassage = 20
	mostPassage  = 400
	editEvery    = 12
)

// editedText makes the first bytes of the input from `text`.
func editedText(text []byte, length int) ([]byte, error) {
	words := bytes.SplitAfter(text, []byte(" "))
	draw := rand.NewPCG(1, 2)
	below := func(bound int) int { return int(draw.Uint64() >> 32 * uint64(bound) >> 32) }
	anyWord := func() []byte { return words[below(len(words))] }

	most := max(length, editedTextPinned)
	made := make([]byte, 0, most+len(text))
	for len(made) < most {
		from := below(len(words))
		to := min(from+leastPassage+below(mostPassage-leastPassage), len(words))
		for _, word := range words[from:to] {
			switch below(editEvery) {
			case 0: // left out
			case 1:
				made = append(append(made, anyWord()...), word...)
			case 2, 3:
				made = append(made, anyWord()...)
			default:
				made = append(made, word...)
			}
		}
	}
	digest := sha256.Sum256(made[:editedTextPinned])
	if got := hex.EncodeToString(digest[:]); got != editedTextDigest {
		return nil, protocol.Faultf(protocol.KindInput, "the edited text has SHA-256 %s, not %s", got, editedTextDigest)
	}
	return made[:length], nil
}
