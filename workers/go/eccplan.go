package main

import (
	"crypto/sha256"
	"encoding/hex"
	"io"

	"sizeup/gokit/protocol"
)

// eccBlock is the bytes of a block: what kopia's own benchmark calls 10MB.
const eccBlock = 10 << 20

// knownStored is the SHA-256 of the block of `random` as kopia 0.23.1's repo/ecc
// stores it, by the overhead in percent.
var knownStored = map[int]string{
	1:  "beb3951db09fa1cc48eb3ce5da5f53af040b69825c2c6fef1dca9fa3ffba1370",
	2:  "fbc80734a07c72d123f4ccde302f33a9f93fea5e391d41b0924a742f83d60fa5",
	5:  "fdd968978bf2eebcdb80bc2ec155d23c113886155642f5ec286a10c8dd560cfe",
	10: "0c5d54aff7db81a7c74acc0452baff90b34935879591265af67b23aa8e5fa649",
	20: "6873ef26bf3fa93956c733b177e41f11cbf7e491886f5aea5e4804ad06780367",
}

// planECCEncode plans the storing of a block with its parity.
func planECCEncode(j *job) (*plan, error) {
	overhead, shape, err := eccJob(j)
	if err != nil {
		return nil, err
	}
	return &plan{
		bytesPerOp: eccBlock,
		verified:   "the stored block is the known answer",
		libraries:  []string{libraryReedSolomon, libraryGo},
		instantiate: func() (instance, error) {
			coder, err := newECCCoder(shape, eccBlock)
			if err != nil {
				return nil, err
			}
			return &eccEncodeInstance{
				eccCoder: coder,
				block:    gathered(random(eccBlock)),
				stored:   newGatherBuffer(coder.paddedBytes()),
				known:    knownStored[overhead],
			}, nil
		},
	}, nil
}

// planECCDecode plans the reading of a stored block, of which in each stripe so
// many data shards are damaged, the first ones. kopia's own benchmark of
// decoding loses one a stripe.
func planECCDecode(damaged int) func(*job) (*plan, error) {
	return func(j *job) (*plan, error) {
		var damagedShards int
		_, shape, err := eccJob(j, protocol.Field{Name: "damaged_shards", Into: &damagedShards})
		if err != nil {
			return nil, err
		}
		if damagedShards != damaged {
			return nil, protocol.Faultf(protocol.KindBadRequest,
				"parameters: damaged_shards is %d, this workload has %d", damagedShards, damaged)
		}
		return &plan{
			bytesPerOp: eccBlock,
			verified:   "the block that was stored comes back",
			libraries:  []string{libraryReedSolomon, libraryGo},
			instantiate: func() (instance, error) {
				return newECCDecodeInstance(shape, damaged)
			},
		}, nil
	}
}

// eccJob reads what all take.
func eccJob(j *job, more ...protocol.Field) (overhead int, shape eccShape, err error) {
	var asked eccShape
	var blockBytes, chunkBytes int
	var data string
	err = j.parameters(append([]protocol.Field{
		{Name: "overhead_percent", Into: &overhead},
		{Name: "data_shards", Into: &asked.dataShards},
		{Name: "parity_shards", Into: &asked.parityShards},
		{Name: "shard_bytes", Into: &asked.shardBytes},
		{Name: "block_bytes", Into: &blockBytes},
		{Name: "gather_bytes", Into: &chunkBytes},
		generated(&data),
	}, more...)...)
	if err != nil {
		return 0, shape, err
	}
	shape, ok := eccShapes[overhead]
	if !ok || asked != shape || blockBytes != eccBlock {
		return 0, shape, protocol.Faultf(protocol.KindBadRequest,
			"parameters: %d %% is %d+%d shards of %d bytes in blocks of %d; asked for are %d+%d of %d in %d", overhead,
			shape.dataShards, shape.parityShards, shape.shardBytes, eccBlock,
			asked.dataShards, asked.parityShards, asked.shardBytes, blockBytes)
	}
	if err := mustBeGatherBytes(chunkBytes); err != nil {
		return 0, shape, err
	}
	return overhead, shape, mustBeGenerated(data, randomName)
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
	stored *gatherBuffer // but for the damage
	block  []byte
	loaded *gatherBuffer
}

func newECCDecodeInstance(shape eccShape, damaged int) (*eccDecodeInstance, error) {
	coder, err := newECCCoder(shape, eccBlock)
	if err != nil {
		return nil, err
	}
	block := random(eccBlock)
	stored := newGatherBuffer(coder.paddedBytes())
	if err := coder.store(stored, gathered(block)); err != nil {
		return nil, err
	}
	data := stored.whole[coder.parityBytes():]
	for stripe := range coder.stripes() {
		for i := range damaged {
			nth(data, stripe*shape.dataShards+i, eccSumBytes+shape.shardBytes)[eccSumBytes] ^= 1
		}
	}
	return &eccDecodeInstance{coder, stored, block, newGatherBuffer(len(block))}, nil
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
