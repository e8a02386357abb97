package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"iter"
	"maps"
	"slices"

	"sizeup/gokit/protocol"
)

// Sorting and hash tables, of the values of workers/data/src/sort.rs and table.rs.

// itemRanges is how many values an op works on.
var itemRanges = protocol.Ranges{"items": protocol.Integers(1<<10, 1<<24)}

const (
	sortSeed  = 2026
	tableSeed = 2027
)

// sortWords is the first two parts of each text: many begin alike, as paths and names of metrics do.
var sortWords = [16]string{
	"api", "assets", "billing", "cart", "catalog", "events", "images", "jobs", "metrics", "orders",
	"payments", "queue", "search", "sessions", "static", "users",
}

// draws is numbers that are the same on every machine and in every language: SplitMix64.
type draws uint64

func (d *draws) next() uint64 {
	*d += 0x9e3779b97f4a7c15
	return spread(uint64(*d))
}

// below is a number below a bound, which is at most 2³².
func (d *draws) below(bound uint64) uint64 { return d.next() >> 32 * bound >> 32 }

// spread spreads numbers over 64 bits, each to another one.
func spread(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// planSort plans slices.Sort of a copy of unsorted values; record appends a value as bytes, whose
// order is that of the values, and split divides an output into them.
func planSort[T cmp.Ordered](draw func(*draws) T, record func([]byte, T) []byte, split func([]byte) (iter.Seq[[]byte], bool)) func(*job) (*plan, error) {
	return func(j *job) (*plan, error) {
		items := j.Integer("items")
		return &plan{
			Verified:  "the values ascend and are those that were to be sorted",
			Libraries: []string{libraryGo},
			Instantiate: func() (instance, error) {
				from := draws(sortSeed)
				unsorted := make([]T, items)
				for i := range unsorted {
					unsorted[i] = draw(&from)
				}
				return &sortInstance[T]{unsorted, make([]T, items), sortCopy[T], record, split}, nil
			},
		}, nil
	}
}

var planSortNumbers = planSort((*draws).next,
	binary.BigEndian.AppendUint64,
	func(output []byte) (iter.Seq[[]byte], bool) {
		return slices.Chunk(output, 8), len(output)%8 == 0
	})

var planSortTexts = planSort(
	func(d *draws) string {
		drawn := d.next()
		return fmt.Sprintf("/%s/%s/%x", sortWords[drawn%16], sortWords[drawn>>4%16], drawn>>40)
	},
	func(to []byte, text string) []byte { return append(append(to, text...), '\n') },
	func(output []byte) (iter.Seq[[]byte], bool) {
		whole, isWhole := bytes.CutSuffix(output, []byte{'\n'})
		return bytes.SplitSeq(whole, []byte{'\n'}), isWhole
	})

type sortInstance[T cmp.Ordered] struct {
	unsorted, sorted []T
	sort             func(sorted, unsorted []T)
	record           func([]byte, T) []byte
	split            func([]byte) (iter.Seq[[]byte], bool)
}

func sortCopy[T cmp.Ordered](sorted, unsorted []T) {
	copy(sorted, unsorted)
	slices.Sort(sorted)
}

func (s *sortInstance[T]) Op() error {
	s.sort(s.sorted, s.unsorted)
	return nil
}

func (s *sortInstance[T]) Output() ([]byte, error) {
	clear(s.sorted)
	if err := s.Op(); err != nil {
		return nil, err
	}
	return s.bytesOf(s.sorted), nil
}

func (s *sortInstance[T]) bytesOf(values []T) (all []byte) {
	for _, value := range values {
		all = s.record(all, value)
	}
	return all
}

func (s *sortInstance[T]) Check(output []byte) error {
	records, isWhole := s.split(output)
	if !isWhole {
		return protocol.Faultf(protocol.KindWrongAnswer, "the output ends within a value")
	}
	var sorted, asked tally
	var last []byte
	for record := range records {
		if bytes.Compare(last, record) > 0 {
			return protocol.Faultf(protocol.KindWrongAnswer, "the values are not sorted")
		}
		last = record
		sorted.add(record)
	}
	unsorted, _ := s.split(s.bytesOf(s.unsorted))
	for record := range unsorted {
		asked.add(record)
	}
	if sorted != asked {
		return protocol.Faultf(protocol.KindWrongAnswer, "%d other values than the %d that were to be sorted", sorted.records, asked.records)
	}
	return nil
}

// tally counts records and adds a number made of each (FNV-1a, spread), which another is not
// likely to have.
type tally struct{ records, sum uint64 }

func (t *tally) add(record []byte) {
	mark := uint64(0xcbf29ce484222325)
	for _, b := range record {
		mark = (mark ^ uint64(b)) * 0x100000001b3
	}
	t.records++
	t.sum += spread(mark)
}

// planHashInsert plans to count keys in a new map, which grows as it fills.
func planHashInsert(j *job) (*plan, error) {
	items := j.Integer("items")
	return &plan{
		Verified:  "keys and counts are those of the sorted keys",
		Libraries: []string{libraryGo},
		Instantiate: func() (instance, error) {
			from := draws(tableSeed)
			keys := make([]uint64, items)
			for i := range keys {
				keys[i] = spread(from.below(uint64(items) / 2)) // each comes twice on average
			}
			return &hashInsertInstance{keys: keys}, nil
		},
	}, nil
}

type hashInsertInstance struct {
	keys   []uint64
	counts map[uint64]uint64 // of the last op: depends on it
}

func (h *hashInsertInstance) Op() error {
	h.counts = nil
	counts := map[uint64]uint64{}
	for _, key := range h.keys {
		counts[key]++
	}
	h.counts = counts
	return nil
}

// Output is all keys in their order, each with its count.
func (h *hashInsertInstance) Output() ([]byte, error) {
	h.counts = nil
	if err := h.Op(); err != nil {
		return nil, err
	}
	var output []byte
	for _, key := range slices.Sorted(maps.Keys(h.counts)) {
		output = binary.LittleEndian.AppendUint64(output, key)
		output = binary.LittleEndian.AppendUint64(output, h.counts[key])
	}
	return output, nil
}

func (h *hashInsertInstance) Check(output []byte) error {
	var expected []byte
	keys := slices.Sorted(slices.Values(h.keys))
	for len(keys) > 0 {
		run := 1
		for run < len(keys) && keys[run] == keys[0] {
			run++
		}
		expected = binary.LittleEndian.AppendUint64(expected, keys[0])
		expected = binary.LittleEndian.AppendUint64(expected, uint64(run))
		keys = keys[run:]
	}
	return mustEqual("the counts", output, expected)
}
