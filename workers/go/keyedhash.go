package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha3"
	"hash"
	"slices"

	"github.com/minio/highwayhash"
	"github.com/zeebo/blake3"
	"golang.org/x/crypto/blake2b"
	"golang.org/x/crypto/blake2s"

	"sizeup/gokit/protocol"
)

// keyedHash is a hash with a key of hashKeyBytes bytes, as kopia's repo/hashing makes it.
type keyedHash struct {
	name    string // kopia's name
	library string
	bytes   int // of its result; the rest is truncated
	make    func(key []byte) (hash.Hash, error)
}

func (h keyedHash) String() string { return h.name }

// hashKeyBytes is the length of the key 00 01 … 1f.
const hashKeyBytes = 32

// keyedHashes is kopia's eleven hashes.
var keyedHashes = []keyedHash{
	{"BLAKE2S-128", libraryXCrypto, 16, blake2s.New128},
	{"BLAKE2S-256", libraryXCrypto, 32, blake2s.New256},
	{"BLAKE2B-256", libraryXCrypto, 32, blake2b.New256},
	{"BLAKE2B-256-128", libraryXCrypto, 16, blake2b.New256},
	{"BLAKE3-256", libraryBlake3, 32, newBlake3},
	{"BLAKE3-256-128", libraryBlake3, 16, newBlake3},
	{"HMAC-SHA224", libraryGo, 28, newHMAC(sha256.New224)},
	{"HMAC-SHA256", libraryGo, 32, newHMAC(sha256.New)},
	{"HMAC-SHA256-128", libraryGo, 16, newHMAC(sha256.New)},
	{"HMAC-SHA3-224", libraryGo, 28, newHMAC(func() hash.Hash { return sha3.New224() })},
	{"HMAC-SHA3-256", libraryGo, 32, newHMAC(func() hash.Hash { return sha3.New256() })},
}

// keyedHashesOf is the hashes of one library.
func keyedHashesOf(library string) []keyedHash {
	return slices.DeleteFunc(slices.Clone(keyedHashes), func(h keyedHash) bool { return h.library != library })
}

// highwayHash is minio's.
var highwayHash = keyedHash{"HighwayHash-256", libraryHighwayHash, highwayhash.Size, highwayhash.New}

func newBlake3(key []byte) (hash.Hash, error) { return blake3.NewKeyed(key) }

func newHMAC(inner func() hash.Hash) func(key []byte) (hash.Hash, error) {
	return func(key []byte) (hash.Hash, error) { return hmac.New(inner, key), nil }
}

// knownHashes is the hash of the first bytes of `random` with the key 00 01 … 1f, made by Python's
// hashlib and hmac, the Rust implementation of BLAKE3 and Google's own of HighwayHash.
var knownHashes = map[hashed]string{
	{"BLAKE2S-128", 1048576}:       "f7a879c4ba88b89cf0f95859f087ea3d",
	{"BLAKE2S-256", 1048576}:       "ebb4ca5eaa645bd8ba0a4fbf6699f4ad91d56c970689aaf903d4f1e256b9205d",
	{"BLAKE2B-256", 1048576}:       "2d2b58866d3be31a05eb0e1145fdcfa66ff803822d28e15dc9a1dd6b343960f6",
	{"BLAKE2B-256-128", 1048576}:   "2d2b58866d3be31a05eb0e1145fdcfa6",
	{"BLAKE3-256", 1048576}:        "2275227c183bc4c82c1ab4c2ae041631fc0d65859a2e991c4df0b60fc6c00b19",
	{"BLAKE3-256-128", 1048576}:    "2275227c183bc4c82c1ab4c2ae041631",
	{"HMAC-SHA224", 1048576}:       "9451781e0c9d3d4bfc79b144754f16cd042e70dd4425b6887e93d47e",
	{"HMAC-SHA256", 1048576}:       "ba888cd88d76c8dc4cc8c162b5726405e411cf1a6b2c71275ec5599051db534b",
	{"HMAC-SHA256-128", 1048576}:   "ba888cd88d76c8dc4cc8c162b5726405",
	{"HMAC-SHA3-224", 1048576}:     "5a107c988536a2f5be42a98b1e67b0a52198b3d9fb6345218d24fdf9",
	{"HMAC-SHA3-256", 1048576}:     "81626cab2b41890fd4d952404014843c6d4a5e8f683e54ea910d393e2cc1ea87",
	{"HighwayHash-256", 1048576}:   "55c86d5f995f5e818b906820ff4e4611d5da3b6d49b152d1afd6cfcbfe29ec8d",
	{"HighwayHash-256", 5242880}:   "aed9e95d2b4237f3b8c203480f59654aa938b6b5cb273940b5d3347549e1b220",
	{"HighwayHash-256", 10485760}:  "af5d74f84ddb46a39da501d990df53131ace4ab0270b42a8fdb88ee33fbf48c5",
	{"HighwayHash-256", 26214400}:  "63f61f25895539933cce6bfb0d8bc64a31e3ddfd60d57f857b0f6d9856608ee2",
	{"HighwayHash-256", 52428800}:  "1837bc60c6259c01cdd805df9e8488240b226b9160975a9585b24e860c9618f0",
	{"HighwayHash-256", 104857600}: "2a4999c8b02954f172087128631b0e520373e348824428a85586404e50e2c819",
}

// expected is the hash of this many random bytes.
func (h keyedHash) expected(messageBytes int) ([]byte, error) {
	return expectedHash(knownHashes, hashed{h.name, messageBytes}, random, h.inPieces)
}

func (h keyedHash) inPieces(message []byte) ([]byte, error) {
	state, err := h.make(counting(hashKeyBytes))
	if err != nil {
		return nil, err
	}
	return hashInPieces(state, message)[:h.bytes], nil
}

// origin names the source of the expected hash.
func (h keyedHash) origin(messageBytes int) string {
	return originOf(knownHashes, hashed{h.name, messageBytes})
}

// hashWith hashes a message with a reused state.
func hashWith(state hash.Hash, message, sum []byte) []byte {
	state.Reset()
	_, _ = state.Write(message) // a hash.Hash never returns an error
	return state.Sum(sum)
}

// keyedHashOperation hashes with one of kopia's hashes, whose state is reused.
func keyedHashOperation(implementation string, choices []keyedHash) operation {
	var lengths []int
	for _, choice := range choices {
		lengths = append(lengths, choice.bytes)
	}
	slices.Sort(lengths)
	ranges := protocol.Ranges{
		"algorithm": namesOf(choices), "message_bytes": anyLength,
		"digest_bytes": protocol.OneOf(slices.Compact(lengths)...), "data": onlyRandom,
	}
	return declare("keyed-hash/"+implementation, func(j *job) (*plan, error) {
		return planKeyedHash(named(choices, j.Text("algorithm")), j)
	}, ranges)
}

func planKeyedHash(choice keyedHash, j *job) (*plan, error) {
	if requested := j.Integer("digest_bytes"); requested != choice.bytes {
		return nil, protocol.Faultf(protocol.KindBadRequest,
			"parameters: digest_bytes is %d; %s has %d", requested, choice, choice.bytes)
	}
	return planHashing(choice, j.Integer("message_bytes"), func(message []byte) (hashing, error) {
		state, err := choice.make(counting(hashKeyBytes))
		if err != nil {
			return nil, err
		}
		sum := make([]byte, 0, state.Size())
		return func() []byte { return hashWith(state, message, sum)[:choice.bytes] }, nil
	}), nil
}

var highwayHashRanges = protocol.Ranges{"message_bytes": anyLength, "data": onlyRandom}

// planHighwayHash plans the one-shot hash of minio/highwayhash.
func planHighwayHash(j *job) (*plan, error) {
	return planHashing(highwayHash, j.Integer("message_bytes"), func(message []byte) (hashing, error) {
		key := counting(hashKeyBytes)
		var sum [highwayhash.Size]byte
		return func() []byte {
			sum = highwayhash.Sum(message, key)
			return sum[:]
		}, nil
	}), nil
}

// hashing hashes the same message repeatedly, into the same memory.
type hashing func() []byte

func planHashing(choice keyedHash, messageBytes int, prepare func(message []byte) (hashing, error)) *plan {
	return &plan{
		BytesPerOp: int64(messageBytes),
		Verified:   "the hash matches " + choice.origin(messageBytes),
		Libraries:  []string{choice.library},
		Instantiate: func() (instance, error) {
			known, err := choice.expected(messageBytes)
			if err != nil {
				return nil, err
			}
			hash, err := prepare(random(messageBytes))
			return &hashInstance{hash: hash, known: known}, err
		},
	}
}

type hashInstance struct {
	hash  hashing
	sum   []byte // of the last op; the next one overwrites it
	known []byte
}

func (h *hashInstance) Op() error {
	h.sum = h.hash()
	return nil
}

func (h *hashInstance) Output() ([]byte, error) {
	clear(h.sum)
	err := h.Op()
	return bytes.Clone(h.sum), err
}

func (h *hashInstance) Check(output []byte) error {
	return mustEqual("the hash", output, h.known)
}
