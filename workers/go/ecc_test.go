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

// storedBlock is a small block as it is stored, padded.
func storedBlock(t *testing.T, shape eccShape, length int) (*eccCoder, []byte, []byte) {
	t.Helper()
	coder, err := newECCCoder(shape, length)
	if err != nil {
		t.Fatal(err)
	}
	block, padded := random(length), make([]byte, coder.paddedBytes())
	if _, err := coder.store(padded[:0], coder.frame(block)); err != nil {
		t.Fatal(err)
	}
	return coder, block, padded
}

func TestBlocksOfAnyLengthComeBack(t *testing.T) {
	for _, shape := range eccShapes {
		stripe := shape.dataShards * shape.shardBytes
		for _, length := range []int{1, stripe - 5, stripe - 4, stripe - 3, 3*stripe + shape.shardBytes, 100_000} {
			coder, block, padded := storedBlock(t, shape, length)
			back, err := coder.load(nil, padded)
			if err != nil || !bytes.Equal(back, block) {
				t.Errorf("%+v: of %d bytes %d come back (%v)", shape, length, len(back), err)
			}
		}
	}
}

func TestAsManyDamagedShardsAsThereIsParityAreRepairedAndNoMore(t *testing.T) {
	for _, shape := range eccShapes {
		coder, block, padded := storedBlock(t, shape, 100_000)
		data := padded[coder.parityBytes():]
		for i := range shape.parityShards {
			nth(data, 3*i, eccSumBytes+shape.shardBytes)[eccSumBytes+i] ^= 0x10
		}
		if back, err := coder.load(nil, padded); err != nil || !bytes.Equal(back, block) {
			t.Errorf("%+v: %d damaged shards are not repaired (%v)", shape, shape.parityShards, err)
		}
		nth(data, 3*shape.parityShards, eccSumBytes+shape.shardBytes)[0] ^= 1
		if _, err := coder.load(nil, padded); err == nil {
			t.Errorf("%+v: %d damaged shards are no error", shape, shape.parityShards+1)
		}
	}
}
