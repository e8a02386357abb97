// Package work is a whole worker around operations of Go: threads, samples, verification and the
// protocol. What a worker adds is its operations, and the libraries that do the work.
package work

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"sizeup/gokit/launch"
	"sizeup/gokit/protocol"
)

// Worker is a worker's operations, and what it tells of itself.
type Worker struct {
	// Name is the worker's, in answers.
	Name string
	// Program is the program's name, on stderr; by default the worker's.
	Program string
	// Version is the worker's own.
	Version string
	// Operations is the registry, in the manifest's order.
	Operations []Operation
	// Libraries is every library that does work, with its version as it is linked.
	Libraries func() map[string]string
	// Paths is the instruction-set path of each library that reports it; nil if none does.
	Paths func() map[string]string
	// LinkFlags is the linker's flags, which a program that is built with -trimpath does not know.
	LinkFlags string
	// SelfTest proves that each library is what it claims to be; nil for none.
	SelfTest func() error
}

// Run is a worker's main: it follows the command line and ends the program.
func Run(worker Worker) {
	os.Exit(worker.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Main is the command line; it returns the exit status.
func (w *Worker) Main(args []string, in io.Reader, out, diagnostics io.Writer) int {
	// Ignore SIGPIPE, so that a harness that has gone is a failed write: after a closed stdin
	// nobody has to read the last answer.
	signal.Ignore(syscall.SIGPIPE)
	worker := launch.Worker{Program: w.program(), Manifest: w.manifest, Prepare: w.prepare}
	switch {
	case len(args) == 0:
		return worker.Serve(in, out)
	case len(args) == 1 && args[0] == "--list":
		return worker.List(out)
	default:
		fmt.Fprintf(diagnostics, "usage: %s          speak the worker protocol on stdin and stdout\n", w.program())
		fmt.Fprintf(diagnostics, "       %s --list   print the manifest: build and operations\n", w.program())
		return 2
	}
}

// Find looks an operation up.
func (w *Worker) Find(name string) (Operation, error) {
	for _, op := range w.Operations {
		if op.Name == name {
			return op, nil
		}
	}
	return Operation{}, protocol.UnknownOperation(name)
}

// manifest returns, after the self-test, the worker's build and operations.
func (w *Worker) manifest() (*protocol.ListAnswer, error) {
	if err := w.selfTest(); err != nil {
		return nil, err
	}
	operations := make([]protocol.Operation, len(w.Operations))
	for i, op := range w.Operations {
		operations[i] = op.Operation
	}
	return &protocol.ListAnswer{
		Answer: "list", Protocol: protocol.Number, Worker: w.Name,
		Build: w.Build(w.Libraries()), Operations: operations,
	}, nil
}

func (w *Worker) program() string {
	if w.Program != "" {
		return w.Program
	}
	return w.Name
}

func (w *Worker) selfTest() error {
	if w.SelfTest == nil {
		return nil
	}
	return w.SelfTest()
}
