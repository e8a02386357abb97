package main

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"sizeup/gokit/protocol"
)

// splitShape is the parameters of content-defined splitting: a block is cut where the low bits of a
// rolling hash over the last splitWindow bytes are all zero, with 2^n = average, never before half
// nor after twice the average. The rule is from kopia's repo/splitter.
type splitShape struct {
	average, least, most int // bytes of a chunk
}

// splitWindow is the number of bytes that the rolling hash covers.
const splitWindow = 64

func newSplitShape(average int) splitShape {
	return splitShape{average: average, least: average / 2, most: average * 2}
}

// scan returns where in data the hash may end a chunk, and where rolling starts: up to the minimum
// length only the last window is hashed.
func (s splitShape) scan(data []byte) (roll, from, to int) {
	from = min(s.least-1, len(data))
	return max(from-splitWindow, 0), from, min(s.most, len(data))
}

// splitter finds the end of the first chunk of data. Both kinds hold a concrete type and no
// interface: an interface call in this loop costs 40 % (kopia's repo/splitter).
type splitter interface {
	cut(data []byte) int
}

// cuts is the parameters that determine where a block is cut.
type cuts struct {
	algorithm    string
	averageBytes int
}

// knownBlock is the length of a block whose cuts are pinned, as in kopia's benchmark.
const knownBlock = 32 << 20

// knownCuts is the SHA-256 of the cuts of the block of `random`, each cut as 32 bits, lowest first.
// kopia 0.23.1's repo/splitter and hashing the window anew at each byte agree on them.
var knownCuts = map[cuts]string{
	{"buzhash", 131072}:    "7621bbff672fd8ca5b29d703d20a1fb0f5b45ed40711a119e3cd93f845bf1a56",
	{"buzhash", 262144}:    "d1cca1e3cb6bfea148ef0116b4c124c815d396041da9616a8aecdcab2567a559",
	{"buzhash", 524288}:    "a3cb2ef8e1cf2e887d6ca24627d44e91c69297a4db705a190c3dd040e64c3e05",
	{"buzhash", 1048576}:   "7e72833b011c89e2c6afefb4463b94afa7b61502570c4b55863b36fd92270876",
	{"buzhash", 2097152}:   "e50fef00edac594bc6c0f633ed7d0ec5a1ca7a734cbea6e838c922618dbe128d",
	{"buzhash", 4194304}:   "5835c46c4c399bfae2f64206f1b0be8435f0b42aa486e3f3b9d2f58b59ce157d",
	{"buzhash", 8388608}:   "7b76966fb643478bfdd2d55436f6db636464145ac52904021cf4557a049b8cbf",
	{"rabinkarp", 131072}:  "4eb4cfe81f59ce582786a42c115c5dc2a3053a466dce26cee74d5ba306ae39ad",
	{"rabinkarp", 262144}:  "9fb14f48df7705a64f49cf63bf531f3208ab99bebb04b50103fdc43eb982b495",
	{"rabinkarp", 524288}:  "19f9635bf2a9dfc87a84c27d6920b60bae75688e7cead548ddb577d0e39298ff",
	{"rabinkarp", 1048576}: "1363536669027cb9ca99338b88de42c53b44f5be843c5628b1a43a56c11ee1f8",
	{"rabinkarp", 2097152}: "a6b045204def161d775daa8a3ee0941d55bc1ee9cdff15edbbfab38c93f50ba1",
	{"rabinkarp", 4194304}: "8db423729f1d485cc4a8775f8865df832753e60cc7f9659a001914fdda2b858b",
	{"rabinkarp", 8388608}: "0f585dd518ed0644f3edfd3f7d5012cc9f445c4c9d24e168e694c4d6f36faea6",
}

var splitRanges = protocol.Ranges{
	"algorithm": namesOf(rollingHashes), "block_bytes": anyLength, "average_bytes": protocol.OneOf(splitAverages()...),
	"window_bytes": protocol.OneOf(splitWindow), "data": onlyRandom,
}

// splitAverages is powers of two, because a cut is where low bits are zero, starting where the
// minimum length has room for a few windows.
func splitAverages() (averages []int) {
	for average := 512; average <= 64<<20; average *= 2 {
		averages = append(averages, average)
	}
	return averages
}

// planSplit plans splitting a block.
func planSplit(j *job) (*plan, error) {
	hash := named(rollingHashes, j.Text("algorithm"))
	blockBytes, shape := j.Integer("block_bytes"), newSplitShape(j.Integer("average_bytes"))
	verified := "the cuts match the known answer and are within their bounds"
	known, isPinned := knownCuts[cuts{hash.name, shape.average}]
	if !isPinned || blockBytes != knownBlock {
		verified = "the cuts match those of hashing the window anew at each byte, and are within their bounds"
		known = digestOfCuts(encodeCuts(shape.cutAnew(random(blockBytes), hash.places())))
	}
	return &plan{
		BytesPerOp: int64(blockBytes),
		Verified:   verified,
		Libraries:  []string{libraryRollingHash},
		Instantiate: func() (instance, error) {
			return &splitInstance{
				shape:    shape,
				splitter: hash.splitter(shape),
				block:    random(blockBytes),
				cuts:     make([]int, 0, blockBytes/shape.least+1),
				known:    known,
			}, nil
		},
	}, nil
}

type splitInstance struct {
	shape    splitShape
	splitter splitter
	block    []byte
	cuts     []int // ends of the chunks
	known    string
}

func (s *splitInstance) Op() error {
	s.cuts = s.cuts[:0]
	for at := 0; at < len(s.block); {
		at += s.splitter.cut(s.block[at:])
		s.cuts = append(s.cuts, at)
	}
	return nil
}

func (s *splitInstance) Output() ([]byte, error) {
	clear(s.cuts)
	if err := s.Op(); err != nil {
		return nil, err
	}
	return encodeCuts(s.cuts), nil
}

func encodeCuts(cuts []int) []byte {
	encoded := make([]byte, 0, 4*len(cuts))
	for _, cut := range cuts {
		encoded = binary.LittleEndian.AppendUint32(encoded, uint32(cut))
	}
	return encoded
}

func digestOfCuts(encoded []byte) string {
	digest := sha256.Sum256(encoded)
	return hex.EncodeToString(digest[:])
}

func (s *splitInstance) Check(output []byte) error {
	last := 0
	for list := output; len(list) >= 4; list = list[4:] {
		cut := int(binary.LittleEndian.Uint32(list))
		length := cut - last
		if length > s.shape.most || length < s.shape.least && cut != len(s.block) {
			return protocol.Faultf(protocol.KindWrongAnswer, "a chunk of %d bytes ends at %d", length, cut)
		}
		last = cut
	}
	if last != len(s.block) {
		return protocol.Faultf(protocol.KindWrongAnswer, "the last chunk ends at %d, not at %d", last, len(s.block))
	}
	if got := digestOfCuts(output); got != s.known {
		return protocol.Faultf(protocol.KindWrongAnswer, "the cuts have SHA-256 %s, not %s", got, s.known)
	}
	return nil
}
