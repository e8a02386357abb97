package drive

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"sizeup/gokit/cpu"
)

// client is connections to one server.
type client struct {
	target      *Target
	connections []*connection
	cpus        int
}

// open makes the connections, one request on each, all at once.
func open(target *Target, cpus int) (*client, error) {
	c := &client{target: target, cpus: cpus}
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

// stretch is a load that goes on; connections work on it until they are told to
// stop.
type stretch struct {
	client  *client
	atWork  sync.WaitGroup
	stopped atomic.Bool
	failure atomic.Pointer[error]
}

func (c *client) newStretch() *stretch { return &stretch{client: c} }

// start has a goroutine do something; its first error stops all.
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

// ops is how many right answers there were, ever.
func (c *client) ops() (sum int64) {
	for _, connection := range c.connections {
		sum += connection.ops.Load()
	}
	return sum
}

// mark is a moment: answers and CPU time until then.
type mark struct {
	at       time.Time
	ops, cpu int64
}

// mark reads all three as one moment: a look in which it was stopped is taken again, for
// answers went on meanwhile.
func (c *client) mark() mark {
	const tries, longest = 100, 50 * time.Microsecond
	var m mark
	for range tries {
		m = mark{at: time.Now(), ops: c.ops(), cpu: cpu.ProcessNS()}
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

// closedLoop has every connection send its next request as soon as it has an
// answer. What is answered in the window counts, whenever it was asked.
func (c *client) closedLoop(load *Load, tell func(event string)) (*Result, error) {
	runtime.GOMAXPROCS(c.cpus)
	s := c.newStretch()
	var settled sync.WaitGroup
	for _, connection := range c.connections {
		settled.Add(1)
		s.start(func() error {
			err := connection.op()
			settled.Done()
			for err == nil && !s.stopped.Load() {
				err = connection.op()
			}
			return err
		})
	}
	begin := time.Now()
	settled.Wait()
	time.Sleep(time.Duration(load.SettleNS) - time.Since(begin))
	tell("started")
	start := c.mark()
	end := start
	for end.at.Sub(start.at) < time.Duration(load.WindowNS) || end.ops-start.ops < load.LeastOps {
		if s.stopped.Load() {
			break
		}
		const look = 5 * time.Millisecond // where a window has too few answers
		time.Sleep(max(time.Duration(load.WindowNS)-time.Since(start.at), look))
		end = c.mark()
	}
	tell("ended")
	s.stopped.Store(true)
	s.atWork.Wait()
	return start.to(end), s.err()
}
