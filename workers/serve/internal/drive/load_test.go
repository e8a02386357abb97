package drive

import (
	"crypto/tls"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// site is a server of Go's own.
type site struct {
	target      Target
	connections atomic.Int64
	answers     atomic.Int64
	curves      atomic.Pointer[[]tls.CurveID] // that a client offered last
}

func serveSite(t *testing.T, handle func(http.ResponseWriter, *http.Request)) *site {
	t.Helper()
	s := &site{}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handle(w, r)
		s.answers.Add(1)
	}))
	server.EnableHTTP2 = true
	server.TLS = &tls.Config{GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		s.connections.Add(1)
		s.curves.Store(&hello.SupportedCurves)
		return nil, nil
	}}
	server.StartTLS()
	t.Cleanup(server.Close)
	s.target = Target{
		Connections: 4,
		HTTP: &HTTPTarget{
			Address: strings.TrimPrefix(server.URL, "https://"),
			Path:    "/", Status: http.StatusOK, KeptOpen: true,
			Certificate: string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})),
		},
	}
	return s
}

func answer(text string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(text)) }
}

func opened(t *testing.T, target Target) *Handle {
	t.Helper()
	handle, err := Local()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { handle.Close() })
	if err := handle.Open(target); err != nil {
		t.Fatal(err)
	}
	return handle
}

func nothing() {}

func ms(n int64) int64 { return n * time.Millisecond.Nanoseconds() }

func TestAClosedLoopCountsWhatTheServerAnswers(t *testing.T) {
	for _, keptOpen := range []bool{true, false} {
		s := serveSite(t, answer("ok"))
		s.target.HTTP.KeptOpen = keptOpen
		handle := opened(t, s.target)
		var before, after int64
		result, err := handle.Load(Load{SampleNS: ms(100), LeastOps: 3},
			func() { before = s.answers.Load() }, func() { after = s.answers.Load() })
		if err != nil {
			t.Fatal(err)
		}
		// The two sides are not read at the same moment.
		if served := after - before; result.Ops < served*8/10-20 || result.Ops > served*12/10+20 || result.Ops < 3 {
			t.Errorf("the client counted %d answers, the server %d", result.Ops, served)
		}
		if result.ElapsedNS < ms(100) || result.CPUNS <= 0 {
			t.Errorf("%+v", result)
		}
		if made := s.connections.Load(); keptOpen && made != 4 || !keptOpen && made < 4+result.Ops {
			t.Errorf("kept open %v: %d connections for %d answers", keptOpen, made, result.Ops)
		}
	}
}

func TestARedirectKeepsItsConnection(t *testing.T) {
	s := serveSite(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/page", http.StatusFound)
	})
	s.target.HTTP.Status = http.StatusFound
	result, err := opened(t, s.target).Load(Load{SampleNS: ms(50), LeastOps: 3}, nothing, nothing)
	if err != nil || result.Ops < 3 || s.connections.Load() != 4 {
		t.Fatal(result, err, s.connections.Load())
	}
}

func TestAWrongStatusAnotherLengthAndALostConnectionFail(t *testing.T) {
	for name, spoil := range map[string]func(http.ResponseWriter){
		"status 500": func(w http.ResponseWriter) { w.WriteHeader(http.StatusInternalServerError) },
		"bytes":      func(w http.ResponseWriter) { _, _ = w.Write(make([]byte, 200)) },
		"kept-open":  func(w http.ResponseWriter) { w.Header().Set("Connection", "close") },
	} {
		var spoiled atomic.Bool
		s := serveSite(t, func(w http.ResponseWriter, _ *http.Request) {
			if spoiled.Load() {
				spoil(w)
			}
			_, _ = w.Write([]byte("ok"))
		})
		handle := opened(t, s.target)
		spoiled.Store(true)
		_, err := handle.Load(Load{SampleNS: ms(50), LeastOps: 3}, nothing, nothing)
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAtARateLatencyCountsFromTheDueTimeEvenIfTheServerStalls(t *testing.T) {
	t.Run("HTTP/1.1", func(t *testing.T) { testAStallAtARate(t, 0) })
	t.Run("HTTP/2", func(t *testing.T) { testAStallAtARate(t, 2) })
}

func testAStallAtARate(t *testing.T, streams int) {
	t.Helper()
	const stall = 300 * time.Millisecond
	var stalled, armed atomic.Bool
	gate := make(chan struct{}, 1) // the server answers one request at a time
	gate <- struct{}{}
	s := serveSite(t, func(w http.ResponseWriter, _ *http.Request) {
		<-gate
		if armed.Load() && stalled.CompareAndSwap(false, true) {
			time.Sleep(stall)
		}
		gate <- struct{}{}
		_, _ = w.Write([]byte("ok"))
	})
	s.target.HTTP.HTTP2Streams = streams
	handle := opened(t, s.target)
	const perS = 200
	result, err := handle.Load(Load{
		WarmupNS: ms(50), SampleNS: ms(1000), LeastOps: 3, RatePer1000S: perS * 1000,
	}, func() { armed.Store(true) }, nothing)
	if err != nil {
		t.Fatal(err)
	}
	if result.DueOps < perS-1 || result.DueOps > perS+1 {
		t.Errorf("%d requests were due in a second at %d/s", result.DueOps, perS)
	}
	var all, late int64
	for _, bucket := range result.Latency {
		all += bucket[1]
		if bucket[0] > (stall / 3).Nanoseconds() {
			late += bucket[1]
		}
	}
	if all != result.DueOps {
		t.Errorf("latencies of %d of %d requests", all, result.DueOps)
	}
	// While the server stalled 60 requests became due, and two thirds of them had to wait more than
	// 100 ms. A client that sends only after an answer would have seen 4 of them, one for each
	// connection, or over HTTP/2 8.
	if late < 30 {
		t.Errorf("only %d of %d requests were late", late, all)
	}
}

func TestEveryRequestOfAScheduleIsDueOnce(t *testing.T) {
	for _, rate := range []int64{1, 333, 500_000, 7_777_777} {
		s := &schedule{ratePer1000S: rate, start: time.Now()}
		for _, moment := range []time.Duration{0, 1, time.Millisecond, time.Second, 10 * time.Minute} {
			count := s.within(moment)
			if count > 0 && !s.due(count-1).Before(s.start.Add(moment)) {
				t.Errorf("at %d/1000s number %d is not due within %v", rate, count-1, moment)
			}
			if s.due(count).Before(s.start.Add(moment)) {
				t.Errorf("at %d/1000s number %d is due within %v", rate, count, moment)
			}
		}
	}
}

func TestALoadEndsWithItsOrders(t *testing.T) {
	s := serveSite(t, answer("ok"))
	handle := opened(t, s.target)
	ended := make(chan error, 1)
	go func() {
		_, err := handle.Load(Load{SampleNS: ms(600_000), LeastOps: 3}, func() { handle.input.Close() }, nothing)
		ended <- err
	}()
	select {
	case err := <-ended:
		if err == nil {
			t.Error("a load of ten minutes ended early")
		}
	case <-time.After(60 * time.Second):
		t.Error("the driver continues although nobody reads its reports")
	}
}
