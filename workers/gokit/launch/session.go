package launch

import "sizeup/gokit/protocol"

// session is how far a launch has come: one operation, from the first request to
// the last answer.
type session struct {
	worker  *Worker
	work    Work  // nil until prepared
	windows int64 // how many windows were answered
	ops     int64 // all ops counted in them
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

func (s *session) prepare(request *protocol.PrepareRequest) (any, error) {
	if s.work != nil {
		return nil, protocol.Faultf(protocol.KindBadRequest, "prepare came twice").Advise("start another worker")
	}
	work, ready, err := s.worker.Prepare(request)
	if err != nil {
		return nil, err
	}
	s.work = work
	return ready, nil
}

func (s *session) measure(request *protocol.MeasureRequest) (any, error) {
	if s.work == nil {
		return nil, protocol.Faultf(protocol.KindBadRequest, "measure came before prepare")
	}
	window, ops, err := s.work.Measure(request)
	if err != nil {
		return nil, err
	}
	s.windows++
	s.ops += ops
	return window, nil
}

func (s *session) finish() (any, error) {
	done := protocol.DoneAnswer{Answer: "done", Verified: "nothing was prepared"}
	if s.work == nil {
		return done, nil
	}
	verified, err := s.work.Verify()
	if err != nil {
		return nil, err
	}
	done.Verified, done.Windows, done.Ops = verified, s.windows, s.ops
	return done, nil
}

// end lets the work go.
func (s *session) end() {
	if s.work != nil {
		s.work.End()
	}
}
