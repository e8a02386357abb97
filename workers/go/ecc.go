package main

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/klauspost/reedsolomon"
)

// eccShape is how kopia's repo/ecc (0.23.1) protects a large block with
// Reed-Solomon and CRC-32: the block, with its length in front, is cut into
// stripes of small data shards, each with its parity shards.
type eccShape struct {
	dataShards, parityShards int // in a stripe
	shardBytes               int
}

// eccShapes is what kopia chooses, by the overhead asked for in percent. Shards
// are the longer the less overhead there may be, for each has a CRC of 4 bytes;
// what is left of the overhead is parity (kopia's repo/ecc/ecc_rs_crc.go and
// ecc_utils.go).
var eccShapes = map[int]eccShape{
	1:  {254, 2, 1024},
	2:  {164, 2, 512},
	5:  {128, 2, 128},
	10: {128, 4, 64},
	20: {128, 17, 64},
}

const (
	eccLengthBytes = 4
	eccSumBytes    = 4
)

// eccCoder stores blocks of one length, and reads them back.
type eccCoder struct {
	eccShape
	encoder    reedsolomon.Encoder
	blockBytes int
	shards     [][]byte // of the stripe at hand: data, then parity
	scratch    []byte   // parity that is made, or data that is made anew
}

func newECCCoder(shape eccShape, blockBytes int) (*eccCoder, error) {
	// kopia, too, keeps the encoder to one goroutine.
	encoder, err := reedsolomon.New(shape.dataShards, shape.parityShards, reedsolomon.WithMaxGoroutines(1))
	return &eccCoder{
		eccShape:   shape,
		encoder:    encoder,
		blockBytes: blockBytes,
		shards:     make([][]byte, shape.dataShards+shape.parityShards),
		scratch:    make([]byte, shape.parityShards*shape.shardBytes),
	}, err
}

// framedBytes is the length of a block with its length in front.
func (c *eccCoder) framedBytes() int { return eccLengthBytes + c.blockBytes }

// stripes is how many stripes a block takes.
func (c *eccCoder) stripes() int {
	stripe := c.dataShards * c.shardBytes
	return (c.framedBytes() + stripe - 1) / stripe
}

// parityBytes is the parity of a whole block as it is stored.
func (c *eccCoder) parityBytes() int {
	return c.stripes() * c.parityShards * (eccSumBytes + c.shardBytes)
}

// paddedBytes is what a block takes in storage with all of its last stripe.
func (c *eccCoder) paddedBytes() int {
	return c.stripes() * (c.dataShards + c.parityShards) * (eccSumBytes + c.shardBytes)
}

// frame puts the length before a block and zeros behind it, up to whole stripes.
func (c *eccCoder) frame(block []byte) []byte {
	framed := make([]byte, c.stripes()*c.dataShards*c.shardBytes)
	binary.BigEndian.PutUint32(framed, uint32(len(block)))
	copy(framed[eccLengthBytes:], block)
	return framed
}

// store appends a framed block as it is stored: all parity shards, then all
// data shards without the padding, each with its sum before it.
func (c *eccCoder) store(stored, framed []byte) ([]byte, error) {
	for stripe := range c.stripes() {
		for i := range c.dataShards {
			c.shards[i] = nth(framed, stripe*c.dataShards+i, c.shardBytes)
		}
		for i := range c.parityShards {
			c.shards[c.dataShards+i] = nth(c.scratch, i, c.shardBytes)
		}
		if err := c.encoder.Encode(c.shards); err != nil {
			return stored, err
		}
		for _, shard := range c.shards[c.dataShards:] {
			stored = binary.BigEndian.AppendUint32(stored, crc32.ChecksumIEEE(shard))
			stored = append(stored, shard...)
		}
	}
	for at := 0; at < c.framedBytes(); at += c.shardBytes {
		shard := framed[at : at+c.shardBytes]
		stored = binary.BigEndian.AppendUint32(stored, crc32.ChecksumIEEE(shard))
		stored = append(stored, shard[:min(c.shardBytes, c.framedBytes()-at)]...)
	}
	return stored, nil
}

// load appends the block that was stored, whose last stripe is padded with
// zeros. Shards whose sum is wrong are made anew.
func (c *eccCoder) load(block, padded []byte) ([]byte, error) {
	parity, data := padded[:c.parityBytes()], padded[c.parityBytes():]
	const overhead = eccSumBytes
	inData := (c.framedBytes() + c.shardBytes - 1) / c.shardBytes // shards that are not all padding
	var left int                                                  // bytes of the block, told by its first shard
	for stripe := range c.stripes() {
		lost := 0
		for i := range c.dataShards {
			n := stripe*c.dataShards + i
			stored := nth(data, n, overhead+c.shardBytes)
			c.shards[i] = stored[overhead:]
			if n >= inData || eccIntact(stored) {
				continue
			}
			c.shards[i] = nil
			if lost < c.parityShards { // with more there is no help
				c.shards[i] = nth(c.scratch, lost, c.shardBytes)[:0]
			}
			lost++
		}
		for i := range c.parityShards {
			stored := nth(parity, stripe*c.parityShards+i, overhead+c.shardBytes)
			c.shards[c.dataShards+i] = stored[overhead:]
			if !eccIntact(stored) {
				c.shards[c.dataShards+i] = nil
			}
		}
		if err := c.encoder.ReconstructData(c.shards); err != nil {
			return block, err
		}
		for i, shard := range c.shards[:c.dataShards] {
			if stripe == 0 && i == 0 {
				left = int(binary.BigEndian.Uint32(shard))
				shard = shard[eccLengthBytes:]
			}
			shard = shard[:min(left, len(shard))]
			block = append(block, shard...)
			left -= len(shard)
		}
	}
	return block, nil
}

// eccIntact compares a stored shard with the sum before it.
func eccIntact(stored []byte) bool {
	return binary.BigEndian.Uint32(stored) == crc32.ChecksumIEEE(stored[eccSumBytes:])
}
