package fidelity

import (
	"encoding/binary"
	"hash/crc32"
	"testing"

	"github.com/klauspost/reedsolomon"
)

// Reed-Solomon with sums of a block of 10 MiB at 5 %: stripes of 128+2 shards of 128 bytes. What is stored is all
// parity, then all data, each shard behind its CRC-32.
const (
	eccBlock  = 10 << 20
	eccShard  = 128
	eccData   = 128
	eccParity = 2
	eccStripe = eccData * eccShard
	eccCount  = (4 + eccBlock + eccStripe - 1) / eccStripe // stripes
)

func newStripes(b *testing.B) (reedsolomon.Encoder, [][]byte) {
	encoder, err := reedsolomon.New(eccData, eccParity, reedsolomon.WithMaxGoroutines(1))
	if err != nil {
		b.Fatal(err)
	}
	return encoder, make([][]byte, eccData+eccParity)
}

func summed(out *gather, shard []byte, length int) {
	var sum [4]byte
	binary.BigEndian.PutUint32(sum[:], crc32.ChecksumIEEE(shard))
	out.Write(sum[:])
	out.Write(shard[:length])
}

func newECCEncode(b *testing.B, out *gather) func() error {
	encoder, shards := newStripes(b)
	block := inChunks(randomBytes(eccBlock))
	framed, parity := make([]byte, eccCount*eccStripe), make([]byte, eccParity*eccShard)
	return func() error {
		out.empty()
		binary.BigEndian.PutUint32(framed, eccBlock)
		clear(framed[4+len(block.onto(framed[4:4])):])
		for stripe := range eccCount {
			for i := range eccData {
				shards[i] = framed[stripe*eccStripe+i*eccShard:][:eccShard]
			}
			for i := range eccParity {
				shards[eccData+i] = parity[i*eccShard:][:eccShard]
			}
			if err := encoder.Encode(shards); err != nil {
				return err
			}
			for _, shard := range shards[eccData:] {
				summed(out, shard, eccShard)
			}
		}
		for at := 0; at < 4+eccBlock; at += eccShard {
			summed(out, framed[at:at+eccShard], min(eccShard, 4+eccBlock-at))
		}
		return nil
	}
}

func BenchmarkECCEncode5(b *testing.B) {
	repeat(b, eccBlock, func() func() error { return newECCEncode(b, &gather{}) })
}

// newECCRepair reads a block of which the first data shard of each stripe is damaged.
func newECCRepair(b *testing.B) func() error {
	const summedShard = 4 + eccShard
	encoder, shards := newStripes(b)
	var stored, out gather
	if err := newECCEncode(b, &stored)(); err != nil {
		b.Fatal(err)
	}
	whole := stored.onto(nil)
	for stripe := range eccCount {
		whole[(eccCount*eccParity+stripe*eccData)*summedShard+4] ^= 1
	}
	stored = *inChunks(whole)
	padded := make([]byte, eccCount*(eccData+eccParity)*summedShard)
	shard := func(n int, isSummed bool) []byte {
		at := padded[n*summedShard:][:summedShard]
		if isSummed && binary.BigEndian.Uint32(at) != crc32.ChecksumIEEE(at[4:]) {
			return nil
		}
		return at[4:]
	}
	return func() error {
		out.empty()
		clear(padded[len(stored.onto(padded[:0])):])
		left := 4 + eccBlock
		for stripe := range eccCount {
			for i := range eccData {
				n := stripe*eccData + i
				shards[i] = shard(eccCount*eccParity+n, n*eccShard < 4+eccBlock)
			}
			for i := range eccParity {
				shards[eccData+i] = shard(stripe*eccParity+i, true)
			}
			if err := encoder.ReconstructData(shards); err != nil {
				return err
			}
			for i, data := range shards[:eccData] {
				data = data[:min(left, len(data))]
				left -= len(data)
				if stripe == 0 && i == 0 {
					data = data[4:]
				}
				out.Write(data)
			}
		}
		return nil
	}
}

func BenchmarkECCRepair5(b *testing.B) {
	repeat(b, eccBlock, func() func() error { return newECCRepair(b) })
}
