package main

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"sizeup/gokit/protocol"
)

const workerName = "nginx"

// session is one launch, from the first request to the last answer.
type session struct {
	site    *site // nil until prepared
	windows int64 // how many windows were answered
	ops     int64 // all ops counted in them
}

// serve answers the requests of one launch and returns the exit status: 0 after
// done, 1 after an error. A panic is a fault of the worker, and becomes an
// error like the others.
func serve(in io.Reader, out io.Writer) (status int) {
	s := &session{}
	defer s.end()
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(os.Stderr, "nginx-worker: panic: %v\n%s", r, debug.Stack())
			fault := protocol.Faultf(protocol.KindInternal, "panic: %v", r)
			status = fail(out, fault.Advise("the stack is on stderr; please report it"))
		}
	}()
	lines := protocol.NewLineReader(in)
	for {
		request, closed, err := receive(lines)
		if err != nil {
			return fail(out, err)
		}
		answer, err := s.answer(request)
		if err != nil {
			return fail(out, err)
		}
		// Who has closed stdin may have closed its eyes as well.
		if err := protocol.WriteAnswer(out, answer); err != nil && !closed {
			return fail(out, err)
		}
		if _, finished := answer.(protocol.DoneAnswer); finished {
			return 0
		}
	}
}

// receive reads the next request. A closed stdin means finish.
func receive(lines *protocol.LineReader) (request any, closed bool, err error) {
	line, err := lines.Next()
	if err == io.EOF {
		return protocol.FinishRequest{}, true, nil
	}
	if err != nil {
		return nil, false, err
	}
	request, err = protocol.Parse(line)
	return request, false, err
}

// fail writes the error that ends the launch.
func fail(out io.Writer, err error) int {
	f := protocol.AsFault(err, protocol.KindInternal)
	answer := protocol.ErrorAnswer{Answer: "error", Kind: f.Kind, Message: f.Message, Hint: f.Hint}
	if err := protocol.WriteAnswer(out, answer); err != nil {
		fmt.Fprintf(os.Stderr, "nginx-worker: %v; and no one reads it: %v\n", f, err)
	}
	return 1
}

// answer carries out one request.
func (s *session) answer(request any) (any, error) {
	switch r := request.(type) {
	case *protocol.PrepareRequest:
		return s.prepare(r)
	case *protocol.MeasureRequest:
		return s.measure(r)
	default:
		return s.finish()
	}
}

// end ends NGINX and the client.
func (s *session) end() {
	if s.site != nil {
		s.site.close()
	}
}

func (s *session) prepare(request *protocol.PrepareRequest) (any, error) {
	if s.site != nil {
		return nil, protocol.Faultf(protocol.KindBadRequest, "prepare came twice").Advise("start another worker")
	}
	if err := checkWorkload(request.Workload); err != nil {
		return nil, err
	}
	site, ready, err := prepare(request)
	if err != nil {
		return nil, protocol.AsFault(err, protocol.KindInternal).In(request.Workload)
	}
	s.site = site
	return ready, nil
}

func (s *session) measure(request *protocol.MeasureRequest) (any, error) {
	if s.site == nil {
		return nil, protocol.Faultf(protocol.KindBadRequest, "measure came before prepare")
	}
	answer, err := s.site.measure(request)
	if err != nil {
		return nil, protocol.AsFault(err, protocol.KindOperationFailed).In(s.site.workload)
	}
	s.windows++
	for _, t := range answer.Threads {
		s.ops += t.Ops
	}
	return answer, nil
}

func (s *session) finish() (any, error) {
	done := protocol.DoneAnswer{Answer: "done", Verified: "nothing was prepared"}
	if s.site == nil {
		return done, nil
	}
	if _, err := s.site.verify(); err != nil {
		return nil, protocol.AsFault(err, protocol.KindOperationFailed).In(s.site.workload)
	}
	done.Verified, done.Windows, done.Ops = s.site.expected.phrase, s.windows, s.ops
	return done, nil
}
