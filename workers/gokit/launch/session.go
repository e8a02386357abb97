package launch

import "sizeup/gokit/protocol"

// session is the state of a launch: one operation, from the first request to the last answer.
type session struct {
	worker  *Worker
	work    Work  // nil until prepared
	samples int64 // samples answered
	ops     int64 // ops counted in them
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
		return nil, protocol.Faultf(protocol.KindBadRequest, "a second prepare: a launch runs one case").Advise("start another worker")
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
		return nil, protocol.Faultf(protocol.KindBadRequest, "measure before prepare")
	}
	sample, ops, err := s.work.Measure(request)
	if err != nil {
		return nil, err
	}
	s.samples++
	s.ops += ops
	return sample, nil
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
	done.Verified, done.Samples, done.Ops = verified, s.samples, s.ops
	return done, nil
}

// end releases the work.
func (s *session) end() {
	if s.work != nil {
		s.work.End()
	}
}
