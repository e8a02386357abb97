package main

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"hash/crc32"
	"math"

	"github.com/zeebo/blake3"
	"github.com/zeebo/xxh3"
	"golang.org/x/crypto/blake2b"

	"sizeup/gokit/protocol"
)

// digestChoice is an unkeyed hash or checksum of a whole message; sum appends it to out, highest
// byte first.
type digestChoice struct {
	name    string
	library string
	sum     func(out, message []byte) []byte
	stream  func() hash.Hash // the library's streaming interface
}

func (c digestChoice) String() string { return c.name }

var (
	sha1Digest = digestChoice{"sha-1", libraryGo, func(out, message []byte) []byte {
		sum := sha1.Sum(message)
		return append(out, sum[:]...)
	}, sha1.New}
	sha256Digest = digestChoice{"sha-256", libraryGo, func(out, message []byte) []byte {
		sum := sha256.Sum256(message)
		return append(out, sum[:]...)
	}, sha256.New}
	sha512Digest = digestChoice{"sha-512", libraryGo, func(out, message []byte) []byte {
		sum := sha512.Sum512(message)
		return append(out, sum[:]...)
	}, sha512.New}
	sha3Digest = digestChoice{"sha3-256", libraryGo, func(out, message []byte) []byte {
		sum := sha3.Sum256(message)
		return append(out, sum[:]...)
	}, func() hash.Hash { return sha3.New256() }}
	blake2bDigest = digestChoice{"blake2b-256", libraryXCrypto, func(out, message []byte) []byte {
		sum := blake2b.Sum256(message)
		return append(out, sum[:]...)
	}, newBlake2b}
	blake3Digest = digestChoice{"blake3", libraryBlake3, func(out, message []byte) []byte {
		sum := blake3.Sum256(message)
		return append(out, sum[:]...)
	}, func() hash.Hash { return blake3.New() }}
	crc32Digest = digestChoice{"crc32", libraryGo, func(out, message []byte) []byte {
		return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(message))
	}, func() hash.Hash { return crc32.NewIEEE() }}
	crc32cDigest = digestChoice{"crc32c", libraryGo, func(out, message []byte) []byte {
		return binary.BigEndian.AppendUint32(out, crc32.Checksum(message, castagnoli))
	}, func() hash.Hash { return crc32.New(castagnoli) }}
	xxh3Digest = digestChoice{"xxh3", libraryXXH3, func(out, message []byte) []byte {
		return binary.BigEndian.AppendUint64(out, xxh3.Hash(message))
	}, func() hash.Hash { return xxh3.New() }}
)

// castagnoli is the polynomial of iSCSI, ext4 and Kafka.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func newBlake2b() hash.Hash {
	state, err := blake2b.New256(nil)
	if err != nil {
		panic(err) // only for a key that is too long; there is no key
	}
	return state
}

// hashed identifies a digest: the algorithm and the length of the message.
type hashed struct {
	algorithm    string
	messageBytes int
}

// knownDigests is the digests of counting bytes, made by other implementations: Python's hashlib
// and zlib, and the bindings of the original C (xxhash 0.8.4) and Rust (blake3 1.0.11) libraries.
var knownDigests = map[hashed]string{
	{"sha-1", 16384}:     "0f5710b4e7978972a2d74cd248826f08b74ecf57",
	{"sha-256", 16384}:   "b750b9d34d30c2e904900469867d866757188a89575dc8aab605662758f0fce6",
	{"sha-256", 1048576}: "c9585652a63fade77939b9c5e18c2c6681f2ed3972657bea95aa8c27206bbd3a",
	{"sha-512", 16384}: "4e2495d67139fed1ef79bf60280e7150a0394557b81fcbd00b20e2e751ba51c7" +
		"e7e4e011f28b0ebe4138722108c7ea5578b8f33d3eec03599304cff0c6588d3c",
	{"sha-512", 1048576}: "0fe81520422617baa9aa5c77849a7f4a7a34d2ce09962a203d8624c5261a7049" +
		"79dd1545dc1c0c6d267fa4e0ce4ff967ce9d0b12a1bd9e52374dc01f9014aa9a",
	{"sha3-256", 16384}:      "6d4579bbb75e83e160175ddb4801ec926bba5ca7eefdd715b0072ccf9e82b3e4",
	{"sha3-256", 1048576}:    "0a89a03e657ed02e5886678f71bd2b36e0d3a1635e3962272d5c0195795bacff",
	{"blake2b-256", 16384}:   "30c3fd0d81394cd3c50aef864e38888014511761b589edea16b696a2d74590a6",
	{"blake2b-256", 1048576}: "7f770259e1856cfa7ad9f0c83900e208787b4dcf0f60baabbfff76d79f502a83",
	{"blake3", 16384}:        "5c2dfb3c6330b54d9619ae822e10aa9dbdef5eae7c45290f519812f2335c9185",
	{"blake3", 1048576}:      "6d27cf5d7a39058cba96cd5c02cefb066739c3f25030d90b09afe3ae839f2641",
	{"crc32", 65536}:         "0644d9bb",
	{"crc32c", 65536}:        "83e0c0b4", // by the polynomial, bit by bit, in Python
	{"xxh3", 65536}:          "fe7b3f601e01d29d",
}

// hashOperation hashes with one of an implementation's algorithms.
func hashOperation(implementation string, choices ...digestChoice) operation {
	ranges := protocol.Ranges{"algorithm": namesOf(choices), "message_bytes": anyLength}
	return declare("hash/"+implementation, func(j *job) (*plan, error) {
		return planDigest(named(choices, j.Text("algorithm")), j)
	}, ranges)
}

// checksumOperation is named after its only algorithm.
func checksumOperation(implementation string, choice digestChoice) operation {
	return declare(choice.name+"/"+implementation, func(j *job) (*plan, error) {
		return planDigest(choice, j)
	}, protocol.Ranges{"message_bytes": anyLength})
}

// planDigest plans the digest of a message in one call.
func planDigest(choice digestChoice, j *job) (*plan, error) {
	messageBytes := j.Integer("message_bytes")
	return &plan{
		BytesPerOp:  int64(messageBytes),
		Verified:    "the digest matches " + originOf(knownDigests, hashed{choice.name, messageBytes}),
		Libraries:   []string{choice.library},
		Instantiate: func() (instance, error) { return newDigestInstance(choice, messageBytes) },
	}, nil
}

func newDigestInstance(choice digestChoice, messageBytes int) (*digestInstance, error) {
	known, err := expectedHash(knownDigests, hashed{choice.name, messageBytes}, counting,
		func(message []byte) ([]byte, error) { return hashInPieces(choice.stream(), message), nil })
	return &digestInstance{sum: choice.sum, message: counting(messageBytes), known: known}, err
}

// originOf names the source of the expected hash.
func originOf(pinned map[hashed]string, wanted hashed) string {
	if _, isPinned := pinned[wanted]; isPinned {
		return "the known answer"
	}
	return "that of the same message in pieces"
}

// expectedHash is the pinned hash of a message that fill makes or, if there is none, the hash of
// the message in pieces. Hashing in pieces must first reproduce the shortest pinned hash.
func expectedHash(pinned map[hashed]string, wanted hashed, fill func(length int) []byte,
	inPieces func(message []byte) ([]byte, error)) ([]byte, error) {
	if known, isPinned := pinned[wanted]; isPinned {
		return unhex(known), nil
	}
	shortest := hashed{wanted.algorithm, math.MaxInt}
	for other := range pinned {
		if other.algorithm == wanted.algorithm {
			shortest.messageBytes = min(shortest.messageBytes, other.messageBytes)
		}
	}
	made, err := inPieces(fill(shortest.messageBytes))
	if err != nil {
		return nil, err
	}
	if err := mustEqual("the hash of a message in pieces", made, unhex(pinned[shortest])); err != nil {
		return nil, err
	}
	return inPieces(fill(wanted.messageBytes))
}

// hashInPieces hashes a message in pieces of uneven lengths.
func hashInPieces(state hash.Hash, message []byte) []byte {
	const longest = 1<<20 - 1
	for length := 1; len(message) > 0; length = min(2*length+1, longest) {
		piece := message[:min(length, len(message))]
		_, _ = state.Write(piece) // a hash.Hash never returns an error
		message = message[len(piece):]
	}
	return state.Sum(nil)
}

type digestInstance struct {
	sum     func(out, message []byte) []byte
	message []byte
	digest  []byte // of the last op; the buffer is reused
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
