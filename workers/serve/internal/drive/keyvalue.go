package drive

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"sizeup/worker-serve/internal/daemon"
)

// KeyValueTarget is the processes of a cache, and what is requested of them. Each process has keys of
// its own; an op is one GET or SET of a key that is drawn uniformly.
type KeyValueTarget struct {
	Dialect    string   `json:"dialect"`   // "resp" or "memcached"
	Addresses  []string `json:"addresses"` // of each process, with the port
	Password   string   `json:"password"`
	Keys       int64    `json:"keys"` // of each process
	ValueBytes int      `json:"value_bytes"`
	GetPercent int      `json:"get_percent"`
	Pipeline   int      `json:"pipeline"` // requests that are sent together
	Seed       uint64   `json:"seed"`
}

// SpareKeys is the number of keys behind those that are drawn: nothing ever sets them again, and fetch
// gets them.
const SpareKeys = 16

// dialect is how a cache is spoken to.
type dialect interface {
	login(session io.ReadWriter, password string) error
	get(out []byte, key int64) []byte
	set(out []byte, key int64, value []byte) []byte
	// answer reads one answer: to a GET its value, to a SET nothing. It returns 0 bytes if the answer is
	// not complete.
	answer(in []byte, isSet bool) (read int, value []byte, err error)
	// counts asks how many GETs found their key, how many did not, and how many SETs there were.
	counts(session io.ReadWriter) (hits, misses, sets int64, err error)
}

// shard is one process, and what its keys must be.
type shard struct {
	address string
	// versions is, by key, the last version that was sent (high half) and the last one that the server
	// confirmed. One connection sets a key, all get it.
	versions    []atomic.Uint64
	connections []*cacheSpeaker
	checks      int64 // GETs of fetch
}

// keyValue is all shards of a target.
type keyValue struct {
	target  *KeyValueTarget
	dialect dialect
	shards  []*shard
}

func openKeyValue(target *KeyValueTarget, connections, cpus int) (*wireClient, error) {
	k := &keyValue{target: target, dialect: resp{}}
	if target.Dialect == "memcached" {
		k.dialect = memcached{}
	}
	const mostKeys = 1 << 28
	if target.Keys < 1 || target.Keys > mostKeys || len(target.Addresses) == 0 || connections < len(target.Addresses) ||
		target.ValueBytes < LeastValue || target.ValueBytes > MostValue || target.Pipeline < 1 || target.Pipeline > MostPipeline {
		return nil, errors.New("a target with impossible sizes")
	}
	for _, address := range target.Addresses {
		k.shards = append(k.shards, &shard{address: address, versions: make([]atomic.Uint64, target.Keys)})
	}
	if err := k.fill(); err != nil {
		return nil, err
	}
	var dial []func() (net.Conn, speaker, error)
	for i := range connections {
		shard := k.shards[i%len(k.shards)]
		s := &cacheSpeaker{keyValue: k, shard: shard, index: int64(len(shard.connections))}
		s.random.state = target.Seed ^ mixed(uint64(i)+1)
		shard.connections = append(shard.connections, s)
		dial = append(dial, func() (net.Conn, speaker, error) {
			connection, err := net.DialTimeout("tcp", shard.address, requestPatience)
			return connection, s, err
		})
	}
	client, err := newWireClient(cpus, dial)
	if err != nil {
		return nil, err
	}
	client.check = k.fetch
	return client, nil
}

// session calls with a connection of its own.
func (k *keyValue) session(address string, call func(net.Conn) error) error {
	connection, err := net.DialTimeout("tcp", address, requestPatience)
	if err != nil {
		return err
	}
	defer connection.Close()
	if err := connection.SetDeadline(time.Now().Add(requestPatience)); err != nil {
		return err
	}
	if err := k.dialect.login(connection, k.target.Password); err != nil {
		return err
	}
	return call(connection)
}

// fill sets all keys of all processes, at once.
func (k *keyValue) fill() error {
	failed := make([]error, len(k.shards))
	var atWork sync.WaitGroup
	for i, shard := range k.shards {
		atWork.Go(func() {
			failed[i] = k.session(shard.address, func(connection net.Conn) error { return k.fillOne(connection) })
		})
	}
	atWork.Wait()
	return errors.Join(failed...)
}

func (k *keyValue) fillOne(connection net.Conn) error {
	const together = 4096
	in := newAnswers(connection)
	var out, value []byte
	all := k.target.Keys + SpareKeys
	for first := int64(0); first < all; first += together {
		count := min(together, all-first)
		out = out[:0]
		for key := first; key < first+count; key++ {
			value = appendValue(value[:0], key, 0, k.target.ValueBytes)
			out = k.dialect.set(out, key, value)
		}
		if err := connection.SetDeadline(time.Now().Add(requestPatience)); err != nil {
			return err
		}
		if _, err := connection.Write(out); err != nil {
			return err
		}
		for range count {
			if _, err := in.next(k.dialect, true); err != nil {
				return err
			}
		}
	}
	return nil
}

// fetch gets the keys that nothing sets, and what the server counted against what was sent: the
// differences must be 0.
func (k *keyValue) fetch() (*Fetched, error) {
	var body []byte
	for _, shard := range k.shards {
		err := k.session(shard.address, func(connection net.Conn) error {
			in := newAnswers(connection)
			for key := k.target.Keys; key < k.target.Keys+SpareKeys; key++ {
				if _, err := connection.Write(k.dialect.get(nil, key)); err != nil {
					return err
				}
				value, err := in.next(k.dialect, false)
				if err != nil {
					return err
				}
				body = append(body, value...)
				shard.checks++
			}
			hits, misses, sets, err := k.dialect.counts(connection)
			if err != nil {
				return err
			}
			hits -= shard.checks
			sets -= k.target.Keys + SpareKeys
			for _, connection := range shard.connections {
				hits -= connection.gets
				sets -= connection.sets
			}
			body = AppendCounts(body, hits, misses, sets)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return &Fetched{Body: body}, nil
}

// AppendCounts appends the line of what a server counted beyond what was sent.
func AppendCounts(body []byte, hits, misses, sets int64) []byte {
	return fmt.Appendf(body, "\nhits %+d, misses %+d, sets %+d\n", hits, misses, sets)
}

// The sizes of values, and of pipelines. A value begins with its key and its version.
const (
	keyBytes     = len("key:000000000000")
	versionBytes = 8
	LeastValue   = keyBytes + versionBytes + 8
	MostValue    = 4096
	MostPipeline = 10 // times a value, it fits into what a connection reads at once
)

// appendKey appends a key as redis-benchmark names it.
func appendKey(out []byte, key int64) []byte {
	out = append(out, "key:000000000000"...)
	for at := len(out) - 1; key > 0; at-- {
		out[at] = byte('0' + key%10)
		key /= 10
	}
	return out
}

// AppendValue appends the value that a key has from the beginning.
func AppendValue(out []byte, key int64, size int) []byte { return appendValue(out, key, 0, size) }

// appendValue appends a value of so many bytes: its key, its version in hex, and bytes that follow from
// both, none of which is a line break.
func appendValue(out []byte, key int64, version uint32, size int) []byte {
	out = appendKey(out, key)
	for shift := 28; shift >= 0; shift -= 4 {
		out = append(out, "0123456789abcdef"[version>>shift&15])
	}
	word := uint64(key)<<32 ^ uint64(version)
	for left := size - keyBytes - versionBytes; left > 0; left -= 8 {
		word = mixed(word)
		var bytes [8]byte
		binary.LittleEndian.PutUint64(bytes[:], word|0x8080808080808080)
		out = append(out, bytes[:min(left, 8)]...)
	}
	return out
}

// mixed is the next word of splitmix64 (Sebastiano Vigna, 2015).
func mixed(word uint64) uint64 {
	word += 0x9e3779b97f4a7c15
	word = (word ^ word>>30) * 0xbf58476d1ce4e5b9
	word = (word ^ word>>27) * 0x94d049bb133111eb
	return word ^ word>>31
}

// random is a generator of uniform numbers.
type random struct{ state uint64 }

// below is a number from 0 up to a bound.
func (r *random) below(bound int64) int64 {
	r.state += 0x9e3779b97f4a7c15
	high, _ := bits.Mul64(mixed(r.state), uint64(bound))
	return int64(high)
}

// cacheSpeaker is one connection.
type cacheSpeaker struct {
	keyValue   *keyValue
	shard      *shard
	index      int64 // among the shard's connections
	random     random
	pending    []pendingRequest // in the order in which they were sent
	answered   int              // of these
	value      []byte
	gets, sets int64 // that were answered
}

// pendingRequest is a request that was sent.
type pendingRequest struct {
	key     int64
	isSet   bool
	version uint32 // of a SET what it sets; of a GET the least that it must get
}

func (s *cacheSpeaker) greet(session io.ReadWriter) error {
	return s.keyValue.dialect.login(session, s.keyValue.target.Password)
}

func (s *cacheSpeaker) begin(out []byte) []byte {
	target := s.keyValue.target
	s.pending, s.answered = s.pending[:0], 0
	for range target.Pipeline {
		request := pendingRequest{key: s.random.below(target.Keys), isSet: s.random.below(100) >= int64(target.GetPercent)}
		if request.isSet {
			// Only the connection that sets a key knows all its versions.
			connections := int64(len(s.shard.connections))
			request.key -= request.key % connections
			if request.key += s.index; request.key >= target.Keys {
				request.key = s.index % target.Keys
			}
		}
		state := &s.shard.versions[request.key]
		known := state.Load()
		if !request.isSet {
			request.version = uint32(known)
			out = s.keyValue.dialect.get(out, request.key)
		} else {
			request.version = uint32(known>>32) + 1
			state.Store(uint64(request.version)<<32 | known&0xffffffff)
			s.value = appendValue(s.value[:0], request.key, request.version, target.ValueBytes)
			out = s.keyValue.dialect.set(out, request.key, s.value)
		}
		s.pending = append(s.pending, request)
	}
	return out
}

func (s *cacheSpeaker) take(in, out []byte) (read int, next []byte, ops int64, err error) {
	for s.answered < len(s.pending) {
		request := s.pending[s.answered]
		length, value, err := s.keyValue.dialect.answer(in[read:], request.isSet)
		if err != nil {
			return 0, nil, 0, err
		}
		if length == 0 {
			return read, out, 0, nil
		}
		read += length
		s.answered++
		state := &s.shard.versions[request.key]
		if request.isSet {
			state.Store(state.Load()&^uint64(0xffffffff) | uint64(request.version))
			s.sets++
			continue
		}
		if err := s.check(request, value, uint32(state.Load()>>32)); err != nil {
			return 0, nil, 0, err
		}
		s.gets++
	}
	return read, out, int64(len(s.pending)), nil
}

// check checks a value against its key. Its version is one that was confirmed before the request was
// sent, or a later one that was sent until now.
func (s *cacheSpeaker) check(request pendingRequest, value []byte, latest uint32) error {
	if len(value) != s.keyValue.target.ValueBytes {
		return wrong("key %d has a value of %d bytes, not %d", request.key, len(value), s.keyValue.target.ValueBytes)
	}
	version, err := strconv.ParseUint(string(value[keyBytes:keyBytes+versionBytes]), 16, 32)
	if err != nil {
		return wrong("the value of key %d has no version: %s", request.key, daemon.Printable(string(value)))
	}
	s.value = appendValue(s.value[:0], request.key, uint32(version), len(value))
	if !bytes.Equal(s.value, value) {
		return wrong("the value of key %d is not one that was set: %s", request.key, daemon.Printable(string(value)))
	}
	if uint32(version) < request.version || uint32(version) > latest {
		return wrong("stale answer: key %d has version %d; versions %d to %d would be right",
			request.key, version, request.version, latest)
	}
	return nil
}

// answers reads answers from a connection, one after another.
type answers struct{ in *bufio.Reader }

func newAnswers(connection io.Reader) *answers {
	return &answers{bufio.NewReaderSize(connection, 64<<10)}
}

func (a *answers) next(d dialect, isSet bool) ([]byte, error) {
	for size := 1; ; {
		if _, err := a.in.Peek(size); err != nil {
			return nil, err
		}
		in, err := a.in.Peek(a.in.Buffered())
		if err != nil {
			return nil, err
		}
		read, value, err := d.answer(in, isSet)
		if err != nil {
			return nil, err
		}
		if read > 0 {
			value = bytes.Clone(value)
			_, err := a.in.Discard(read)
			return value, err
		}
		size = len(in) + 1
	}
}

// line reads one line, without its end.
func (a *answers) line() (string, error) {
	line, err := a.in.ReadSlice('\n')
	return string(bytes.TrimSuffix(line, []byte("\r\n"))), err
}

// cutLine is a line that has arrived, without its end, and its length with it; 0 if there is none yet.
func cutLine(in []byte) (line []byte, length int, err error) {
	const longest = 4096
	end := bytes.IndexByte(in, '\n')
	if end < 0 && len(in) < longest {
		return nil, 0, nil
	}
	if end < 1 || in[end-1] != '\r' {
		return nil, 0, fmt.Errorf("an answer that is none: %s", daemon.Printable(string(in[:min(len(in), 100)])))
	}
	return in[:end-1], end + 1, nil
}

// cutBlock is bytes with a line end that follow a line; 0 if they have not arrived yet.
func cutBlock(in []byte, at, size int) (block []byte, length int, err error) {
	if len(in) < at+size+2 {
		return nil, 0, nil
	}
	if in[at+size] != '\r' || in[at+size+1] != '\n' {
		return nil, 0, errors.New("an answer that is longer than it says")
	}
	return in[at : at+size], at + size + 2, nil
}

// number is a size that an answer states.
func number(text []byte) (int, error) {
	size, err := strconv.Atoi(string(text))
	if err != nil || size < 0 || size > 1<<20 {
		return 0, fmt.Errorf("an answer of size %s", daemon.Printable(string(text)))
	}
	return size, nil
}
