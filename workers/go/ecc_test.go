package main

import (
	"bytes"
	"testing"
)

// kopia's rule: parity is what the sums leave of the overhead, of 128 data
// shards; where that is one shard, two, and as many data shards as then fit.
func TestShapesFollowKopiasRule(t *testing.T) {
	for overhead, shape := range eccShapes {
		left := float64(overhead) - 100*eccSumBytes/float64(shape.shardBytes)
		data, parity := 128, int(128*left/100)
		if parity < 2 {
			parity = 2
			data = min(max(int(2*100/left), 128), 254)
		}
		if data != shape.dataShards || parity != shape.parityShards {
			t.Errorf("%d %%: %d+%d, not %d+%d", overhead, data, parity, shape.dataShards, shape.parityShards)
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

// loadedBlock is the block that comes of a stored one.
func loadedBlock(coder *eccCoder, stored *gatherBuffer) ([]byte, error) {
	block := newGatherBuffer(0)
	err := coder.load(block, stored)
	return block.whole, err
}

func TestBlocksOfAnyLengthComeBack(t *testing.T) {
	for _, shape := range eccShapes {
		stripe := shape.dataShards * shape.shardBytes
		for _, length := range []int{1, stripe - 5, stripe - 4, stripe - 3, 3*stripe + shape.shardBytes, 100_000} {
			coder, block, stored := storedBlock(t, shape, length)
			back, err := loadedBlock(coder, stored)
			if err != nil || !bytes.Equal(back, block) {
				t.Errorf("%+v: of %d bytes %d come back (%v)", shape, length, len(back), err)
			}
		}
	}
}

func TestAsManyDamagedShardsAsThereIsParityAreRepairedAndNoMore(t *testing.T) {
	for _, shape := range eccShapes {
		coder, block, stored := storedBlock(t, shape, 100_000)
		data := stored.whole[coder.parityBytes():]
		for i := range shape.parityShards {
			nth(data, 3*i, eccSumBytes+shape.shardBytes)[eccSumBytes+i] ^= 0x10
		}
		if back, err := loadedBlock(coder, stored); err != nil || !bytes.Equal(back, block) {
			t.Errorf("%+v: %d damaged shards are not repaired (%v)", shape, shape.parityShards, err)
		}
		nth(data, 3*shape.parityShards, eccSumBytes+shape.shardBytes)[0] ^= 1
		if _, err := loadedBlock(coder, stored); err == nil {
			t.Errorf("%+v: %d damaged shards are no error", shape, shape.parityShards+1)
		}
	}
}
