// The Go worker of sizeup: performs operations of Go's own and other Go libraries. It speaks the
// protocol of docs/protocol.md on stdin and stdout.
//
// Where to find what:
//
//	answer.go      the answer to measure
//	operation.go   the types: operation, job, plan, instance
//	registry.go    the list of operations
//	crew.go        the threads: pinned, asleep between tasks
//	prepare.go     from a prepare request to a crew that is ready
//	sample.go      one timed sample
//	batch.go       how many ops between two clock readings
//	verify.go      output, injected wrong answer, check
//	clock.go       the threads' clocks and counters
//	build.go       the worker's build
//	paths.go       the code paths of the libraries (with paths_storage.go)
//	selftest.go    the proof of the libraries' identity (with selftest_backup.go)
//
// A launch and its protocol, pulses, pinning and the clock of the timed loop:
// workers/gokit.
//
// The operations themselves: regexp.go, replacer.go, html.go, pki.go, rsa.go,
// agreement.go (keys.go), aead.go, digest.go, gzip.go, gunzip.go, zstd.go; of
// storage and backup erasure.go, keyedhash.go, split.go (splitters.go,
// splitanew.go), compress.go (codec.go, knownstreams.go), encrypt.go, pipeline.go,
// ecc.go (eccplan.go), over data of random.go and editedtext.go in the chunks of
// gather.go; and empty.go.
package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"sizeup/gokit/launch"
)

const (
	workerName  = "go"
	programName = "go-worker"
)

func main() {
	// Ignore SIGPIPE, so that a harness that has gone is a failed write: after a closed stdin
	// nobody has to read the last answer.
	signal.Ignore(syscall.SIGPIPE)
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the command line; it returns the exit status.
func run(args []string, in io.Reader, out, diagnostics io.Writer) int {
	worker := launch.Worker{Program: programName, Manifest: manifest, Prepare: prepare}
	switch {
	case len(args) == 0:
		return worker.Serve(in, out)
	case len(args) == 1 && args[0] == "--list":
		return worker.List(out)
	default:
		fmt.Fprintln(diagnostics, "usage: go-worker          speak the worker protocol on stdin and stdout")
		fmt.Fprintln(diagnostics, "       go-worker --list   print the manifest: build and operations")
		return 2
	}
}
