package main

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
)

const workerName = "go"

// session is one launch: one workload on one crew, from the first request to
// the last answer.
type session struct {
	crew    *crew // nil until prepared
	windows int64 // how many windows were answered
	ops     int64 // all ops counted in them, over all threads
}

// serve answers the requests of one launch and returns the exit status: 0 after
// done, 1 after an error. A panic is a fault of the worker, and becomes an
// error like the others.
func serve(in io.Reader, out io.Writer) (status int) {
	s := &session{}
	defer s.end()
	defer func() {
		if r := recover(); r != nil {
			status = fail(out, panicFault(r))
		}
	}()
	lines := newLineReader(in)
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
		if err := writeAnswer(out, answer); err != nil && !closed {
			return fail(out, err)
		}
		if _, finished := answer.(doneAnswer); finished {
			return 0
		}
	}
}

// receive reads the next request. A closed stdin means finish.
func receive(lines *lineReader) (request any, closed bool, err error) {
	line, err := lines.next()
	if err == io.EOF {
		return finishRequest{}, true, nil
	}
	if err != nil {
		return nil, false, err
	}
	request, err = parseRequest(line)
	return request, false, err
}

// fail writes the error that ends the launch.
func fail(out io.Writer, err error) int {
	f := asFault(err, kindInternal)
	if err := writeAnswer(out, errorAnswer{"error", f.kind, f.message, f.hint}); err != nil {
		fmt.Fprintf(os.Stderr, "go-worker: %v; and no one reads it: %v\n", f, err)
	}
	return 1
}

// answer carries out one request.
func (s *session) answer(request any) (any, error) {
	switch r := request.(type) {
	case *prepareRequest:
		return s.prepare(r)
	case *measureRequest:
		return s.measure(r)
	default:
		return s.finish()
	}
}

// end lets the threads go.
func (s *session) end() {
	if s.crew != nil {
		s.crew.disband()
	}
}

func (s *session) prepare(request *prepareRequest) (any, error) {
	if s.crew != nil {
		return nil, faultf(kindBadRequest, "prepare came twice").advise("start another worker")
	}
	crew, ready, err := prepare(request)
	if err != nil {
		return nil, err
	}
	s.crew = crew
	return ready, nil
}

func (s *session) measure(request *measureRequest) (any, error) {
	if s.crew == nil {
		return nil, faultf(kindBadRequest, "measure came before prepare")
	}
	answer, err := s.crew.measure(request)
	if err != nil {
		return nil, err
	}
	s.windows++
	for _, t := range answer.Threads {
		s.ops += t.Ops
	}
	return answer, nil
}

func (s *session) finish() (any, error) {
	if s.crew == nil {
		return doneAnswer{Answer: "done", Verified: "nothing was prepared"}, nil
	}
	if err := s.crew.verify(); err != nil {
		return nil, err
	}
	return doneAnswer{"done", s.crew.plan.verified, s.windows, s.ops}, nil
}

// panicFault turns a recovered panic into a fault; the stack goes to stderr.
func panicFault(r any) *fault {
	fmt.Fprintf(os.Stderr, "go-worker: panic: %v\n%s", r, debug.Stack())
	return faultf(kindInternal, "panic: %v", r).advise("the stack is on stderr; please report it")
}

// list prints the receipt, after the self-test.
func list(out io.Writer) int {
	if err := selfTest(); err != nil {
		return fail(out, err)
	}
	ids := make([]string, len(registry))
	for i, w := range registry {
		ids[i] = w.id
	}
	receipt := listAnswer{"list", protocolNumber, workerName, describeBuild(libraryNames), ids}
	if err := writeAnswer(out, receipt); err != nil {
		return fail(out, err)
	}
	return 0
}
