package main

import (
	"math/rand/v2"

	"sizeup/gokit/protocol"
)

// The input `random`, version 1: the stream of ChaCha8Rand (c2sp.org/chacha8rand, which
// math/rand/v2 implements) from this seed. It repeats after randomPeriod bytes, so that hundreds of
// MiB cost no more than copying.
const (
	randomName   = "random-1"
	randomSeed   = "sizeup: random bytes, version 1."
	randomPeriod = 32 << 20
)

// random makes the first bytes of the input.
func random(length int) []byte {
	made := make([]byte, length)
	period := made[:min(length, randomPeriod)]
	// ChaCha8.Read never fails.
	_, _ = rand.NewChaCha8([32]byte([]byte(randomSeed))).Read(period)
	for at := len(period); at < length; {
		at += copy(made[at:], period)
	}
	return made
}

// onlyRandom is the range of the parameter that names generated data and its version.
var onlyRandom = protocol.OneOf(randomName)
