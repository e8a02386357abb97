package main

import (
	"hash/crc32"

	"github.com/klauspost/reedsolomon"

	"sizeup/gokit/protocol"
)

// shardShape is the parameters of an erasure code over GF(2^8).
type shardShape struct {
	dataShards, parityShards int
	shardBytes               int // of each
}

// knownParities is the CRC-32 (IEEE) of the parity shards in order, computed by plain arithmetic in
// GF(2^8) from the data shards of newShards, without the library
// (TestTheKnownParityIsPlainArithmetic).
var knownParities = map[shardShape]uint32{
	{8, 8, 1 << 20}:   0xf5e9e006,
	{8, 8, 5 << 20}:   0xafd281d6,
	{8, 8, 10 << 20}:  0xfb292b5a,
	{8, 8, 25 << 20}:  0x30804fd7,
	{12, 4, 1 << 20}:  0x20146f18,
	{12, 4, 5 << 20}:  0x1543ae1d,
	{12, 4, 10 << 20}: 0x04792d11,
	{12, 4, 25 << 20}: 0x5a62f6bc,
	// Blocks of 1 MiB.
	{4, 4, 1 << 18}: 0xf32710e2,
	{8, 8, 1 << 17}: 0x56b308bc,
	{12, 4, 87_382}: 0xf0ee91ca,
}

var shardRanges = protocol.Ranges{
	"data_shards": protocol.Integers(1, mostShards-1), "parity_shards": protocol.Integers(1, mostShards-1),
	"shard_bytes": protocol.Integers(1, 256<<20), "data": onlyRandom,
}

// mostShards is the most shards over GF(2^8). For more the library uses another code.
const mostShards = 256

// planEncode plans making the parity shards.
func planEncode(j *job) (*plan, error) {
	return planShards(j, func(s *shards) (instance, error) { return &encodeInstance{s}, nil },
		"the parity matches the known answer, and lost shards are reconstructed from it",
		"the library verifies the parity, and lost shards are reconstructed from it at every offset")
}

// planReconstruct plans the worst case: as many data shards are lost as there are parity shards.
func planReconstruct(j *job) (*plan, error) {
	return planShards(j, newReconstructInstance,
		"the lost shards are reconstructed from known parity", "the lost shards are reconstructed")
}

// planShards plans work on shards; the phrase for what is checked depends on whether their parity
// is pinned.
func planShards(j *job, instantiate func(*shards) (instance, error), ifPinned, ifNot string) (*plan, error) {
	shape := shardShape{j.Integer("data_shards"), j.Integer("parity_shards"), j.Integer("shard_bytes")}
	if total := shape.dataShards + shape.parityShards; total > mostShards {
		return nil, protocol.Faultf(protocol.KindBadRequest,
			"parameters: data_shards and parity_shards are %d together; the maximum is %d", total, mostShards)
	}
	verified := ifNot
	if _, isPinned := knownParities[shape]; isPinned {
		verified = ifPinned
	}
	period := random(randomPeriod) // shared; used only for comparison
	return &plan{
		BytesPerOp: int64(shape.dataShards) * int64(shape.shardBytes),
		Verified:   verified,
		Libraries:  []string{libraryReedSolomon},
		Instantiate: func() (instance, error) {
			s, err := newShards(shape, period)
			if err != nil {
				return nil, err
			}
			return instantiate(s)
		},
	}, nil
}

// shards is one thread's shards and its encoder.
type shards struct {
	shardShape
	encoder reedsolomon.Encoder
	all     [][]byte // data shards, then parity shards
	data    []byte   // the memory of the data shards
	parity  []byte   // the memory of the parity shards
	period  []byte   // what the data shards are copied from
}

func newShards(shape shardShape, period []byte) (*shards, error) {
	// On one goroutine, the caller's own: the harness decides how many threads work.
	encoder, err := reedsolomon.New(shape.dataShards, shape.parityShards, reedsolomon.WithMaxGoroutines(1))
	if err != nil {
		return nil, err
	}
	s := &shards{
		shardShape: shape,
		encoder:    encoder,
		data:       make([]byte, shape.dataShards*shape.shardBytes),
		parity:     make([]byte, shape.parityShards*shape.shardBytes),
		period:     period,
	}
	for i := range shape.dataShards {
		shard := nth(s.data, i, shape.shardBytes)
		for at := 0; at < len(shard); {
			at += copy(shard[at:], s.origin(i, at))
		}
		s.all = append(s.all, shard)
	}
	for i := range shape.parityShards {
		s.all = append(s.all, nth(s.parity, i, shape.shardBytes))
	}
	return s, nil
}

// nth is the n-th piece of a block of memory.
func nth(memory []byte, n, bytes int) []byte {
	return memory[n*bytes : (n+1)*bytes : (n+1)*bytes]
}

// shardStep is the distance between the starts of two data shards in the random bytes: a prime
// above 2^20, so that all shards differ at every offset.
const shardStep = 1_048_583

// origin is the content of data shard i from an offset on, up to where the random bytes begin
// again.
func (s *shards) origin(i, at int) []byte {
	return s.period[(i*shardStep+at)%len(s.period):]
}

// mustBeOriginal compares a data shard, or its beginning, with its source.
func (s *shards) mustBeOriginal(i int, shard []byte) error {
	for at := 0; at < len(shard); {
		origin := s.origin(i, at)
		length := min(len(origin), len(shard)-at)
		if err := mustEqual("a data shard", shard[at:at+length], origin[:length]); err != nil {
			return err
		}
		at += length
	}
	return nil
}

// mustBeKnownParity compares parity with the pinned one, if there is one.
func (s *shards) mustBeKnownParity(parity []byte) error {
	if len(parity) != len(s.parity) {
		return protocol.Faultf(protocol.KindWrongAnswer, "the parity has %d bytes, not %d", len(parity), len(s.parity))
	}
	known, isPinned := knownParities[s.shardShape]
	if sum := crc32.ChecksumIEEE(parity); isPinned && sum != known {
		return protocol.Faultf(protocol.KindWrongAnswer, "the parity has CRC-32 %08x, not %08x", sum, known)
	}
	return nil
}

type encodeInstance struct{ *shards }

func (e *encodeInstance) Op() error { return e.encoder.Encode(e.all) }

// Output returns the parity in place: a copy would need half as much memory again.
func (e *encodeInstance) Output() ([]byte, error) {
	clear(e.parity)
	return e.parity, e.Op()
}

func (e *encodeInstance) Check(output []byte) error {
	if err := e.mustBeKnownParity(output); err != nil {
		return err
	}
	return e.mustComeBack(output)
}

// columnBytes is the most that is checked together of each shard.
const columnBytes = 64 << 10

// columns is the parts of each shard that are checked: all of it, or, if there is a known answer
// for all, as many parts as there are shards. There are at least as many columns as shards, because
// different shards are lost in each.
func (e *encodeInstance) columns() (columns [][2]int) {
	total := len(e.all)
	length := min(columnBytes, (e.shardBytes+total-1)/total)
	step := length
	if _, isPinned := knownParities[e.shardShape]; isPinned {
		step = e.shardBytes / total
	}
	for from := 0; from < e.shardBytes || len(columns) < total; from += step {
		at := from % e.shardBytes // a short shard repeatedly
		columns = append(columns, [2]int{at, min(at+length, e.shardBytes)})
	}
	return columns
}

// mustComeBack loses as many shards as there are parity shards, different ones in each column,
// until each was lost equally often, and compares the reconstructed ones. The library's own Verify
// must agree.
func (e *encodeInstance) mustComeBack(parity []byte) error {
	total := len(e.all)
	column, damaged := make([][]byte, total), make([][]byte, total)
	scratch := make([]byte, e.parityShards*columnBytes)
	for n, part := range e.columns() {
		for i, shard := range e.all {
			if i >= e.dataShards {
				shard = nth(parity, i-e.dataShards, e.shardBytes)
			}
			column[i] = shard[part[0]:part[1]]
		}
		if intact, err := e.encoder.Verify(column); err != nil || !intact {
			return protocol.Faultf(protocol.KindWrongAnswer, "the library does not verify its parity (%v)", err)
		}
		copy(damaged, column)
		for i := range e.parityShards {
			damaged[(n+i)%total] = nth(scratch, i, columnBytes)[:0]
		}
		if err := e.encoder.Reconstruct(damaged); err != nil {
			return protocol.Faultf(protocol.KindWrongAnswer, "lost shards are not reconstructed: %v", err)
		}
		for i := range total {
			if err := mustEqual("a reconstructed shard", damaged[i], column[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

type reconstructInstance struct {
	*shards
	lost int // the number of lost data shards, the first ones
}

// newReconstructInstance makes the parity to reconstruct from.
func newReconstructInstance(s *shards) (instance, error) {
	if err := s.encoder.Encode(s.all); err != nil {
		return nil, err
	}
	if err := s.mustBeKnownParity(s.parity); err != nil {
		return nil, err
	}
	return &reconstructInstance{s, min(s.parityShards, s.dataShards)}, nil
}

// Op reconstructs into the memory of the lost shards. Always the same ones are lost, so the library
// finds the inverted matrix in its cache; inverting it again would cost microseconds.
func (r *reconstructInstance) Op() error {
	for i := range r.lost {
		r.all[i] = r.all[i][:0]
	}
	return r.encoder.ReconstructData(r.all)
}

// Output first wipes the lost shards, because they are reconstructed in place.
func (r *reconstructInstance) Output() ([]byte, error) {
	lost := r.data[:r.lost*r.shardBytes]
	clear(lost)
	return lost, r.Op()
}

func (r *reconstructInstance) Check(output []byte) error {
	if len(output) != r.lost*r.shardBytes {
		return protocol.Faultf(protocol.KindWrongAnswer, "%d bytes were reconstructed, not %d", len(output), r.lost*r.shardBytes)
	}
	for i := range r.lost {
		if err := r.mustBeOriginal(i, nth(output, i, r.shardBytes)); err != nil {
			return err
		}
	}
	return nil
}
