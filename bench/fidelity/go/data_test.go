package fidelity

import (
	"bytes"
	"math/rand/v2"
	"runtime"
	"testing"
)

// randomBytes can't be compressed. They are those of the worker: where splitters cut, and so how much they hash,
// hangs on the bytes.
func randomBytes(length int) []byte {
	made := make([]byte, length)
	rand.NewChaCha8([32]byte([]byte("sizeup: random bytes, version 1."))).Read(made)
	return made
}

// editedText is the input edited-text-1: passages of the text, one word in twelve left out, one with another
// word before it, two replaced.
func editedText(b *testing.B) []byte {
	b.Helper()
	const length = 8 << 20
	words := bytes.SplitAfter(input(b, "opticks.txt"), []byte{' '})
	numbers := rand.NewPCG(1, 2)
	number := func(n int) int { return int((numbers.Uint64() >> 32) * uint64(n) >> 32) }
	var text bytes.Buffer
	for text.Len() < length {
		at := number(len(words))
		last := at + 20 + number(380)
		for ; at < last && at < len(words); at++ {
			edit := number(12)
			if edit >= 1 && edit <= 3 {
				text.Write(words[number(len(words))])
			}
			if edit == 1 || edit > 3 {
				text.Write(words[at])
			}
		}
	}
	return text.Bytes()[:length]
}

// repeat runs an op again and again: in a plain loop at -test.cpu=1, else on as
// many goroutines as it says, each with a state of its own.
func repeat(b *testing.B, bytes int, state func() func() error) {
	ops := make(chan func() error, runtime.GOMAXPROCS(0))
	for range cap(ops) {
		ops <- state()
	}
	b.SetBytes(int64(bytes))
	b.ResetTimer()
	if cap(ops) == 1 {
		op := <-ops
		for range b.N {
			if err := op(); err != nil {
				b.Fatal(err)
			}
		}
		return
	}
	b.RunParallel(func(pb *testing.PB) {
		op := <-ops
		for pb.Next() {
			if err := op(); err != nil {
				b.Error(err)
				return
			}
		}
	})
}
