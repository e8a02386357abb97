package drive

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// fakeCache speaks enough of Valkey's protocol, and lies as a test says.
type fakeCache struct {
	lock         sync.Mutex
	values       map[string]string
	first        map[string]string // what each key had first
	hits, sets   int
	lie          atomic.Pointer[func(f *fakeCache, key, value string) string] // the value in an answer to GET
	stall        atomic.Int64                                                 // ns, once
	isForgetting atomic.Bool                                                  // SETs are confirmed and not kept
}

func serveCache(t *testing.T) (*fakeCache, Target) {
	t.Helper()
	f := &fakeCache{values: map[string]string{}, first: map[string]string{}}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go f.serve(connection)
		}
	}()
	return f, Target{Connections: 4, KeyValue: &KeyValueTarget{
		Dialect: "resp", Addresses: []string{listener.Addr().String()}, Password: "p", Keys: 50, ValueBytes: 96, GetPercent: 50,
		Pipeline: 1, Seed: 7,
	}}
}

func (f *fakeCache) serve(connection net.Conn) {
	defer connection.Close()
	in := bufio.NewReader(connection)
	for {
		var words []string
		var count int
		if _, err := fmt.Fscanf(in, "*%d\r\n", &count); err != nil {
			return
		}
		for range count {
			var size int
			if _, err := fmt.Fscanf(in, "$%d\r\n", &size); err != nil {
				return
			}
			word := make([]byte, size+2)
			for read := 0; read < len(word); {
				n, err := in.Read(word[read:])
				if err != nil {
					return
				}
				read += n
			}
			words = append(words, string(word[:size]))
		}
		if _, err := connection.Write([]byte(f.answer(words))); err != nil {
			return
		}
	}
}

func (f *fakeCache) answer(words []string) string {
	f.lock.Lock()
	defer f.lock.Unlock()
	time.Sleep(time.Duration(f.stall.Swap(0)))
	switch words[0] {
	case "SET":
		f.sets++
		if f.first[words[1]] == "" {
			f.first[words[1]] = words[2]
		}
		if !f.isForgetting.Load() {
			f.values[words[1]] = words[2]
		}
		return "+OK\r\n"
	case "GET":
		f.hits++
		value := f.values[words[1]]
		if lie := f.lie.Load(); lie != nil {
			value = (*lie)(f, words[1], value)
		}
		if strings.HasPrefix(value, "-") || strings.HasPrefix(value, "$") {
			return value + "\r\n"
		}
		return fmt.Sprintf("$%d\r\n%s\r\n", len(value), value)
	case "INFO":
		text := fmt.Sprintf("keyspace_hits:%d\r\nkeyspace_misses:0\r\ncmdstat_set:calls=%d,usec=1\r\n", f.hits, f.sets)
		return fmt.Sprintf("$%d\r\n%s\r\n", len(text), text)
	}
	return "+OK\r\n"
}

func TestACacheThatIsRightIsLoadedAndCounted(t *testing.T) {
	for _, pipeline := range []int{1, 10} {
		_, target := serveCache(t)
		target.KeyValue.Pipeline = pipeline
		handle := opened(t, target)
		result, err := handle.Load(Load{SampleNS: ms(50), LeastOps: 3}, nothing, nothing)
		if err != nil || result.Ops < 3 || result.Ops%int64(pipeline) != 0 {
			t.Fatal(result, err)
		}
		fetched, err := handle.Fetch()
		if err != nil || !strings.HasSuffix(string(fetched.Body), string(AppendCounts(nil, 0, 0, 0))) {
			t.Fatalf("%v: %q", err, fetched.Body)
		}
	}
}

func TestEveryLieOfACacheFailsTheLoad(t *testing.T) {
	for name, lie := range map[string]func(f *fakeCache, key, value string) string{
		"not one that was set": func(_ *fakeCache, _, value string) string { return value[:95] + "x" },
		"value of 95 bytes":    func(_ *fakeCache, _, value string) string { return value[:95] },
		"has no version":       func(_ *fakeCache, _, value string) string { return strings.Repeat("x", len(value)) },
		"is not one that was":  func(f *fakeCache, _, _ string) string { return f.values["key:000000000003"] },
		"stale":                func(f *fakeCache, key, _ string) string { return f.first[key] },
		"versions 0 to": func(_ *fakeCache, key, _ string) string {
			var number int64
			_, _ = fmt.Sscanf(key, "key:%d", &number)
			return string(appendValue(nil, number, 999_999_999, 96))
		},
		"is not there":         func(*fakeCache, string, string) string { return "$-1" },
		"OOM command":          func(*fakeCache, string, string) string { return "-OOM command not allowed\x1b[31m" },
		"longer than it says":  func(_ *fakeCache, _, value string) string { return "$95\r\n" + value },
		"size 99999999":        func(*fakeCache, string, string) string { return "$99999999" },
		"nothing was sent for": func(_ *fakeCache, _, value string) string { return "$96\r\n" + value + "\r\n+more" },
	} {
		f, target := serveCache(t)
		target.Connections, target.KeyValue.Keys = 2, 3
		handle := opened(t, target)
		if name == "versions 0 to" {
			name = "versions "
		}
		// Keys are to have later versions than the first.
		if _, err := handle.Load(Load{SampleNS: ms(30), LeastOps: 50}, nothing, nothing); err != nil {
			t.Fatal(err)
		}
		f.lie.Store(&lie)
		_, err := handle.Load(Load{SampleNS: ms(30), LeastOps: 50}, nothing, nothing)
		if err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%s: %v", name, err)
		}
		_, isWrong := errors.AsType[*WrongAnswer](err)
		if hasAnswer := name != "OOM command" && name != "longer than it says" && name != "size 99999999" &&
			name != "nothing was sent for"; isWrong != hasAnswer {
			t.Errorf("%s is a wrong answer: %v", name, isWrong)
		}
	}
}

func TestACacheThatConfirmsAndForgetsFails(t *testing.T) {
	f, target := serveCache(t)
	handle := opened(t, target)
	f.isForgetting.Store(true)
	_, err := handle.Load(Load{SampleNS: ms(200), LeastOps: 500}, nothing, nothing)
	if err == nil || !strings.Contains(err.Error(), "stale answer") {
		t.Error(err)
	}
}

func TestACacheThatCountsOtherwiseIsFound(t *testing.T) {
	f, target := serveCache(t)
	handle := opened(t, target)
	f.lock.Lock()
	f.hits += 5
	f.sets--
	f.lock.Unlock()
	fetched, err := handle.Fetch()
	if err != nil || !strings.Contains(string(fetched.Body), "hits +5, misses +0, sets -1") {
		t.Errorf("%v: %q", err, fetched.Body)
	}
}

func TestAStallOfAServerIsInTheP99AtARateAndNotInThatOfAClosedLoop(t *testing.T) {
	const stall = 100 * time.Millisecond
	f, target := serveCache(t)
	handle := opened(t, target)
	const perS = 500
	result, err := handle.Load(Load{
		WarmupNS: ms(50), SampleNS: ms(1000), LeastOps: 3, RatePer1000S: perS * 1000,
	}, func() { f.stall.Store(stall.Nanoseconds()) }, nothing)
	if err != nil {
		t.Fatal(err)
	}
	if result.ElapsedNS < ms(1000) {
		t.Errorf("the sample lasted %v", time.Duration(result.ElapsedNS))
	}
	var all, late int64
	for _, bucket := range result.Latency {
		all += bucket[1]
		if UpperNS(bucket[0]) > (stall / 2).Nanoseconds() {
			late += bucket[1]
		}
	}
	if all != result.DueOps || all < perS-1 || all > perS+1 {
		t.Errorf("latencies of %d of %d requests", all, result.DueOps)
	}
	// While the server stalled 50 requests became due, and the first half of them waited for at least half of it.
	if late*100 < all {
		t.Errorf("at a rate, only %d of %d requests were late", late, all)
	}

	// A client that sends after an answer only has as many late requests as connections.
	const requests = 1000 // on each
	var waited atomic.Int64
	var atWork sync.WaitGroup
	for number := range target.Connections {
		connection, err := net.Dial("tcp", target.KeyValue.Addresses[0])
		if err != nil {
			t.Fatal(err)
		}
		defer connection.Close()
		atWork.Go(func() {
			for i := range requests {
				if number == 0 && i == requests/2 {
					f.stall.Store(stall.Nanoseconds())
				}
				start := time.Now()
				if _, err := ask(connection, "GET", "key:000000000001"); err != nil {
					t.Error(err)
					return
				}
				if time.Since(start) > stall/2 {
					waited.Add(1)
				}
			}
		})
	}
	atWork.Wait()
	if count := waited.Load(); count == 0 || count*100 >= int64(target.Connections)*requests {
		t.Errorf("in a closed loop, %d of %d requests were late", count, target.Connections*requests)
	}
}

// fakeMessages is messages of PostgreSQL, one after another.
func fakeMessages(messages ...string) []byte {
	var out []byte
	for _, message := range messages {
		var at int
		out, at = beginMessage(out, message[0])
		out = append(out, message[1:]...)
		endMessage(out, at)
	}
	return out
}

// selected is the answer to a SELECT of one value.
func selected(value string) []string {
	row := appendInt32(appendInt16([]byte("D"), 1), len(value))
	return []string{"2", "Tx", string(row) + value, "CSELECT 1\x00", "ZI"}
}

func TestEveryLieOfADatabaseFailsTheLoad(t *testing.T) {
	right := fmt.Sprint(Balance(1))
	changed := func(replace func([]string) []string) []byte { return fakeMessages(replace(selected(right))...) }
	for name, in := range map[string][]byte{
		"":                       fakeMessages(selected(right)...),
		"the first 5; right is":  fakeMessages(selected("5")...),
		"the first NULL":         fakeMessages("2", "D\x00\x01\xff\xff\xff\xff", "CSELECT 1\x00", "ZI"),
		"gave 0 rows":            fakeMessages("2", "CSELECT 1\x00", "ZI"),
		"gave 2 rows":            changed(func(m []string) []string { return []string{m[2], m[2], m[3], m[4]} }),
		"answered by SELECT 2":   fakeMessages("2", "CSELECT 2\x00", "ZI"),
		"ERROR 57014: cancel?[m": fakeMessages("ESERROR\x00C57014\x00Mcancel\x1b[m\x00\x00"),
		"of kind 'X'":            fakeMessages("Xx"),
		"message of":             []byte("D\xff\xff\xff\xff"),
		"row without columns":    fakeMessages("D"),
	} {
		s := &sqlSpeaker{sql: &sql{target: &SQLTarget{Script: "select", Scale: 1}, accounts: 1}}
		s.begin(nil)
		// In pieces of each size: messages arrive as they like.
		for piece := 1; piece <= len(in); piece += 7 {
			s.at = 0
			s.execute(nil)
			var arrived []byte
			var ops int64
			var err error
			for rest := in; len(rest) > 0 && err == nil; {
				now := rest[:min(piece, len(rest))]
				rest = rest[len(now):]
				arrived = append(arrived, now...)
				var read int
				read, _, ops, err = s.take(arrived, nil)
				arrived = arrived[read:]
			}
			if name == "" && (err != nil || ops != 1) || name != "" && (err == nil || !strings.Contains(err.Error(), name)) {
				t.Fatalf("%q in pieces of %d: %d ops, %v", name, piece, ops, err)
			}
		}
	}
}

func TestATransactionKnowsTheBalanceThatItMustSee(t *testing.T) {
	one := &sql{target: &SQLTarget{Script: "tpcb", Scale: 1}, accounts: 1, deltas: make([]atomic.Int32, 2)}
	s := &sqlSpeaker{sql: one}
	one.connections = []*sqlSpeaker{s}
	var added int64
	for _, isStale := range []bool{false, false, true} {
		s.begin(nil)
		balance := Balance(1) + added + s.delta
		if isStale {
			balance -= added // as it was before both
		}
		var in []byte
		for _, tag := range []string{"BEGIN", "UPDATE 1", "", "UPDATE 1", "UPDATE 1", "INSERT 0 1", "COMMIT"} {
			if tag == "" {
				in = append(in, fakeMessages(selected(fmt.Sprint(balance))...)...)
			} else {
				in = append(in, fakeMessages("2", "C"+tag+"\x00", "ZT")...)
			}
		}
		delta, ops, err := s.delta, int64(0), error(nil)
		for len(in) > 0 && err == nil && ops == 0 {
			var read int
			read, _, ops, err = s.take(in, nil)
			in = in[read:]
		}
		if isStale && added != 0 {
			if _, isWrong := errors.AsType[*WrongAnswer](err); !isWrong {
				t.Errorf("a stale balance passes: %v", err)
			}
			return
		}
		if err != nil || ops != 1 {
			t.Fatal(ops, err)
		}
		added += delta
	}
}

func TestNoMessageOfADatabaseMakesASpeakerPanic(t *testing.T) {
	for size := range 64 {
		for fill := range 256 {
			body := strings.Repeat(string([]byte{byte(fill)}), size)
			for _, kind := range "DCERTZS2n" {
				s := &sqlSpeaker{sql: &sql{target: &SQLTarget{Script: "select", Scale: 1}, accounts: 1}}
				s.begin(nil)
				_, _, _, _ = s.take(fakeMessages(string(kind)+body), nil)
				_, _ = columns([]byte(body))
			}
		}
	}
}
