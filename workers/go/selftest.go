package main

import (
	"crypto/sha256"
	"encoding/hex"
	"runtime"
	"runtime/debug"
)

// gzipProof is the SHA-256 of the proof text compressed by this Go's
// compress/gzip at level 8; other compressors find other matches. A new Go may
// change it: then pin it anew, and say so under "Changes results".
const gzipProof = "26c593dd8836892245f4379d5a95bd00ceb1e764448810ed319584982bd8e757"

// selfTest proves that each library is the one that it is said to be.
func selfTest() error {
	for _, test := range []func() error{proveVersions, proveGzip, proveSeals, proveBackup} {
		if err := test(); err != nil {
			return asFault(err, kindWrongAnswer).in("self-test").
				advise("build the worker anew with the toolchain and the modules that go.mod names")
		}
	}
	return nil
}

// proveVersions checks that every library has a version, and that the runtime
// is the one that the program was built with.
func proveVersions() error {
	for _, name := range libraryNames {
		if libraryVersion(name) == "" {
			return faultf(kindWrongAnswer, "the version of %s is not known", name)
		}
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return faultf(kindWrongAnswer, "the program has no build information")
	}
	if info.GoVersion != runtime.Version() {
		return faultf(kindWrongAnswer, "built with %s, runs on %s", info.GoVersion, runtime.Version())
	}
	return nil
}

// proveGzip compresses a text and compares the stream with the one pinned.
func proveGzip() error {
	compressed, err := gzipBytes(proofText(), 8)
	if err != nil {
		return err
	}
	digest := sha256.Sum256(compressed)
	if got := hex.EncodeToString(digest[:]); got != gzipProof {
		return faultf(kindWrongAnswer, "compress/gzip made a stream of SHA-256 %s, not %s", got, gzipProof)
	}
	return nil
}

// proofText is 16 KiB of words in an order that has no period, so that a
// compressor has choices to make.
func proofText() []byte {
	words := []string{"core ", "cache ", "clock ", "width ", "window ", "round ", "thread ", "op\n"}
	const length = 16 << 10
	text := make([]byte, 0, length+len("window "))
	for state := uint32(1); len(text) < length; {
		state = state*1664525 + 1013904223
		text = append(text, words[state>>29]...)
	}
	return text[:length]
}

// proveSeals compares each cipher's sealed message with the one pinned.
func proveSeals() error {
	for _, choice := range []cipherChoice{aes128GCM, chaCha20Poly1305} {
		const messageBytes, adBytes = 8192, 13
		inst, err := newSealInstance(choice, messageBytes, adBytes)
		if err != nil {
			return err
		}
		if inst.known == "" {
			return faultf(kindInternal, "%s has no known answer", choice.name)
		}
		if _, err := verify(inst, -1); err != nil {
			return err
		}
	}
	return nil
}
