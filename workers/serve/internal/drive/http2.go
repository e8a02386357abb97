package drive

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
	"golang.org/x/sys/unix"
)

// HTTP2Module has the frames and header fields of HTTP/2.
const HTTP2Module = "golang.org/x/net"

// http2Client is connections on which several requests are under way at once, each a stream. A client over
// net/http spends more time on a request than NGINX does: here the goroutine that reads a connection
// also sends its next requests, all that answers have made room for in one write.
type http2Client struct {
	target      *Target
	connections []*http2Connection
	cpus        int
}

// http2Connection is one connection, and what is under way on it.
type http2Connection struct {
	http   *HTTPTarget
	socket *tls.Conn
	input  *bufio.Reader
	frames *http2.Framer  // from input, into out
	fields *hpack.Decoder // of answers
	status string         // that fields has decoded last
	ops    atomic.Int64   // right answers
	_      [64]byte       // the next connection's counter is on another cache line

	lock     sync.Mutex // of all that follows
	out      bytes.Buffer
	request  []byte // header of the first request, whose fields the server keeps; nil when it was sent
	later    []byte // of all others, which names them by number
	next     uint32 // number of the next stream
	streams  []http2Stream
	received int64 // bytes since the last window update
	size     int64 // of the first answer
	work     *http2Work
	failure  error
	quiet    *sync.Cond // no stream is under way, or none will be
}

// http2Stream is a request that is under way.
type http2Stream struct {
	number uint32
	due    time.Time // at a rate
	status int
	size   int64
}

// http2Work is what a load does with a connection.
type http2Work struct {
	sign *stopSign
	// answered is called for each answer; whether the next request is to be sent at once.
	answered func(due time.Time) bool
}

const (
	mostFrame = 16 << 10 // bytes that a server may send in one frame: HTTP/2's default
	// The windows are so large that a server never waits for one.
	streamWindow     = 1 << 20
	connectionWindow = 16 << 20
	windowUpdate     = connectionWindow / 4 // bytes after which it is opened again
)

// openHTTP2 makes the connections, one request on each.
func openHTTP2(target *Target, cpus int) (*http2Client, error) {
	client := &http2Client{target: target, cpus: cpus}
	for i := range target.Connections {
		connection, err := newHTTP2Connection(target.HTTP)
		if err != nil {
			return nil, fmt.Errorf("connection %d: %w", i, err)
		}
		client.connections = append(client.connections, connection)
		go connection.read()
	}
	sign := &stopSign{}
	for _, connection := range client.connections {
		connection.start(1, &http2Work{sign, func(time.Time) bool { return false }})
	}
	client.rest()
	return client, sign.err()
}

func newHTTP2Connection(target *HTTPTarget) (*http2Connection, error) {
	dialer := &net.Dialer{Timeout: requestPatience}
	// The check in fetch.go verifies the certificate. Doing so for each connection would only cost
	// the client time.
	socket, err := tls.DialWithDialer(dialer, "tcp", target.Address, &tls.Config{
		InsecureSkipVerify: true, NextProtos: []string{http2.NextProtoTLS},
	})
	if err != nil {
		return nil, err
	}
	c := &http2Connection{http: target, socket: socket, input: bufio.NewReaderSize(socket, 4*mostFrame), next: 1}
	if err := c.greet(); err != nil {
		socket.Close()
		return nil, c.named(err)
	}
	return c, nil
}

// greet exchanges the settings, and makes the header of the requests.
func (c *http2Connection) greet() error {
	if spoken := c.socket.ConnectionState().NegotiatedProtocol; spoken != http2.NextProtoTLS {
		return fmt.Errorf("the server speaks %q, not HTTP/2", spoken)
	}
	c.quiet = sync.NewCond(&c.lock)
	c.frames = http2.NewFramer(&c.out, c.input)
	c.frames.SetMaxReadFrameSize(mostFrame)
	c.frames.SetReuseFrames()
	c.fields = hpack.NewDecoder(4096, func(field hpack.HeaderField) { // HTTP/2's default size
		if field.Name == ":status" {
			c.status = field.Value
		}
	})
	c.fields.SetMaxStringLength(mostFrame)
	c.out.WriteString(http2.ClientPreface)
	err := errors.Join(
		c.frames.WriteSettings(http2.Setting{ID: http2.SettingEnablePush, Val: 0}, http2.Setting{ID: http2.SettingInitialWindowSize, Val: streamWindow}),
		c.frames.WriteWindowUpdate(0, connectionWindow),
		c.send(),
		c.socket.SetReadDeadline(time.Now().Add(requestPatience)),
	)
	if err != nil {
		return err
	}
	frame, err := c.frames.ReadFrame()
	if err != nil {
		return err
	}
	settings, is := frame.(*http2.SettingsFrame)
	if !is || settings.IsAck() {
		return fmt.Errorf("the server begins with a frame of type %v, not with its settings", frame.Header().Type)
	}
	if most, isSet := settings.Value(http2.SettingMaxConcurrentStreams); isSet && int64(most) < int64(c.http.HTTP2Streams) {
		return fmt.Errorf("the server allows %d requests at once on a connection; %d are needed", most, c.http.HTTP2Streams)
	}
	var block bytes.Buffer
	encoder := hpack.NewEncoder(&block)
	if size, isSet := settings.Value(http2.SettingHeaderTableSize); isSet {
		encoder.SetMaxDynamicTableSizeLimit(size)
	}
	for _, into := range []*[]byte{&c.request, &c.later} {
		block.Reset()
		for _, field := range [][2]string{
			{":method", "GET"}, {":scheme", "https"}, {":authority", c.http.Address}, {":path", c.http.Path}, {"accept-encoding", "br"},
		} {
			if err := encoder.WriteField(hpack.HeaderField{Name: field[0], Value: field[1]}); err != nil {
				return err
			}
		}
		*into = bytes.Clone(block.Bytes())
	}
	return c.frames.WriteSettingsAck()
}

// start sends the first requests of a load, and has all answers counted by it.
func (c *http2Connection) start(requests int, work *http2Work) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.work = work
	for range requests {
		c.begin(time.Time{})
	}
	c.failIf(c.send())
}

// begin appends a request to what is to be sent.
func (c *http2Connection) begin(due time.Time) {
	block := c.later
	if c.request != nil {
		block, c.request = c.request, nil
	}
	c.failIf(c.frames.WriteHeaders(http2.HeadersFrameParam{StreamID: c.next, BlockFragment: block, EndStream: true, EndHeaders: true}))
	c.streams = append(c.streams, http2Stream{number: c.next, due: due})
	c.next += 2
}

// requestDue sends a request that is due.
func (c *http2Connection) requestDue(due time.Time) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.begin(due)
	c.failIf(c.send())
}

// send sends what is to be sent, and says how long answers are awaited.
func (c *http2Connection) send() error {
	if c.failure != nil {
		return c.failure
	}
	now := time.Now()
	var until time.Time // without a limit, while nothing was asked for
	if len(c.streams) > 0 {
		until = now.Add(requestPatience)
	}
	if err := c.socket.SetReadDeadline(until); err != nil || c.out.Len() == 0 {
		return err
	}
	if err := c.socket.SetWriteDeadline(now.Add(requestPatience)); err != nil {
		return err
	}
	_, err := c.socket.Write(c.out.Bytes())
	c.out.Reset()
	return err
}

// failIf ends the connection, and the load.
func (c *http2Connection) failIf(err error) {
	if err == nil {
		return
	}
	if c.failure == nil {
		c.failure = c.named(err)
	}
	if c.work != nil {
		c.work.sign.fail(c.failure)
	}
	c.socket.NetConn().Close()
	c.quiet.Broadcast()
}

func (c *http2Connection) named(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Errorf("the server has not answered for %v", requestPatience)
	}
	// The end is noticed by whoever is first, the reader or a writer.
	for _, end := range []error{io.EOF, io.ErrUnexpectedEOF, unix.ECONNRESET, unix.EPIPE} {
		if errors.Is(err, end) {
			return fmt.Errorf("the server closed a kept-open connection: %w", err)
		}
	}
	return err
}

// read reads answers until the connection fails.
func (c *http2Connection) read() {
	for {
		frame, err := c.frames.ReadFrame()
		c.lock.Lock()
		for err == nil {
			if err = c.take(frame); err != nil || !c.hasFrame() {
				break
			}
			frame, err = c.frames.ReadFrame()
		}
		if err == nil {
			err = c.send()
		}
		c.failIf(err)
		c.lock.Unlock()
		if err != nil {
			return
		}
	}
}

// hasFrame reports whether a whole frame has arrived: its length, in 3 bytes, is that of what follows 9 bytes.
func (c *http2Connection) hasFrame() bool {
	const head = 9
	if c.input.Buffered() < head {
		return false
	}
	start, err := c.input.Peek(3)
	return err == nil && c.input.Buffered() >= head+(int(start[0])<<16|int(start[1])<<8|int(start[2]))
}

// take takes a frame of the server's.
func (c *http2Connection) take(frame http2.Frame) error {
	number := frame.Header().StreamID
	switch f := frame.(type) {
	case *http2.HeadersFrame:
		return c.takeHeader(f)
	case *http2.DataFrame:
		if c.received += int64(f.Length); c.received >= windowUpdate {
			if err := c.frames.WriteWindowUpdate(0, uint32(c.received)); err != nil {
				return err
			}
			c.received = 0
		}
		at, err := c.find(number)
		if err != nil {
			return err
		}
		c.streams[at].size += int64(len(f.Data()))
		return c.endIf(f.StreamEnded(), at)
	case *http2.SettingsFrame:
		if !f.IsAck() {
			return errors.New("the server changes its settings")
		}
	case *http2.PingFrame:
		if !f.IsAck() {
			return c.frames.WritePing(true, f.Data)
		}
	case *http2.RSTStreamFrame:
		return fmt.Errorf("the server ended a request with the code %v", f.ErrCode)
	case *http2.GoAwayFrame:
		return fmt.Errorf("the server ended a kept-open connection with the code %v", f.ErrCode)
	case *http2.PushPromiseFrame:
		return errors.New("the server pushes what nobody requested")
	}
	return nil
}

// takeHeader takes the header of an answer, or what follows its body.
func (c *http2Connection) takeHeader(frame *http2.HeadersFrame) error {
	at, err := c.find(frame.StreamID)
	if err != nil {
		return err
	}
	if !frame.HeadersEnded() {
		return fmt.Errorf("the header of an answer has more than %d bytes", mostFrame)
	}
	c.status = ""
	if _, err := c.fields.Write(frame.HeaderBlockFragment()); err != nil {
		return fmt.Errorf("the header of an answer: %w", err)
	}
	if err := c.fields.Close(); err != nil {
		return fmt.Errorf("the header of an answer: %w", err)
	}
	if c.status != "" {
		if c.streams[at].status, err = strconv.Atoi(c.status); err != nil {
			return errors.New("the status of an answer is no number")
		}
	}
	return c.endIf(frame.StreamEnded(), at)
}

// find is the place of a stream that is under way.
func (c *http2Connection) find(number uint32) (int, error) {
	for at := range c.streams {
		if c.streams[at].number == number {
			return at, nil
		}
	}
	return 0, errors.New("the server answers what nobody requested")
}

// endIf checks and counts an answer that is whole.
func (c *http2Connection) endIf(isEnd bool, at int) error {
	if !isEnd {
		return nil
	}
	stream, last := c.streams[at], len(c.streams)-1
	c.streams[at] = c.streams[last]
	c.streams = c.streams[:last]
	if err := c.http.check(stream.status, stream.size, &c.size); err != nil {
		return err
	}
	c.ops.Add(1)
	if c.work.answered(stream.due) {
		c.begin(time.Time{})
	}
	if len(c.streams) == 0 {
		c.quiet.Broadcast()
	}
	return nil
}

// rest waits until nothing is under way: answers come or fail to within requestPatience.
func (h *http2Client) rest() {
	for _, c := range h.connections {
		c.lock.Lock()
		for len(c.streams) > 0 && c.failure == nil {
			c.quiet.Wait()
		}
		c.lock.Unlock()
	}
}

func (h *http2Client) mark() mark {
	return markOf(func() (sum int64) {
		for _, c := range h.connections {
			sum += c.ops.Load()
		}
		return sum
	})
}

// closedLoop sends a connection's next request when one is answered, and counts every answer within the sample.
func (h *http2Client) closedLoop(load *Load, report func(event string)) (*Result, error) {
	runtime.GOMAXPROCS(h.cpus)
	sign := &stopSign{}
	begin := time.Now()
	var warm atomic.Int64 // connections with an answer
	for _, c := range h.connections {
		isWarm := sync.OnceFunc(func() { warm.Add(1) })
		c.start(h.target.HTTP.HTTP2Streams, &http2Work{sign, func(time.Time) bool {
			isWarm()
			return !sign.stopped.Load()
		}})
	}
	for warm.Load() < int64(len(h.connections)) && !sign.stopped.Load() {
		time.Sleep(time.Millisecond)
	}
	result := sampleOf(load, begin, h.mark, &sign.stopped, report)
	sign.stopped.Store(true)
	h.rest()
	return result, sign.err()
}

// fixedRate sends each due request on the connection that has had room for it the longest, or waits for
// room, and the wait counts.
func (h *http2Client) fixedRate(load *Load, report func(event string)) (*Result, error) {
	runtime.GOMAXPROCS(h.cpus + 1) // one more for the schedule's thread
	warmup, sample := time.Duration(load.WarmupNS), time.Duration(load.SampleNS)
	s := &schedule{ratePer1000S: load.RatePer1000S, start: time.Now()}
	due := dueIn{from: s.due(s.within(warmup)), to: s.start.Add(warmup + sample), times: &histogram{}}
	dueOps := s.within(warmup+sample) - s.within(warmup)
	sign, ended := &stopSign{}, make(chan struct{})
	room := make(chan *http2Connection, len(h.connections)*h.target.HTTP.HTTP2Streams)
	for range h.target.HTTP.HTTP2Streams {
		for _, c := range h.connections {
			room <- c
		}
	}
	for _, c := range h.connections {
		c.start(0, &http2Work{sign, func(at time.Time) bool {
			if !at.Before(due.from) && at.Before(due.to) {
				due.times.add(time.Since(at).Nanoseconds())
			}
			room <- c
			return false
		}})
	}
	var atWork sync.WaitGroup
	atWork.Go(func() { s.send(room, ended) })
	result := s.sampleOf(load, h.mark, report)
	for due.times.all.Load() < dueOps && !sign.stopped.Load() {
		time.Sleep(time.Millisecond)
	}
	close(ended)
	atWork.Wait()
	h.rest()
	result.DueOps, result.Latency = dueOps, due.times.sparse()
	return result, sign.err()
}

// send sends requests when they are due, on a thread of its own, as run does.
func (s *schedule) send(room <-chan *http2Connection, ended <-chan struct{}) {
	runtime.LockOSThread() // so that the thread ends with the schedule
	// No timer coalescing; an error here leaves it 50 µs late.
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0)
	for number := int64(0); ; number++ {
		due := s.due(number)
		sleepUntil(due)
		select {
		case c := <-room:
			c.requestDue(due)
		case <-ended:
			return
		}
		select {
		case <-ended:
			return
		default:
		}
	}
}

func (h *http2Client) fetch() (*Fetched, error) { return fetchHTTP(h.target) }
