package drive

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"sizeup/gokit/cpu"
)

// httpClient is the connections to one server.
type httpClient struct {
	target      *Target
	connections []*connection
	cpus        int
}

// openHTTP makes the connections, one request on each, all at once.
func openHTTP(target *Target, cpus int) (*httpClient, error) {
	c := &httpClient{target: target, cpus: cpus}
	for i := range target.Connections {
		connection, err := newConnection(target, i)
		if err != nil {
			return nil, err
		}
		c.connections = append(c.connections, connection)
	}
	s := c.newStretch()
	for _, connection := range c.connections {
		s.start(func() error { return connection.op() })
	}
	s.atWork.Wait()
	return c, s.err()
}

// stretch is a load in progress; connections work on it until it is stopped.
type stretch struct {
	client  *httpClient
	atWork  sync.WaitGroup
	stopped atomic.Bool
	failure atomic.Pointer[error]
}

func (c *httpClient) newStretch() *stretch { return &stretch{client: c} }

// start runs work in a goroutine; the first error of any stops all.
func (s *stretch) start(work func() error) {
	s.atWork.Go(func() {
		if err := work(); err != nil {
			s.failure.CompareAndSwap(nil, &err)
			s.stopped.Store(true)
		}
	})
}

func (s *stretch) err() error {
	if failure := s.failure.Load(); failure != nil {
		return *failure
	}
	for i, connection := range s.client.connections {
		if err := connection.check(); err != nil {
			return fmt.Errorf("connection %d: %w", i, err)
		}
	}
	return nil
}

// ops is the total of correct answers so far.
func (c *httpClient) ops() (sum int64) {
	for _, connection := range c.connections {
		sum += connection.ops.Load()
	}
	return sum
}

// mark is a moment, with the answers and CPU time until then.
type mark struct {
	at       time.Time
	ops, cpu int64
}

// mark reads all three as one moment.
func (c *httpClient) mark() mark { return markOf(c.ops) }

// markOf reads all three as one moment: a reading that was interrupted is taken again, because
// answers continue to arrive.
func markOf(ops func() int64) mark {
	const tries, longest = 100, 50 * time.Microsecond
	var m mark
	for range tries {
		m = mark{at: time.Now(), ops: ops(), cpu: cpu.ProcessNS()}
		if time.Since(m.at) < longest {
			break
		}
	}
	return m
}

func (from mark) to(to mark) *Result {
	return &Result{
		Ops:       to.ops - from.ops,
		ElapsedNS: to.at.Sub(from.at).Nanoseconds(),
		CPUNS:     to.cpu - from.cpu,
	}
}

// closedLoop makes every connection send its next request as soon as it has an answer. Every answer
// within the sample counts, whenever its request was sent.
func (c *httpClient) closedLoop(load *Load, report func(event string)) (*Result, error) {
	runtime.GOMAXPROCS(c.cpus)
	s := c.newStretch()
	var warm sync.WaitGroup
	for _, connection := range c.connections {
		warm.Add(1)
		s.start(func() error {
			err := connection.op()
			warm.Done()
			for err == nil && !s.stopped.Load() {
				err = connection.op()
			}
			return err
		})
	}
	begin := time.Now()
	warm.Wait()
	result := sampleOf(load, begin, c.mark, &s.stopped, report)
	s.stopped.Store(true)
	s.atWork.Wait()
	return result, s.err()
}

// sampleOf counts what connections that are at work do after the rest of the warm-up: for as long as asked
// for and for as many ops, or until one fails.
func sampleOf(load *Load, begin time.Time, now func() mark, stopped *atomic.Bool, report func(event string)) *Result {
	time.Sleep(time.Duration(load.WarmupNS) - time.Since(begin))
	report("started")
	start := now()
	end := start
	for end.at.Sub(start.at) < time.Duration(load.SampleNS) || end.ops-start.ops < load.LeastOps {
		if stopped.Load() {
			break
		}
		const look = 5 * time.Millisecond // while a sample has too few answers
		time.Sleep(max(time.Duration(load.SampleNS)-time.Since(start.at), look))
		end = now()
	}
	report("ended")
	return start.to(end)
}
