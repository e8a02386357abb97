package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"

	"sizeup/gokit/protocol"
)

// The input `edited-text`, version 1: what a backup of many versions of many
// documents holds. Passages of the input `text`, from a random word on and 20 to
// 399 words long, follow each other. In them one word in twelve is left out, one
// in twelve gets another word before it, and two in twelve are replaced by
// another one of the text. So prose that compresses as prose does, and that
// comes again and again, but seldom more than a handful of words in one piece: a
// compressor with a long window finds a lot to refer to, and no whole copies.
// Of 8 MiB deflate makes a 2.4th to a 2.8th, S2 a 1.9th to a 2.2nd, LZ4 half,
// Zstandard a 2.7th to a 3.9th.
const (
	editedTextName = "edited-text-1"

	// The first editedTextPinned bytes, whether or not a piece has as many, prove
	// that it is made of the right text in the right way.
	editedTextPinned = 8 << 20
	editedTextDigest = "71fbec6ee5c97c5aa4c31a279f14698e7c118a40e1d97df0c6a0217262ca8f8c"
)

// Bounds of a passage in words, and how often a word is edited.
const (
	leastPassage = 20
	mostPassage  = 400
	editEvery    = 12
)

// editedText makes the first bytes of the input out of `text`.
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
