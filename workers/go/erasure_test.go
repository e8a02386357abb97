package main

import (
	"hash/crc32"
	"slices"
	"testing"

	"github.com/klauspost/reedsolomon"

	"sizeup/gokit/work"
)

// gf is GF(2^8) with the polynomial x^8+x^4+x^3+x^2+1, by shifting and adding.
type gf byte

func (a gf) times(b gf) (product gf) {
	x := int(a)
	for ; b != 0; b >>= 1 {
		if b&1 != 0 {
			product ^= gf(x)
		}
		if x <<= 1; x > 0xff {
			x ^= 0x11d
		}
	}
	return product
}

func (a gf) inverse() gf {
	for b := gf(1); ; b++ {
		if a.times(b) == 1 {
			return b
		}
	}
}

// parityRows is the rows of the parity shards: a Vandermonde matrix times the inverse of its upper
// square, so that data shards are stored unchanged.
func parityRows(data, parity int) [][]gf {
	rows := make([][]gf, data+parity)
	for r := range rows {
		power := gf(1)
		for range data {
			rows[r] = append(rows[r], power)
			power = power.times(gf(r))
		}
	}
	// Columns are combined until the upper square is the identity.
	for d := range data {
		swap := d
		for rows[d][swap] == 0 {
			swap++
		}
		scale := rows[d][swap].inverse()
		for _, row := range rows {
			row[d], row[swap] = row[swap], row[d]
			row[d] = row[d].times(scale)
		}
		for c := range data {
			factor := rows[d][c]
			if c == d || factor == 0 {
				continue
			}
			for _, row := range rows {
				row[c] ^= row[d].times(factor)
			}
		}
	}
	return rows[data:]
}

// The parities of larger shards were made in the same way, by a program in C.
func TestTheKnownParityIsPlainArithmetic(t *testing.T) {
	period := random(randomPeriod)
	for _, shape := range []shardShape{
		{8, 8, 1 << 20}, {12, 4, 1 << 20}, {4, 4, 1 << 18}, {8, 8, 1 << 17}, {12, 4, 87_382},
	} {
		s, err := newShards(shape, period)
		if err != nil {
			t.Fatal(err)
		}
		var parity []byte
		for _, row := range parityRows(shape.dataShards, shape.parityShards) {
			shard := make([]byte, shape.shardBytes)
			for d, factor := range row {
				var products [256]byte
				for b := range products {
					products[b] = byte(factor.times(gf(b)))
				}
				for i, b := range s.all[d] {
					shard[i] ^= products[b]
				}
			}
			parity = append(parity, shard...)
		}
		if sum, known := crc32.ChecksumIEEE(parity), knownParities[shape]; sum != known {
			t.Errorf("%+v: CRC-32 %08x, not %08x", shape, sum, known)
		}
	}
}

func TestDataShardsDifferAndAreRecognised(t *testing.T) {
	// Long enough to reach the end of the random bytes.
	shape := shardShape{12, 4, 25 << 20}
	s, err := newShards(shape, random(randomPeriod))
	if err != nil {
		t.Fatal(err)
	}
	first := map[[32]byte]bool{}
	for i := range shape.dataShards {
		if err := s.mustBeOriginal(i, s.all[i]); err != nil {
			t.Errorf("shard %d: %v", i, err)
		}
		first[[32]byte(s.all[i][:32])] = true
	}
	if len(first) != shape.dataShards {
		t.Errorf("%d of %d shards have a unique beginning", len(first), shape.dataShards)
	}
	s.all[5][1000] ^= 1
	if s.mustBeOriginal(5, s.all[5]) == nil {
		t.Error("a changed shard passes")
	}
}

func TestColumnsCoverTheWholeShardIfNoParityIsKnown(t *testing.T) {
	for _, shape := range []shardShape{{3, 2, 64 << 10}, {5, 3, 1}, {5, 3, 7}, {100, 100, 1001}, {2, 1, 1_000_000}} {
		s, err := newShards(shape, random(randomPeriod))
		if err != nil {
			t.Fatal(err)
		}
		columns := (&encodeInstance{s}).columns()
		covered := make([]bool, shape.shardBytes)
		for _, part := range columns {
			for at := part[0]; at < part[1]; at++ {
				covered[at] = true
			}
		}
		if slices.Contains(covered, false) || len(columns) < shape.dataShards+shape.parityShards {
			t.Errorf("%+v: %d columns: %v", shape, len(columns), columns)
		}
	}
}

func TestAWrongEncoderIsDetected(t *testing.T) {
	for _, shape := range []string{shardsOf(8, 8, 1<<20), shardsOf(5, 3, 70_001)} {
		inst := trial{"reed-solomon-encode/klauspost", shape}.instance(t)
		encode := inst.(*encodeInstance)
		if _, err := work.Verify(inst, -1); err != nil {
			t.Error(shape, err)
		}
		encode.encoder = idleEncoder{encode.encoder}
		if _, err := work.Verify(inst, -1); err == nil {
			t.Errorf("%s: the check passed", shape)
		}
	}
}

// idleEncoder makes no parity.
type idleEncoder struct{ reedsolomon.Encoder }

func (idleEncoder) Encode([][]byte) error { return nil }

func TestAReconstructionThatDoesNothingIsDetected(t *testing.T) {
	for _, shape := range []string{shardsOf(12, 4, 1<<20), shardsOf(5, 3, 70_001)} {
		inst := trial{"reed-solomon-reconstruct/klauspost", shape}.instance(t)
		reconstruct := inst.(*reconstructInstance)
		output, err := reconstruct.Output()
		if err != nil {
			t.Fatal(err)
		}
		clear(reconstruct.data[:reconstruct.lost*reconstruct.shardBytes])
		if reconstruct.Check(output) == nil {
			t.Errorf("%s: wiped shards pass", shape)
		}
	}
}
