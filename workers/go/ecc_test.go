package main

import (
	"bytes"
	"testing"
)

// eccShapes is kopia's choices.
var eccShapes = map[int]eccShape{
	1: {254, 2, 1024},
	2: {164, 2, 512},
	3: {139, 2, 256},
	// 4 and 6 would give the same shards of 128 bytes as 5.
	5:   {128, 2, 128},
	7:   {254, 2, 64},
	10:  {128, 4, 64},
	20:  {128, 17, 64},
	100: {128, 120, 64},
}

func TestShapesFollowKopiasRule(t *testing.T) {
	for overhead, expected := range eccShapes {
		if shape := eccShapeFor(overhead); shape != expected {
			t.Errorf("%d %%: %+v, not %+v", overhead, shape, expected)
		}
	}
}

func TestEveryOverheadHasAShapeInItsRange(t *testing.T) {
	ranges := eccEncodeRanges
	for overhead := *ranges["overhead_percent"].From; overhead <= *ranges["overhead_percent"].To; overhead++ {
		if _, err := ranges.Read([]byte(eccOf(overhead, 10<<20, ""))); err != nil {
			t.Error(err)
		}
		if shape := eccShapeFor(overhead); shape.dataShards*shape.shardBytes > *ranges["block_bytes"].From {
			t.Errorf("%d %%: the shortest block does not fill %+v", overhead, shape)
		}
	}
}

// storedBlock is a small block as it is stored.
func storedBlock(t *testing.T, shape eccShape, length int) (*eccCoder, []byte, *gatherBuffer) {
	t.Helper()
	coder, err := newECCCoder(shape, length)
	if err != nil {
		t.Fatal(err)
	}
	block, stored := random(length), newGatherBuffer(0)
	if err := coder.store(stored, gathered(block)); err != nil {
		t.Fatal(err)
	}
	return coder, block, stored
}

// loadedBlock reads a stored block back.
func loadedBlock(coder *eccCoder, stored *gatherBuffer) ([]byte, error) {
	block := newGatherBuffer(0)
	err := coder.load(block, stored)
	return block.whole, err
}

func TestBlocksOfAnyLengthAreReadBack(t *testing.T) {
	for _, shape := range eccShapes {
		stripe := shape.dataShards * shape.shardBytes
		for _, length := range []int{1, stripe - 5, stripe - 4, stripe - 3, 3*stripe + shape.shardBytes, 100_000} {
			coder, block, stored := storedBlock(t, shape, length)
			back, err := loadedBlock(coder, stored)
			if err != nil || !bytes.Equal(back, block) {
				t.Errorf("%+v: of %d bytes %d are read back (%v)", shape, length, len(back), err)
			}
		}
	}
}

func TestOnlyAsManyDamagedShardsAsParityShardsAreRepaired(t *testing.T) {
	for _, shape := range eccShapes {
		coder, block, stored := storedBlock(t, shape, 100_000)
		data := stored.whole[coder.parityBytes():]
		for i := range shape.parityShards {
			nth(data, i, eccSumBytes+shape.shardBytes)[eccSumBytes+i%shape.shardBytes] ^= 0x10
		}
		if back, err := loadedBlock(coder, stored); err != nil || !bytes.Equal(back, block) {
			t.Errorf("%+v: %d damaged shards are not repaired (%v)", shape, shape.parityShards, err)
		}
		nth(data, shape.parityShards, eccSumBytes+shape.shardBytes)[0] ^= 1
		if _, err := loadedBlock(coder, stored); err == nil {
			t.Errorf("%+v: %d damaged shards cause no error", shape, shape.parityShards+1)
		}
	}
}
