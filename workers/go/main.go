// The Go worker of sizeup: performs workloads over Go's own libraries and owns
// the clock. It speaks the protocol of docs/protocol.md on stdin and stdout.
//
// Where to find what:
//
//	session.go     one launch: requests in, answers out, in the order allowed
//	line.go        reading one bounded line of valid UTF-8
//	request.go     requests, decoded strictly
//	object.go      the strict JSON object decoder behind it
//	answer.go      what is written back
//	fault.go       the errors of the protocol
//	workload.go    the nouns: workload, job, plan, instance
//	registry.go    the list of workloads (with registry_*.go, one a suite)
//	input.go       input files, checked by length and digest
//	crew.go        the threads: pinned, asleep between tasks
//	prepare.go     from a prepare request to a crew that is ready
//	window.go      one timed window
//	batch.go       how many ops between two looks at the clock
//	verify.go      output, planted mistake, check
//	clock.go       clocks and counters of the operating system
//	pulse.go       the core's clock and width (with pulse_*.s)
//	affinity.go    which CPUs threads and process may use
//	build.go       what this worker is made of
//	paths.go       which code the libraries run (with paths_storage.go)
//	selftest.go    the proof of that (with selftest_backup.go)
//
// The workloads themselves: regexp.go, replacer.go, html.go, pki.go, rsa.go,
// agreement.go (keys.go), aead.go, digest.go, gzip.go, gunzip.go, zstd.go; of
// storage and backup erasure.go, keyedhash.go, split.go (splitters.go),
// compress.go (codec.go, knownstreams.go), encrypt.go, ecc.go (eccplan.go), over
// data of random.go and editedtext.go.
package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	// A harness that went away is met as a failed write, not as a signal: after
	// a closed stdin nobody has to read the last answer.
	signal.Ignore(syscall.SIGPIPE)
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the command line; it returns the exit status.
func run(args []string, in io.Reader, out, talk io.Writer) int {
	switch {
	case len(args) == 0:
		return serve(in, out)
	case len(args) == 1 && args[0] == "--list":
		return list(out)
	default:
		fmt.Fprintln(talk, "usage: go-worker          speak the worker protocol on stdin and stdout")
		fmt.Fprintln(talk, "       go-worker --list   print the receipt: build and workloads")
		return 2
	}
}
