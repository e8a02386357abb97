// Package launch runs one launch of a worker: requests in, answers out, in the order that the
// protocol allows.
package launch

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"sizeup/gokit/protocol"
)

// Worker is what a worker provides for a launch.
type Worker struct {
	// Program is the worker's name on stderr.
	Program string
	// Manifest describes the worker, after its self-test.
	Manifest func() (*protocol.ListAnswer, error)
	// Prepare sets an operation up; ready is the answer.
	Prepare func(*protocol.PrepareRequest) (work Work, ready any, err error)
}

// Work is an operation that was set up.
type Work interface {
	// Measure takes a sample and returns the number of ops that it counted.
	Measure(*protocol.MeasureRequest) (sample any, ops int64, err error)
	// Verify checks the output of one more op and returns a phrase for what was checked.
	Verify() (verified string, err error)
	// End releases threads and processes.
	End()
}

// List prints the manifest and returns the exit status.
func (w *Worker) List(out io.Writer) int {
	manifest, err := w.Manifest()
	if err == nil {
		err = protocol.WriteAnswer(out, manifest)
	}
	if err != nil {
		return w.fail(out, err)
	}
	return 0
}

// Serve answers the requests of one launch and returns the exit status: 0 after done, 1 after an
// error. A panic is a bug in the worker and becomes an error like the others.
func (w *Worker) Serve(in io.Reader, out io.Writer) (status int) {
	s := &session{worker: w}
	defer s.end()
	defer func() {
		if r := recover(); r != nil {
			status = w.fail(out, PanicFault(w.Program, r))
		}
	}()
	lines := protocol.NewLineReader(in)
	for {
		request, closed, err := receive(lines)
		if err != nil {
			return w.fail(out, err)
		}
		answer, err := s.answer(request)
		if err != nil {
			return w.fail(out, err)
		}
		// Whoever closed stdin may have closed stdout as well.
		if err := protocol.WriteAnswer(out, answer); err != nil && !closed {
			return w.fail(out, err)
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
func (w *Worker) fail(out io.Writer, err error) int {
	f := protocol.AsFault(err, protocol.KindInternal)
	answer := protocol.ErrorAnswer{Answer: "error", Kind: f.Kind, Message: f.Message, Hint: f.Hint}
	if err := protocol.WriteAnswer(out, answer); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v (and stdout cannot be written: %v)\n", w.Program, f, err)
	}
	return 1
}

// PanicFault turns a recovered panic into a fault; the stack goes to stderr.
func PanicFault(program string, r any) *protocol.Fault {
	fmt.Fprintf(os.Stderr, "%s: panic: %v\n%s", program, r, debug.Stack())
	return protocol.Faultf(protocol.KindInternal, "panic: %v", r).
		Advise("please report this with the stack on stderr")
}
