package main

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"

	"github.com/zeebo/blake3"
	"github.com/zeebo/xxh3"
	"golang.org/x/crypto/blake2b"

	"sizeup/gokit/protocol"
)

// digestChoice is an unkeyed hash or checksum of a whole message; sum appends it
// to out, highest byte first.
type digestChoice struct {
	name    string
	library string
	sum     func(out, message []byte) []byte
}

var (
	sha256Digest = digestChoice{"sha-256", libraryGo, func(out, message []byte) []byte {
		sum := sha256.Sum256(message)
		return append(out, sum[:]...)
	}}
	sha512Digest = digestChoice{"sha-512", libraryGo, func(out, message []byte) []byte {
		sum := sha512.Sum512(message)
		return append(out, sum[:]...)
	}}
	sha3Digest = digestChoice{"sha3-256", libraryGo, func(out, message []byte) []byte {
		sum := sha3.Sum256(message)
		return append(out, sum[:]...)
	}}
	blake2bDigest = digestChoice{"blake2b-256", libraryXCrypto, func(out, message []byte) []byte {
		sum := blake2b.Sum256(message)
		return append(out, sum[:]...)
	}}
	blake3Digest = digestChoice{"blake3", libraryBlake3, func(out, message []byte) []byte {
		sum := blake3.Sum256(message)
		return append(out, sum[:]...)
	}}
	crc32Digest = digestChoice{"crc32", libraryGo, func(out, message []byte) []byte {
		return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(message))
	}}
	xxh3Digest = digestChoice{"xxh3", libraryXXH3, func(out, message []byte) []byte {
		return binary.BigEndian.AppendUint64(out, xxh3.Hash(message))
	}}
)

// knownDigests is the digests of counting bytes by name and length, as other
// implementations make them: Python's hashlib and zlib, and the bindings of
// the original C (xxhash 0.8.4) and Rust (blake3 1.0.11) libraries.
var knownDigests = map[string]string{
	"sha-256 16384":   "b750b9d34d30c2e904900469867d866757188a89575dc8aab605662758f0fce6",
	"sha-256 1048576": "c9585652a63fade77939b9c5e18c2c6681f2ed3972657bea95aa8c27206bbd3a",
	"sha-512 16384": "4e2495d67139fed1ef79bf60280e7150a0394557b81fcbd00b20e2e751ba51c7" +
		"e7e4e011f28b0ebe4138722108c7ea5578b8f33d3eec03599304cff0c6588d3c",
	"sha-512 1048576": "0fe81520422617baa9aa5c77849a7f4a7a34d2ce09962a203d8624c5261a7049" +
		"79dd1545dc1c0c6d267fa4e0ce4ff967ce9d0b12a1bd9e52374dc01f9014aa9a",
	"sha3-256 16384":      "6d4579bbb75e83e160175ddb4801ec926bba5ca7eefdd715b0072ccf9e82b3e4",
	"sha3-256 1048576":    "0a89a03e657ed02e5886678f71bd2b36e0d3a1635e3962272d5c0195795bacff",
	"blake2b-256 16384":   "30c3fd0d81394cd3c50aef864e38888014511761b589edea16b696a2d74590a6",
	"blake2b-256 1048576": "7f770259e1856cfa7ad9f0c83900e208787b4dcf0f60baabbfff76d79f502a83",
	"blake3 16384":        "5c2dfb3c6330b54d9619ae822e10aa9dbdef5eae7c45290f519812f2335c9185",
	"blake3 1048576":      "6d27cf5d7a39058cba96cd5c02cefb066739c3f25030d90b09afe3ae839f2641",
	"crc32 65536":         "0644d9bb",
	"xxh3 65536":          "fe7b3f601e01d29d",
}

// planDigest plans the digest of a message in one call.
func planDigest(choice digestChoice) func(*job) (*plan, error) {
	return func(j *job) (*plan, error) {
		var messageBytes int64
		if err := j.parameters(protocol.Field{Name: "message_bytes", Into: &messageBytes}); err != nil {
			return nil, err
		}
		// Before any thread has its own: an unknown length is the request's fault.
		if _, err := knownDigest(choice, messageBytes); err != nil {
			return nil, err
		}
		return &plan{
			bytesPerOp:  messageBytes,
			verified:    "the digest is the known answer",
			libraries:   []string{choice.library},
			instantiate: func() (instance, error) { return newDigestInstance(choice, messageBytes) },
		}, nil
	}
}

func knownDigest(choice digestChoice, messageBytes int64) ([]byte, error) {
	known, ok := knownDigests[fmt.Sprintf("%s %d", choice.name, messageBytes)]
	if !ok {
		return nil, protocol.Faultf(protocol.KindBadRequest,
			"parameters: message_bytes is %d, for which %s has no known answer", messageBytes, choice.name)
	}
	return unhex(known), nil
}

func newDigestInstance(choice digestChoice, messageBytes int64) (*digestInstance, error) {
	known, err := knownDigest(choice, messageBytes)
	if err != nil {
		return nil, err
	}
	return &digestInstance{sum: choice.sum, message: counting(int(messageBytes)), known: known}, nil
}

type digestInstance struct {
	sum     func(out, message []byte) []byte
	message []byte
	digest  []byte // of the last op; the buffer is used again
	known   []byte
}

func (d *digestInstance) Op() error {
	d.digest = d.sum(d.digest[:0], d.message)
	return nil
}

func (d *digestInstance) Output() ([]byte, error) {
	clear(d.digest)
	err := d.Op()
	return bytes.Clone(d.digest), err
}

func (d *digestInstance) Check(output []byte) error {
	if !bytes.Equal(output, d.known) {
		return protocol.Faultf(protocol.KindWrongAnswer, "the digest is %s, not %s",
			hex.EncodeToString(output), hex.EncodeToString(d.known))
	}
	return nil
}
