package main

import (
	"crypto/sha256"
	"encoding/hex"
	"runtime"

	"sizeup/gokit/process"
	"sizeup/gokit/protocol"
	"sizeup/gokit/work"
)

// Proofs are the SHA-256 of the proof text compressed by each library; other compressors find other
// matches. A new release may change them: then pin them again, and record it under "Changes
// results".
const (
	goGzipProof        = "26c593dd8836892245f4379d5a95bd00ceb1e764448810ed319584982bd8e757" // level 8
	klauspostGzipProof = "b0ab75a11088c10e3c0193dcd9d4258c8550c76be3d61b12ff95b40c6a6f3df7" // level 6
	klauspostZstdProof = "adb6a2cc2df7f2d32546af71cea12b7d95d90f705c6373288f6d46254d137007" // level 3
)

// selfTest proves that each linked library is the expected one.
func selfTest() error {
	for _, test := range []func() error{proveVersions, proveCompressors, proveSeals, proveDigests, proveBackup} {
		if err := test(); err != nil {
			return protocol.AsFault(err, protocol.KindWrongAnswer).In("self-test").
				Advise("rebuild the worker with the toolchain and the modules of go.mod")
		}
	}
	return nil
}

// proveVersions checks that every library has a version, and that the runtime is the one that the
// program was built with.
func proveVersions() error {
	for _, name := range libraryNames {
		if libraryVersion(name) == "" {
			return protocol.Faultf(protocol.KindWrongAnswer, "the version of %s is unknown", name)
		}
	}
	info, ok := process.BuildInfo()
	if !ok {
		return protocol.Faultf(protocol.KindWrongAnswer, "the program has no build information")
	}
	if info.GoVersion != runtime.Version() {
		return protocol.Faultf(protocol.KindWrongAnswer, "built with %s, runs on %s", info.GoVersion, runtime.Version())
	}
	return nil
}

// proveCompressors compresses a text with each library and compares the streams with the pinned
// ones.
func proveCompressors() error {
	for _, proof := range []struct {
		what, pinned string
		compress     func() ([]byte, error)
	}{
		{"compress/gzip", goGzipProof, func() ([]byte, error) { return goGzip.compress(proofText(), 8) }},
		{"klauspost's gzip", klauspostGzipProof, func() ([]byte, error) { return klauspostGzip.compress(proofText(), 6) }},
		{"klauspost's zstd", klauspostZstdProof, func() ([]byte, error) { return zstdBytes(proofText(), 3) }},
	} {
		compressed, err := proof.compress()
		if err != nil {
			return err
		}
		digest := sha256.Sum256(compressed)
		if got := hex.EncodeToString(digest[:]); got != proof.pinned {
			return protocol.Faultf(protocol.KindWrongAnswer,
				"the stream of %s has SHA-256 %s, not %s", proof.what, got, proof.pinned)
		}
	}
	return nil
}

// proofText is 16 KiB of words in an order without a period, so that a compressor has choices to
// make. The pinned proofs depend on these words.
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

// proveSeals compares each cipher's sealed message with the pinned one.
func proveSeals() error {
	for _, choice := range []cipherChoice{aes128GCM, aes256GCM, chaCha20Poly1305} {
		const messageBytes, adBytes = 8192, 13
		inst, err := newSealInstance(choice, messageBytes, adBytes)
		if err != nil {
			return err
		}
		if inst.known == "" {
			return protocol.Faultf(protocol.KindInternal, "%s has no known answer", choice.name)
		}
		if _, err := work.Verify(inst, -1); err != nil {
			return err
		}
	}
	return nil
}

// proveDigests compares a digest of each module with the pinned one.
func proveDigests() error {
	for _, proof := range []struct {
		choice       digestChoice
		messageBytes int
	}{
		{blake2bDigest, 16 << 10}, {blake3Digest, 16 << 10}, {xxh3Digest, 64 << 10},
	} {
		inst, err := newDigestInstance(proof.choice, proof.messageBytes)
		if err != nil {
			return err
		}
		if _, err := work.Verify(inst, -1); err != nil {
			return err
		}
	}
	return nil
}
