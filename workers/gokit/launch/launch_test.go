package launch

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"sizeup/gokit/protocol"
)

const (
	prepareLine = `{"request":"prepare","protocol":1,"operation":"w","parameters":{},"threads":1,"cpus":[0],"seed":1,` +
		`"inputs":{}}`
	measureLine = `{"request":"measure","warmup_ns":0,"sample_ns":1000}`
	finishLine  = `{"request":"finish"}`
)

// scripted is work that does what a test says; by default, samples of 5 ops.
type scripted struct {
	measure func() error
	verify  func() error
	ended   int
}

func (s *scripted) Measure(*protocol.MeasureRequest) (sample any, ops int64, err error) {
	if s.measure != nil {
		err = s.measure()
	}
	return map[string]string{"answer": "sample"}, 5, err
}

func (s *scripted) Verify() (verified string, err error) {
	if s.verify != nil {
		err = s.verify()
	}
	return "it is well", err
}

func (s *scripted) End() { s.ended++ }

func (s *scripted) worker() *Worker {
	return &Worker{Program: "test-worker", Prepare: func(*protocol.PrepareRequest) (Work, any, error) {
		return s, map[string]string{"answer": "ready"}, nil
	}}
}

// converse runs a launch on the given stdin, and returns its answers and its exit status.
func (w *Worker) converse(stdin string) (answers []string, status int) {
	var out bytes.Buffer
	status = w.Serve(strings.NewReader(stdin), &out)
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n"), status
}

// lines is requests, one a line.
func lines(requests ...string) string { return strings.Join(requests, "\n") + "\n" }

// mustFail checks that the last of these requests, and no other, is answered by an error that
// begins as expected, and that the work was released.
func mustFail(t *testing.T, work *scripted, expected string, requests ...string) {
	t.Helper()
	answers, status := work.worker().converse(lines(requests...))
	last := answers[len(answers)-1]
	if status != 1 || len(answers) != len(requests) || !strings.HasPrefix(last, `{"answer":"error",`+expected) {
		t.Errorf("status %d, answers %v", status, answers)
	}
	if work.ended > 1 || work.ended == 0 && requests[0] == prepareLine {
		t.Errorf("the work was released %d times", work.ended)
	}
}

func TestALaunchGoesThroughPrepareMeasureAndFinish(t *testing.T) {
	work := &scripted{}
	answers, status := work.worker().converse(lines(prepareLine, measureLine, measureLine, finishLine))
	expected := []string{
		`{"answer":"ready"}`, `{"answer":"sample"}`, `{"answer":"sample"}`,
		`{"answer":"done","verified":"it is well","samples":2,"ops":10}`,
	}
	if status != 0 || lines(answers...) != lines(expected...) {
		t.Errorf("status %d, answers %v", status, answers)
	}
	if work.ended != 1 {
		t.Errorf("the work was released %d times", work.ended)
	}
}

func TestNothingIsAnsweredAfterDone(t *testing.T) {
	answers, status := (&scripted{}).worker().converse(lines(finishLine, finishLine))
	if status != 0 || len(answers) != 1 {
		t.Errorf("status %d, answers %v", status, answers)
	}
}

func TestAClosedStdinMeansFinish(t *testing.T) {
	answers, status := (&scripted{}).worker().converse(lines(prepareLine, measureLine))
	const expected = `{"answer":"done","verified":"it is well","samples":1,"ops":5}`
	if status != 0 || answers[len(answers)-1] != expected {
		t.Errorf("status %d, answers %v", status, answers)
	}
}

func TestTheAnswerToAClosedStdinMayGoUnread(t *testing.T) {
	worker := (&scripted{}).worker()
	if status := worker.Serve(strings.NewReader(""), unread{}); status != 0 {
		t.Errorf("status %d", status)
	}
	if status := worker.Serve(strings.NewReader(lines(finishLine)), unread{}); status != 1 {
		t.Errorf("status %d after an answer that the harness waited for", status)
	}
}

// unread is a stdout that nobody reads.
type unread struct{}

func (unread) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestFinishMayComeFirst(t *testing.T) {
	// A request, one without a newline, and a closed stdin.
	for _, stdin := range []string{lines(finishLine), finishLine, ""} {
		answers, status := (&scripted{}).worker().converse(stdin)
		const expected = `{"answer":"done","verified":"nothing was prepared","samples":0,"ops":0}`
		if status != 0 || len(answers) != 1 || answers[0] != expected {
			t.Errorf("status %d, answers %v", status, answers)
		}
	}
}

func TestRequestsOutOfOrderAreRefused(t *testing.T) {
	mustFail(t, &scripted{}, `"kind":"bad-request","message":"measure before prepare"`, measureLine)
	mustFail(t, &scripted{}, `"kind":"bad-request","message":"a second prepare: a launch runs one case"`, prepareLine, prepareLine)
}

func TestALineThatIsNotARequestEndsTheLaunch(t *testing.T) {
	mustFail(t, &scripted{}, `"kind":"bad-request"`, "")
	mustFail(t, &scripted{}, `"kind":"bad-request"`, prepareLine, "{")
}

func TestAnErrorOfTheWorkEndsTheLaunch(t *testing.T) {
	fails := func() error { return protocol.Faultf(protocol.KindOperationFailed, "no more").Advise("rest") }
	const expected = `"kind":"operation-failed","message":"no more","hint":"rest"}`
	mustFail(t, &scripted{measure: fails}, expected, prepareLine, measureLine)
	mustFail(t, &scripted{verify: fails}, expected, prepareLine, finishLine)
	mustFail(t, &scripted{verify: func() error { return errors.New("plain") }},
		`"kind":"internal","message":"plain"`, prepareLine, finishLine)
}

func TestAPanicIsAnInternalErrorAndTheWorkIsReleased(t *testing.T) {
	mustFail(t, &scripted{measure: func() error { panic("at the disco") }},
		`"kind":"internal","message":"panic: at the disco"`, prepareLine, measureLine)
}

func TestTheManifestIsPrintedUnlessTheSelfTestFails(t *testing.T) {
	var out bytes.Buffer
	worker := &Worker{Manifest: func() (*protocol.ListAnswer, error) {
		return &protocol.ListAnswer{Answer: "list", Operations: []protocol.Operation{protocol.Declare("w", nil)}}, nil
	}}
	if status := worker.List(&out); status != 0 || !strings.HasPrefix(out.String(), `{"answer":"list",`) {
		t.Errorf("status %d, %s", status, out.String())
	}
	out.Reset()
	worker.Manifest = func() (*protocol.ListAnswer, error) {
		return nil, protocol.Faultf(protocol.KindWrongAnswer, "self-test: an impostor")
	}
	const expected = `{"answer":"error","kind":"wrong-answer",`
	if status := worker.List(&out); status != 1 || !strings.HasPrefix(out.String(), expected) {
		t.Errorf("status %d, %s", status, out.String())
	}
}
