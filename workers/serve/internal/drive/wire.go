package drive

import (
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// speaker is one connection's side of a protocol, without its socket. What it sends and receives are
// batches of ops: a pipeline, a transaction, or one request.
type speaker interface {
	// greet opens the session, by reading and writing as it likes.
	greet(io.ReadWriter) error
	// begin appends the first bytes of the next batch to out.
	begin(out []byte) []byte
	// take reads what has arrived, and checks it. It returns how much of it was read, out with what is to
	// be sent next, and, if the batch is done, its ops, which are 0 before.
	take(in, out []byte) (read int, next []byte, ops int64, err error)
}

// wireClient is connections that a few threads serve, one for each of the client's CPUs, without a
// goroutine for each: a Go client over net/http spends more time on a request than a cache does.
type wireClient struct {
	loops []*wireLoop
	cpus  int
	check func() (*Fetched, error)
}

// wireLoop is the connections of a thread.
type wireLoop struct {
	poll        int // epoll
	connections []*wire
	ops         atomic.Int64 // of batches that are done
	_           [64]byte     // the next loop's counter is on another cache line
}

// wire is one connection.
type wire struct {
	speaker speaker
	socket  int
	in, out []byte    // received and not read yet; to be sent
	due     time.Time // of the batch that is under way, at a rate
	isFirst bool      // no batch was done in this load yet
}

// newWireClient makes connections, and gives them to the threads in turn.
func newWireClient(cpus int, dial []func() (net.Conn, speaker, error)) (*wireClient, error) {
	c := &wireClient{cpus: cpus}
	for range min(cpus, len(dial)) {
		poll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
		if err != nil {
			return nil, err
		}
		c.loops = append(c.loops, &wireLoop{poll: poll})
	}
	for i, dial := range dial {
		loop := c.loops[i%len(c.loops)]
		w, err := connect(dial)
		if err != nil {
			return nil, fmt.Errorf("connection %d: %w", i, err)
		}
		event := &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(len(loop.connections))}
		if err := unix.EpollCtl(loop.poll, unix.EPOLL_CTL_ADD, w.socket, event); err != nil {
			return nil, err
		}
		loop.connections = append(loop.connections, w)
	}
	return c, nil
}

func connect(dial func() (net.Conn, speaker, error)) (*wire, error) {
	connection, speaker, err := dial()
	if err != nil {
		return nil, err
	}
	defer connection.Close()
	if err := connection.SetDeadline(time.Now().Add(requestPatience)); err != nil {
		return nil, err
	}
	if err := speaker.greet(connection); err != nil {
		return nil, err
	}
	// Go's own poller must not watch it: the duplicate is ours alone.
	socket := -1
	raw, err := connection.(syscall.Conn).SyscallConn()
	if err != nil {
		return nil, err
	}
	var failed error
	if err := raw.Control(func(fd uintptr) {
		socket, failed = unix.FcntlInt(fd, unix.F_DUPFD_CLOEXEC, 0)
	}); err != nil {
		return nil, err
	}
	return &wire{speaker: speaker, socket: socket, in: make([]byte, 0, 64<<10)}, failed
}

// fetch gets answers over connections of its own.
func (c *wireClient) fetch() (*Fetched, error) { return c.check() }

// stopSign stops the loops of a load; the first error of any does.
type stopSign struct {
	stopped atomic.Bool
	failure atomic.Pointer[error]
}

func (s *stopSign) fail(err error) {
	if err != nil {
		s.failure.CompareAndSwap(nil, &err)
		s.stopped.Store(true)
	}
}

func (s *stopSign) err() error {
	if failure := s.failure.Load(); failure != nil {
		return *failure
	}
	return nil
}

// start runs every loop on a thread of its own, and returns when all are warm: every connection has
// had an answer, if the load is a closed loop.
func (c *wireClient) start(sign *stopSign, run func(loop *wireLoop, index int, warm func()) error) (wait func()) {
	runtime.GOMAXPROCS(c.cpus + 1) // one more for what watches them
	var atWork, warming sync.WaitGroup
	warming.Add(len(c.loops))
	for i, loop := range c.loops {
		atWork.Go(func() {
			runtime.LockOSThread() // so that the thread ends with the load, and its timer slack
			warm := sync.OnceFunc(warming.Done)
			sign.fail(run(loop, i, warm))
			warm()
		})
	}
	warming.Wait()
	return atWork.Wait
}

func (c *wireClient) mark() mark {
	return markOf(func() (sum int64) {
		for _, loop := range c.loops {
			sum += loop.ops.Load()
		}
		return sum
	})
}

func (c *wireClient) closedLoop(load *Load, report func(event string)) (*Result, error) {
	sign := &stopSign{}
	begin := time.Now()
	wait := c.start(sign, func(loop *wireLoop, _ int, warm func()) error { return loop.closed(sign, warm) })
	result := sampleOf(load, begin, c.mark, &sign.stopped, report)
	sign.stopped.Store(true)
	wait()
	return result, sign.err()
}

// fixedRate gives each loop an equal share of the schedule: a due request takes a free connection of
// its loop, or waits for one, and the wait counts.
func (c *wireClient) fixedRate(load *Load, report func(event string)) (*Result, error) {
	warmup, sample := time.Duration(load.WarmupNS), time.Duration(load.SampleNS)
	s := &schedule{ratePer1000S: load.RatePer1000S, start: time.Now()}
	due := dueIn{from: s.due(s.within(warmup)), to: s.start.Add(warmup + sample), times: &histogram{}}
	dueOps := s.within(warmup+sample) - s.within(warmup)
	sign := &stopSign{}
	wait := c.start(sign, func(loop *wireLoop, index int, warm func()) error {
		warm()
		return loop.atRate(sign, s, int64(index), int64(len(c.loops)), due)
	})
	result := s.sampleOf(load, c.mark, report)
	for due.times.all.Load() < dueOps && !sign.stopped.Load() {
		time.Sleep(time.Millisecond)
	}
	sign.stopped.Store(true)
	wait()
	result.DueOps, result.Latency = dueOps, due.times.sparse()
	return result, sign.err()
}

// dueIn is the times of the requests that are due in a sample.
type dueIn struct {
	from, to time.Time
	times    *histogram
}

// closed keeps all connections busy until the sign, and then waits for the answers that are due.
func (l *wireLoop) closed(sign *stopSign, warm func()) error {
	cold := len(l.connections)
	for _, w := range l.connections {
		w.isFirst = true
		if err := w.begin(); err != nil {
			return err
		}
	}
	busy := len(l.connections)
	return l.serve(&busy, func() int { return wholePatience }, func(w *wire) error {
		if w.isFirst {
			w.isFirst = false
			if cold--; cold == 0 {
				warm()
			}
		}
		if sign.stopped.Load() {
			busy--
			return nil
		}
		return w.begin()
	}, func() bool { return sign.stopped.Load() && busy == 0 })
}

// atRate begins the requests of the schedule whose number is this loop's.
func (l *wireLoop) atRate(sign *stopSign, s *schedule, index, loops int64, sample dueIn) error {
	// No timer coalescing; an error here leaves it 50 µs late.
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0)
	free := append([]*wire(nil), l.connections...)
	next, busy := index, 0
	untilNext := func() int {
		for len(free) > 0 {
			if sign.stopped.Load() {
				return int(time.Millisecond)
			}
			due := s.due(next)
			if left := time.Until(due); left > 0 {
				return int(left)
			}
			w := free[len(free)-1]
			free = free[:len(free)-1]
			w.due = due
			busy++
			next += loops
			if err := w.begin(); err != nil {
				sign.fail(err)
			}
		}
		return wholePatience
	}
	return l.serve(&busy, untilNext, func(w *wire) error {
		if !w.due.Before(sample.from) && w.due.Before(sample.to) {
			sample.times.add(time.Since(w.due).Nanoseconds())
		}
		busy--
		free = append(free, w)
		return nil
	}, func() bool { return sign.err() != nil || sign.stopped.Load() && busy == 0 })
}

// wholePatience is how long a loop waits for any answer, in ns.
const wholePatience = int(requestPatience)

// serve waits for answers and reads them until isDone. done is called for each connection whose batch
// is done; pause is called before each wait, and says for how long at most (ns).
func (l *wireLoop) serve(busy *int, pause func() int, done func(*wire) error, isDone func() bool) error {
	events := make([]unix.EpollEvent, len(l.connections))
	last := time.Now()
	for !isDone() {
		n, err := l.wait(events, pause())
		if err != nil {
			return err
		}
		if n > 0 {
			last = time.Now()
		} else if *busy > 0 && time.Since(last) > requestPatience {
			return fmt.Errorf("the server has not answered for %v", requestPatience)
		}
		for _, event := range events[:n] {
			w := l.connections[event.Fd]
			ops, err := w.receive()
			if err != nil {
				return err
			}
			if ops > 0 {
				l.ops.Add(ops)
				if err := done(w); err != nil {
					return err
				}
			}
		}
		if *busy == 0 {
			last = time.Now()
		}
	}
	return nil
}

// wait waits for at most so many ns, to the microsecond, which epoll_wait alone cannot, and looks at the
// sign to stop at times.
func (l *wireLoop) wait(events []unix.EpollEvent, ns int) (n int, err error) {
	const longest = 100 * time.Millisecond
	if ns >= int(longest) {
		n, err = unix.EpollWait(l.poll, events, int(longest.Milliseconds()))
	} else if n, err = unix.EpollWait(l.poll, events, 0); n == 0 && err == nil {
		timeout := unix.NsecToTimespec(int64(ns))
		ready := []unix.PollFd{{Fd: int32(l.poll), Events: unix.POLLIN}}
		if n, err = unix.Ppoll(ready, &timeout, nil); n > 0 {
			n, err = unix.EpollWait(l.poll, events, 0)
		}
	}
	if errors.Is(err, unix.EINTR) {
		return 0, nil
	}
	return max(n, 0), err
}

// begin sends the next batch.
func (w *wire) begin() error {
	w.out = w.speaker.begin(w.out[:0])
	return w.send()
}

// send sends all of out; what a batch sends fits into the socket's buffers, or into a server that
// reads on.
func (w *wire) send() error {
	for sent := 0; sent < len(w.out); {
		n, err := unix.Write(w.socket, w.out[sent:])
		switch {
		case err == nil:
			sent += n
		case errors.Is(err, unix.EAGAIN):
			ready := []unix.PollFd{{Fd: int32(w.socket), Events: unix.POLLOUT}}
			if n, err := unix.Poll(ready, int(requestPatience.Milliseconds())); n == 0 && err == nil {
				return fmt.Errorf("the server has not read for %v", requestPatience)
			}
		case !errors.Is(err, unix.EINTR):
			return fmt.Errorf("sending: %w", err)
		}
	}
	return nil
}

// receive reads what has arrived, and returns the ops of a batch that is done with it.
func (w *wire) receive() (int64, error) {
	if len(w.in) == cap(w.in) {
		return 0, fmt.Errorf("an answer of more than %d bytes", cap(w.in))
	}
	n, err := unix.Read(w.socket, w.in[len(w.in):cap(w.in)])
	switch {
	case errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EINTR):
		return 0, nil
	case err != nil:
		return 0, fmt.Errorf("receiving: %w", err)
	case n == 0:
		return 0, errors.New("the server has closed a connection")
	}
	w.in = w.in[:len(w.in)+n]
	read, next, ops, err := w.speaker.take(w.in, w.out[:0])
	if err != nil {
		return 0, err
	}
	w.in = w.in[:copy(w.in, w.in[read:])]
	if ops > 0 && len(w.in) > 0 {
		return 0, fmt.Errorf("%d bytes that nothing was sent for", len(w.in))
	}
	if w.out = next; len(next) > 0 {
		return ops, w.send()
	}
	return ops, nil
}
