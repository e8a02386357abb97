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
				framed:   coder.frame(random(eccBlock)),
				stored:   make([]byte, 0, coder.paddedBytes()),
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
	var blockBytes int
	var data string
	err = j.parameters(append([]protocol.Field{
		{Name: "overhead_percent", Into: &overhead},
		{Name: "data_shards", Into: &asked.dataShards},
		{Name: "parity_shards", Into: &asked.parityShards},
		{Name: "shard_bytes", Into: &asked.shardBytes},
		{Name: "block_bytes", Into: &blockBytes},
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
	return overhead, shape, mustBeGenerated(data, randomName)
}

type eccEncodeInstance struct {
	*eccCoder
	framed []byte
	stored []byte
	known  string
}

func (e *eccEncodeInstance) Op() (err error) {
	e.stored, err = e.store(e.stored[:0], e.framed)
	return err
}

func (e *eccEncodeInstance) Output() ([]byte, error) {
	clear(e.stored)
	err := e.Op()
	return e.stored, err
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
	padded []byte // as it was stored, but for the damage
	block  []byte
	loaded []byte
}

func newECCDecodeInstance(shape eccShape, damaged int) (*eccDecodeInstance, error) {
	coder, err := newECCCoder(shape, eccBlock)
	if err != nil {
		return nil, err
	}
	block := random(eccBlock)
	padded := make([]byte, coder.paddedBytes())
	if _, err := coder.store(padded[:0], coder.frame(block)); err != nil {
		return nil, err
	}
	data := padded[coder.parityBytes():]
	for stripe := range coder.stripes() {
		for i := range damaged {
			nth(data, stripe*shape.dataShards+i, eccSumBytes+shape.shardBytes)[eccSumBytes] ^= 1
		}
	}
	return &eccDecodeInstance{coder, padded, block, make([]byte, 0, len(block))}, nil
}

func (e *eccDecodeInstance) Op() (err error) {
	e.loaded, err = e.load(e.loaded[:0], e.padded)
	if err == nil && len(e.loaded) != len(e.block) {
		err = io.ErrUnexpectedEOF
	}
	return err
}

func (e *eccDecodeInstance) Output() ([]byte, error) {
	clear(e.loaded)
	err := e.Op()
	return e.loaded, err
}

func (e *eccDecodeInstance) Check(output []byte) error {
	return mustEqual("the block", output, e.block)
}
