package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/klauspost/pgzip"
	"github.com/klauspost/reedsolomon"
	"github.com/minio/highwayhash"
	"github.com/pierrec/lz4/v4"
	"github.com/zeebo/blake3"

	"sizeup/gokit/protocol"
)

// backupProofs is the SHA-256 of each storage and backup library's output for the proof text. Where
// only one answer is correct (erasure code, hashes, cuts) it distinguishes the library from a
// broken one, otherwise from related libraries. A new version may change a stream: then pin it
// anew, and record it under "Changes results".
var backupProofs = []struct {
	name   string
	prove  func(text []byte) ([]byte, error)
	digest string
}{
	{"random", func([]byte) ([]byte, error) { return random(64 << 10), nil },
		"cb298738de3cd76034d3980a3325a4b40b6df2e34f88ac0eb9230ad8f74b12f9"},
	{libraryReedSolomon, proveParity, "86626ce3db020a97a8926236ad203b9d6514693ca869acb7281a77558cfd2d43"},
	{libraryHighwayHash, proveHighwayHash, "a0a650fceb77300f6da31967ccd75141c845f4d9ebf5bbde8c997b553afdd6aa"},
	{libraryBlake3, proveBlake3, "1c9dc4190c7e228f4bcf86e7e6c28c77c1cc8217e0db542da6cc131fecd1b3f3"},
	{libraryRollingHash + " buzhash32", proveCuts(newBuzhashSplitter), "b82e017e796f1eef2ade3ca7a2b3a536151bd8f39ff5b93572b0756ba8cd6ac5"},
	{libraryRollingHash + " rabinkarp64", proveCuts(newRabinKarpSplitter), "238a91bfb9696e8407295ac06cbfff72a598639f005e197a234c4cdd97c0d7c7"},
	{libraryCompress + " flate", proveFlate, "05a0a88f7ee6a8a2c2a6e281f0dba0e2e2fece4f17609dc18b7373e86e69b7da"},
	{libraryCompress + " s2", proveS2, "d87249ddd4d08409b2e9cfff54318c205fe5983313837ee8ef924d5129d59403"},
	{libraryCompress + " zstd", proveZstd, "262f42d9f2493a976b05b843746cc04e993038ca0d235854e4d1f0f8ecbd1a2a"},
	{libraryPgzip, provePgzip, "c1817222b29536533a0c5965f714129bafcf1792ff4f50a332556c297a8ee0cb"},
	{libraryLZ4, proveLZ4, "30c6acd3f3442de2a3ead48c1a82fece7649d91c46a16d1cbb5a532f99cebcfb"},
}

// proveBackup compares the libraries' output with the pinned one. It uses little memory, because it
// precedes every launch's work.
func proveBackup() error {
	text := proofText()
	for _, proof := range backupProofs {
		made, err := proof.prove(text)
		if err != nil {
			return protocol.Faultf(protocol.KindWrongAnswer, "%s: %v", proof.name, err)
		}
		digest := sha256.Sum256(made)
		if got := hex.EncodeToString(digest[:]); got != proof.digest {
			return protocol.Faultf(protocol.KindWrongAnswer,
				"the output of %s has SHA-256 %s, not %s", proof.name, got, proof.digest)
		}
	}
	return nil
}

// proveParity makes 4 parity shards of 12 data shards.
func proveParity(text []byte) ([]byte, error) {
	const shardBytes = 1024
	encoder, err := reedsolomon.New(12, 4, reedsolomon.WithMaxGoroutines(1))
	if err != nil {
		return nil, err
	}
	all := make([][]byte, 16)
	for i := range all {
		all[i] = bytes.Clone(nth(text, i, shardBytes))
	}
	err = encoder.Encode(all)
	return bytes.Join(all[12:], nil), err
}

func proveHighwayHash(text []byte) ([]byte, error) {
	sum := highwayhash.Sum(text, counting(hashKeyBytes))
	return sum[:], nil
}

func proveBlake3(text []byte) ([]byte, error) {
	hash, err := blake3.NewKeyed(counting(hashKeyBytes))
	if err != nil {
		return nil, err
	}
	return hashWith(hash, text, nil), nil
}

// proveCuts cuts the text into chunks of 512 bytes on average.
func proveCuts(newSplitter func(splitShape) splitter) func([]byte) ([]byte, error) {
	return func(text []byte) ([]byte, error) {
		shape := newSplitShape(512)
		s := &splitInstance{shape: shape, splitter: newSplitter(shape), block: text}
		return s.Output()
	}
}

func proveFlate(text []byte) ([]byte, error) {
	var stream bytes.Buffer
	writer, err := flate.NewWriter(&stream, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	return writeAll(writer, text, &stream)
}

func provePgzip(text []byte) ([]byte, error) {
	var stream bytes.Buffer
	writer, err := pgzip.NewWriterLevel(&stream, pgzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	// Small blocks have seams that no other gzip makes.
	if err := writer.SetConcurrency(32<<10, 1); err != nil {
		return nil, err
	}
	return writeAll(writer, bytes.Repeat(text, 4), &stream)
}

func writeAll(writer io.WriteCloser, text []byte, stream *bytes.Buffer) ([]byte, error) {
	if _, err := writer.Write(text); err != nil {
		return nil, err
	}
	err := writer.Close()
	return stream.Bytes(), err
}

func proveS2(text []byte) ([]byte, error) { return s2.Encode(nil, text), nil }

func proveZstd(text []byte) ([]byte, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(zstd.MinWindowSize),
		zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, err
	}
	return encoder.EncodeAll(text, nil), encoder.Close()
}

func proveLZ4(text []byte) ([]byte, error) {
	block := make([]byte, lz4.CompressBlockBound(len(text)))
	length, err := lz4.CompressBlock(text, block, nil)
	return block[:length], err
}
