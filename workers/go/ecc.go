package main

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/klauspost/reedsolomon"
)

// eccShape is how kopia's repo/ecc (0.23.1) protects a large block with Reed-Solomon and CRC-32:
// the block, prefixed with its length, is cut into stripes of small data shards, each stripe with
// its parity shards.
type eccShape struct {
	dataShards, parityShards int // in a stripe
	shardBytes               int
}

// eccShapeFor is kopia's choice for the requested overhead (its repo/ecc/ecc_rs_crc.go and
// ecc_utils.go). The less overhead is allowed, the longer are the shards, because each has a CRC of
// 4 bytes; the rest of the overhead is parity of 128 data shards. Where that is less than two
// shards, there are two, and as many data shards as then fit.
func eccShapeFor(overheadPercent int) eccShape {
	shape := eccShape{dataShards: 128, shardBytes: 64}
	switch {
	case overheadPercent == 1:
		shape.shardBytes = 1024
	case overheadPercent == 2:
		shape.shardBytes = 512
	case overheadPercent == 3:
		shape.shardBytes = 256
	case overheadPercent <= 6:
		shape.shardBytes = 128
	}
	leftPercent := float64(overheadPercent) - 100*eccSumBytes/float64(shape.shardBytes)
	shape.parityShards = int(128 * leftPercent / 100)
	if shape.parityShards < 2 {
		shape.parityShards = 2
		shape.dataShards = min(max(int(2*100/leftPercent), 128), 254)
	}
	return shape
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
	shards     [][]byte // of the current stripe: data, then parity
	parity     []byte   // of a stripe
	piece      []byte   // the current block, in one piece: framed, or as stored
}

func newECCCoder(shape eccShape, blockBytes int) (*eccCoder, error) {
	// kopia, too, limits the encoder to one goroutine.
	encoder, err := reedsolomon.New(shape.dataShards, shape.parityShards, reedsolomon.WithMaxGoroutines(1))
	coder := &eccCoder{
		eccShape:   shape,
		encoder:    encoder,
		blockBytes: blockBytes,
		shards:     make([][]byte, shape.dataShards+shape.parityShards),
		parity:     make([]byte, shape.parityShards*shape.shardBytes),
	}
	coder.piece = make([]byte, coder.paddedBytes())
	return coder, err
}

// framedBytes is the length of a block prefixed with its length.
func (c *eccCoder) framedBytes() int { return eccLengthBytes + c.blockBytes }

// dataShardsInAll is the number of data shards, over all stripes, that are not padding alone.
func (c *eccCoder) dataShardsInAll() int { return (c.framedBytes() + c.shardBytes - 1) / c.shardBytes }

// stripes is the number of stripes of a block.
func (c *eccCoder) stripes() int {
	stripe := c.dataShards * c.shardBytes
	return (c.framedBytes() + stripe - 1) / stripe
}

// parityBytes is the parity of a whole block as it is stored.
func (c *eccCoder) parityBytes() int {
	return c.stripes() * c.parityShards * (eccSumBytes + c.shardBytes)
}

// paddedBytes is the storage of a block with all of its last stripe.
func (c *eccCoder) paddedBytes() int {
	return c.stripes() * (c.dataShards + c.parityShards) * (eccSumBytes + c.shardBytes)
}

// frame copies a block behind its length, and pads it with zeros to whole stripes.
func (c *eccCoder) frame(block *gatherBuffer) []byte {
	framed := c.piece[:c.stripes()*c.dataShards*c.shardBytes]
	binary.BigEndian.PutUint32(framed, uint32(len(block.whole)))
	copied := block.appendTo(framed[eccLengthBytes:eccLengthBytes])
	clear(framed[eccLengthBytes+len(copied):])
	return framed
}

// store appends a block as it is stored: all parity shards, then all data shards without the
// padding, each preceded by its sum.
func (c *eccCoder) store(stored, block *gatherBuffer) error {
	framed := c.frame(block)
	for i := range c.parityShards {
		c.shards[c.dataShards+i] = nth(c.parity, i, c.shardBytes)
	}
	for stripe := range c.stripes() {
		for i := range c.dataShards {
			c.shards[i] = nth(framed, stripe*c.dataShards+i, c.shardBytes)
		}
		if err := c.encoder.Encode(c.shards); err != nil {
			return err
		}
		for _, shard := range c.shards[c.dataShards:] {
			appendShard(stored, shard, len(shard))
		}
	}
	for at := 0; at < c.framedBytes(); at += c.shardBytes {
		appendShard(stored, framed[at:at+c.shardBytes], min(c.shardBytes, c.framedBytes()-at))
	}
	return nil
}

// appendShard appends the sum of a shard and its first bytes.
func appendShard(stored *gatherBuffer, shard []byte, length int) {
	var sum [eccSumBytes]byte
	binary.BigEndian.PutUint32(sum[:], crc32.ChecksumIEEE(shard))
	// A gatherBuffer never fails.
	_, _ = stored.Write(sum[:])
	_, _ = stored.Write(shard[:length])
}

// load appends the stored block. Shards with a wrong sum are reconstructed, in memory that the
// library allocates.
func (c *eccCoder) load(block, stored *gatherBuffer) error {
	copied := stored.appendTo(c.piece[:0])
	clear(c.piece[len(copied):])
	parity, data := c.piece[:c.parityBytes()], c.piece[c.parityBytes():]
	const overhead = eccSumBytes
	inData := c.dataShardsInAll()
	var left int // bytes of the block, from its first shard
	for stripe := range c.stripes() {
		for i := range c.dataShards {
			n := stripe*c.dataShards + i
			c.shards[i] = eccShard(nth(data, n, overhead+c.shardBytes), n < inData)
		}
		for i := range c.parityShards {
			c.shards[c.dataShards+i] = eccShard(nth(parity, stripe*c.parityShards+i, overhead+c.shardBytes), true)
		}
		if err := c.encoder.ReconstructData(c.shards); err != nil {
			return err
		}
		for i, shard := range c.shards[:c.dataShards] {
			if stripe == 0 && i == 0 {
				left = int(binary.BigEndian.Uint32(shard))
				shard = shard[eccLengthBytes:]
			}
			shard = shard[:min(left, len(shard))]
			_, _ = block.Write(shard)
			left -= len(shard)
		}
	}
	return nil
}

// eccShard is a shard after its sum, or nil if the sum is to be checked and wrong.
func eccShard(stored []byte, isSummed bool) []byte {
	shard := stored[eccSumBytes:]
	if isSummed && binary.BigEndian.Uint32(stored) != crc32.ChecksumIEEE(shard) {
		return nil
	}
	return shard
}
