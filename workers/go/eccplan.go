package main

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"maps"

	"sizeup/gokit/protocol"
)

// knownECCBlock is the length of a block whose stored form is pinned: 10MB in kopia's own
// benchmark.
const knownECCBlock = 10 << 20

// knownStored is the SHA-256 of the block of `random` as kopia 0.23.1's repo/ecc stores it, by the
// overhead in percent.
var knownStored = map[int]string{
	1:  "beb3951db09fa1cc48eb3ce5da5f53af040b69825c2c6fef1dca9fa3ffba1370",
	2:  "fbc80734a07c72d123f4ccde302f33a9f93fea5e391d41b0924a742f83d60fa5",
	5:  "fdd968978bf2eebcdb80bc2ec155d23c113886155642f5ec286a10c8dd560cfe",
	10: "0c5d54aff7db81a7c74acc0452baff90b34935879591265af67b23aa8e5fa649",
	20: "6873ef26bf3fa93956c733b177e41f11cbf7e491886f5aea5e4804ad06780367",
}

// The overhead determines the shape of stripes; a request names both, so that a table shows the
// work. kopia cuts blocks that don't fill a stripe in another way.
var (
	eccEncodeRanges = protocol.Ranges{
		"overhead_percent": protocol.Integers(1, 100), "data_shards": protocol.Integers(128, 254),
		"parity_shards": protocol.Integers(2, 128), "shard_bytes": protocol.OneOf(64, 128, 256, 512, 1024),
		"block_bytes": protocol.Integers(1<<20, 1<<30), "gather_bytes": onlyGatherBytes, "data": onlyRandom,
	}
	eccDecodeRanges = withDamage(eccEncodeRanges)
)

func withDamage(ranges protocol.Ranges) protocol.Ranges {
	ranges = maps.Clone(ranges)
	ranges["damaged_shards"] = protocol.Integers(0, 128)
	return ranges
}

// eccJob is the requested shape, the overhead and the block's length.
func eccJob(j *job) (shape eccShape, overheadPercent, blockBytes int, err error) {
	overheadPercent = j.Integer("overhead_percent")
	requested := eccShape{j.Integer("data_shards"), j.Integer("parity_shards"), j.Integer("shard_bytes")}
	if shape = eccShapeFor(overheadPercent); requested != shape {
		err = protocol.Faultf(protocol.KindBadRequest,
			"parameters: overhead_percent %d is data_shards %d, parity_shards %d, shard_bytes %d; the request has %d, %d and %d",
			overheadPercent, shape.dataShards, shape.parityShards, shape.shardBytes,
			requested.dataShards, requested.parityShards, requested.shardBytes)
	}
	return shape, overheadPercent, j.Integer("block_bytes"), err
}

// planECCEncode plans storing a block with its parity.
func planECCEncode(j *job) (*plan, error) {
	shape, overheadPercent, blockBytes, err := eccJob(j)
	if err != nil {
		return nil, err
	}
	verified := "the stored block matches the known answer"
	known, isPinned := knownStored[overheadPercent]
	if !isPinned || blockBytes != knownECCBlock {
		verified = "the stored block matches a fresh coder's, and it survives the loss of as many shards as it has parity shards"
		if known, err = provenStored(shape, blockBytes); err != nil {
			return nil, err
		}
	}
	return &plan{
		BytesPerOp: int64(blockBytes),
		Verified:   verified,
		Libraries:  []string{libraryReedSolomon, libraryGo},
		Instantiate: func() (instance, error) {
			coder, err := newECCCoder(shape, blockBytes)
			if err != nil {
				return nil, err
			}
			return &eccEncodeInstance{
				eccCoder: coder,
				block:    gathered(random(blockBytes)),
				stored:   newGatherBuffer(coder.paddedBytes()),
				known:    known,
			}, nil
		},
	}, nil
}

// provenStored is the SHA-256 of a block that a separate coder stores, after that block was
// restored from the worst damage that it can survive.
func provenStored(shape eccShape, blockBytes int) (string, error) {
	d, err := newECCDecodeInstance(shape, blockBytes)
	if err != nil {
		return "", err
	}
	digest := sha256.Sum256(d.stored.whole)
	d.damage(shape.parityShards)
	back, err := d.Output()
	if err != nil {
		return "", protocol.Faultf(protocol.KindWrongAnswer, "the stored block cannot be read back: %v", err)
	}
	return hex.EncodeToString(digest[:]), d.Check(back)
}

// planECCDecode plans reading a stored block, where the first few data shards of each stripe are
// damaged. kopia's own benchmark of decoding damages one a stripe.
func planECCDecode(j *job) (*plan, error) {
	shape, _, blockBytes, err := eccJob(j)
	if err != nil {
		return nil, err
	}
	damaged := j.Integer("damaged_shards")
	if damaged > shape.parityShards {
		return nil, protocol.Faultf(protocol.KindBadRequest,
			"parameters: damaged_shards is %d; parity_shards %d cannot repair that many", damaged, shape.parityShards)
	}
	return &plan{
		BytesPerOp: int64(blockBytes),
		Verified:   "the block is read back unchanged",
		Libraries:  []string{libraryReedSolomon, libraryGo},
		Instantiate: func() (instance, error) {
			d, err := newECCDecodeInstance(shape, blockBytes)
			if err != nil {
				return nil, err
			}
			d.damage(damaged)
			return d, nil
		},
	}, nil
}

type eccEncodeInstance struct {
	*eccCoder
	block  *gatherBuffer
	stored *gatherBuffer
	known  string
}

func (e *eccEncodeInstance) Op() error {
	e.stored.reset()
	return e.store(e.stored, e.block)
}

func (e *eccEncodeInstance) Output() ([]byte, error) {
	clear(e.stored.whole)
	err := e.Op()
	return e.stored.whole, err
}

func (e *eccEncodeInstance) Check(output []byte) error {
	digest := sha256.Sum256(output)
	if got := hex.EncodeToString(digest[:]); got != e.known {
		return protocol.Faultf(protocol.KindWrongAnswer, "the stored block has SHA-256 %s, not %s", got, e.known)
	}
	return nil
}

type eccDecodeInstance struct {
	*eccCoder
	stored *gatherBuffer
	block  []byte
	loaded *gatherBuffer
}

func newECCDecodeInstance(shape eccShape, blockBytes int) (*eccDecodeInstance, error) {
	coder, err := newECCCoder(shape, blockBytes)
	if err != nil {
		return nil, err
	}
	block := random(blockBytes)
	stored := newGatherBuffer(coder.paddedBytes())
	if err := coder.store(stored, gathered(block)); err != nil {
		return nil, err
	}
	return &eccDecodeInstance{coder, stored, block, newGatherBuffer(len(block))}, nil
}

// damage changes the first few data shards of each stripe.
func (e *eccDecodeInstance) damage(shards int) {
	data := e.stored.whole[e.parityBytes():]
	for stripe := range e.stripes() {
		for i := range shards {
			if n := stripe*e.dataShards + i; n < e.dataShardsInAll() {
				nth(data, n, eccSumBytes+e.shardBytes)[eccSumBytes] ^= 1
			}
		}
	}
}

func (e *eccDecodeInstance) Op() error {
	e.loaded.reset()
	err := e.load(e.loaded, e.stored)
	if err == nil && len(e.loaded.whole) != len(e.block) {
		err = io.ErrUnexpectedEOF
	}
	return err
}

func (e *eccDecodeInstance) Output() ([]byte, error) {
	clear(e.loaded.whole)
	err := e.Op()
	return e.loaded.whole, err
}

func (e *eccDecodeInstance) Check(output []byte) error {
	return mustEqual("the block", output, e.block)
}
