package drive

import (
	"bytes"
	"crypto/tls"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

func serveHTTP2(t *testing.T, streams int, handle func(http.ResponseWriter, *http.Request)) *site {
	t.Helper()
	s := serveSite(t, handle)
	s.target.HTTP.HTTP2Streams = streams
	return s
}

func TestOverHTTP2ManyRequestsAreUnderWayOnEachConnection(t *testing.T) {
	const streams = 3
	var now, most, others atomic.Int64
	s := serveHTTP2(t, streams, func(w http.ResponseWriter, r *http.Request) {
		if r.Proto != "HTTP/2.0" || r.Header.Get("Accept-Encoding") != "br" || r.URL.Path != "/" || r.Host == "" {
			others.Add(1)
		}
		most.Store(max(most.Load(), now.Add(1)))
		time.Sleep(time.Millisecond)
		now.Add(-1)
		_, _ = w.Write(make([]byte, 100_000)) // several frames
	})
	handle := opened(t, s.target)
	for range 2 { // loads share connections
		var before, after int64
		result, err := handle.Load(Load{SampleNS: ms(100), LeastOps: 3},
			func() { before = s.answers.Load() }, func() { after = s.answers.Load() })
		if err != nil {
			t.Fatal(err)
		}
		if served := after - before; result.Ops < served*8/10-20 || result.Ops > served*12/10+20 || result.Ops < 3 {
			t.Errorf("the client counted %d answers, the server %d", result.Ops, served)
		}
	}
	if s.connections.Load() != 4 || most.Load() <= 4 || most.Load() > 4*streams || others.Load() > 0 {
		t.Errorf("%d connections, up to %d requests at once, %d of them wrong", s.connections.Load(), most.Load(), others.Load())
	}
	fetched, err := handle.Fetch()
	if err != nil || fetched.Protocol != "HTTP/2.0" || len(fetched.Body) != 100_000 {
		t.Error(fetched, err)
	}
}

func TestOverHTTP2AConnectionNeverRunsOutOfItsWindow(t *testing.T) {
	s := serveHTTP2(t, 4, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 1_000_000)) })
	s.target.Connections = 1
	handle := opened(t, s.target)
	const answers = 3 * connectionWindow / 1_000_000
	if _, err := handle.Load(Load{SampleNS: ms(50), LeastOps: answers}, nothing, nothing); err != nil {
		t.Fatal(err)
	}
}

func TestOverHTTP2AServerWithoutItIsRefused(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(answer("ok")))
	server.TLS = &tls.Config{}
	server.TLS.GetConfigForClient = func(*tls.ClientHelloInfo) (*tls.Config, error) {
		return &tls.Config{Certificates: server.TLS.Certificates}, nil // and no protocols
	}
	server.StartTLS()
	t.Cleanup(server.Close)
	handle, err := Local()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { handle.Close() })
	err = handle.Open(Target{Connections: 1, HTTP: &HTTPTarget{
		Address: strings.TrimPrefix(server.URL, "https://"), Path: "/", Status: 200, KeptOpen: true, HTTP2Streams: 2,
	}})
	if err == nil || !strings.Contains(err.Error(), "not HTTP/2") {
		t.Error(err)
	}
}

// liar is a server that answers the first requests well and then as it likes.
type liar struct {
	settings []http2.Setting
	first    func(*http2.Framer) error // in place of its settings
	lie      func(frames *http2.Framer, number uint32) error
}

// header is the header of an answer.
func header(status string) []byte {
	var block bytes.Buffer
	_ = hpack.NewEncoder(&block).WriteField(hpack.HeaderField{Name: ":status", Value: status}) // into memory
	return block.Bytes()
}

func respond(frames *http2.Framer, number uint32, status, body string) error {
	if err := frames.WriteHeaders(http2.HeadersFrameParam{StreamID: number, BlockFragment: header(status), EndHeaders: true}); err != nil {
		return err
	}
	return frames.WriteData(number, true, []byte(body))
}

// serve serves until a connection ends.
func (l liar) serve(t *testing.T) Target {
	t.Helper()
	// Only its certificate is used.
	server := httptest.NewTLSServer(nil)
	server.Close()
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: server.TLS.Certificates, NextProtos: []string{"h2"}})
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
			go func() {
				defer connection.Close()
				frames := http2.NewFramer(connection, connection)
				frames.AllowIllegalWrites = true
				if _, err := io.ReadFull(connection, make([]byte, len(http2.ClientPreface))); err != nil {
					return
				}
				if l.first != nil {
					_ = l.first(frames) // the client reports it
				} else if frames.WriteSettings(l.settings...) != nil {
					return
				}
				const well = 8
				for answers := 0; ; {
					frame, err := frames.ReadFrame()
					if err != nil {
						return
					}
					if request, is := frame.(*http2.HeadersFrame); is {
						answers++
						if answers > well {
							err = l.lie(frames, request.StreamID)
						} else {
							err = respond(frames, request.StreamID, "200", "ok")
						}
					}
					if err != nil {
						return
					}
				}
			}()
		}
	}()
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	return Target{Connections: 2, HTTP: &HTTPTarget{
		Address: listener.Addr().String(), Path: "/", Status: http.StatusOK, Certificate: string(certificate), KeptOpen: true, HTTP2Streams: 3,
	}}
}

func TestEveryLieOverHTTP2FailsTheLoad(t *testing.T) {
	for expected, l := range map[string]liar{
		"status 500":       {lie: func(f *http2.Framer, n uint32) error { return respond(f, n, "500", "ok") }},
		"status 0":         {lie: func(f *http2.Framer, n uint32) error { return respond(f, n, "0", "ok") }},
		"no number":        {lie: func(f *http2.Framer, n uint32) error { return respond(f, n, "2e2", "ok") }},
		"202 bytes":        {lie: func(f *http2.Framer, n uint32) error { return respond(f, n, "200", strings.Repeat("x", 202)) }},
		"nobody requested": {lie: func(f *http2.Framer, n uint32) error { return respond(f, n+100, "200", "ok") }},
		"code PROTOCOL_ERROR": {lie: func(f *http2.Framer, n uint32) error {
			return f.WriteRSTStream(n, http2.ErrCodeProtocol)
		}},
		"connection with the code": {lie: func(f *http2.Framer, _ uint32) error { return f.WriteGoAway(0, http2.ErrCodeNo, nil) }},
		"pushes what nobody": {lie: func(f *http2.Framer, n uint32) error {
			return f.WritePushPromise(http2.PushPromiseParam{StreamID: n, PromiseID: 2, BlockFragment: header("200"), EndHeaders: true})
		}},
		"changes its settings": {lie: func(f *http2.Framer, _ uint32) error { return f.WriteSettings() }},
		"more than 16384 bytes": {lie: func(f *http2.Framer, n uint32) error {
			return f.WriteHeaders(http2.HeadersFrameParam{StreamID: n, BlockFragment: header("200")})
		}},
		"header of an answer": {lie: func(f *http2.Framer, n uint32) error {
			return f.WriteHeaders(http2.HeadersFrameParam{StreamID: n, BlockFragment: []byte{0xff}, EndHeaders: true})
		}},
		"frame too large":    {lie: func(f *http2.Framer, n uint32) error { return f.WriteData(n, true, make([]byte, mostFrame+1)) }},
		"closed a kept-open": {lie: func(*http2.Framer, uint32) error { return io.EOF }},
		"not with its settings": {first: func(f *http2.Framer) error {
			return f.WritePing(false, [8]byte{})
		}},
		"allows 2 requests": {settings: []http2.Setting{{ID: http2.SettingMaxConcurrentStreams, Val: 2}}},
	} {
		handle, err := Local()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { handle.Close() })
		err = handle.Open(l.serve(t))
		if l.lie != nil && err != nil {
			t.Fatalf("%s: %v", expected, err)
		}
		for _, rate := range []int64{0, 500_000} {
			if l.lie != nil {
				_, err = handle.Load(Load{SampleNS: ms(100), LeastOps: 1 << 40, RatePer1000S: rate}, nothing, nothing)
			}
			if err == nil || !strings.Contains(err.Error(), expected) {
				t.Errorf("%s, at %d in 1,000 s: %v", expected, rate, err)
			}
		}
	}
}

// Servers may send these, without any effect on a load.
func TestOverHTTP2PingsAndSmallTablesAreNoErrors(t *testing.T) {
	l := liar{settings: []http2.Setting{{ID: http2.SettingHeaderTableSize, Val: 0}, {ID: http2.SettingMaxConcurrentStreams, Val: 3}}}
	l.lie = func(f *http2.Framer, number uint32) error {
		if err := f.WritePing(false, [8]byte{1}); err != nil {
			return err
		}
		return respond(f, number, "200", "ok")
	}
	handle := opened(t, l.serve(t))
	result, err := handle.Load(Load{SampleNS: ms(50), LeastOps: 30}, nothing, nothing)
	if err != nil || result.Ops < 30 {
		t.Error(result, err)
	}
}

func TestTheHybridKeyExchangeIsOfferedWhereItIsAskedFor(t *testing.T) {
	t.Setenv("GODEBUG", "tlsmlkem=0") // as main says
	for _, curve := range []string{"X25519", Hybrid} {
		s := serveHTTP2(t, 0, answer("ok"))
		s.target.HTTP.Curve, s.target.HTTP.KeptOpen = curve, false
		handle := opened(t, s.target)
		if _, err := handle.Load(Load{SampleNS: ms(20), LeastOps: 3}, nothing, nothing); err != nil {
			t.Fatal(err)
		}
		if offered := s.curves.Load(); offered == nil || ((*offered)[0] == tls.X25519MLKEM768) != (curve == Hybrid) {
			t.Errorf("%s: the client offers %v", curve, offered)
		}
		fetched, err := handle.Fetch()
		if err != nil || fetched.Curve != curve {
			t.Error(curve, fetched, err)
		}
	}
}
