// The client's hello has the key share that the server takes, and no other that
// would only cost the client time.
//go:debug tlsmlkem=0

// The NGINX worker of sizeup: starts the installed NGINX with a configuration of
// its own, loads it by the clients of a load generator, and counts answers. It
// speaks the protocol of docs/protocol.md on stdin and stdout; docs/http.md says what
// is measured and how.
//
//	parameters.go  the operation, and what a request says about it
//	prepare.go     from a prepare request to a loaded server
//	client.go      the client, here or on another machine
//	verify.go      what an answer must be
//	window.go      one window: pulses, load, CPU time
//	staircase.go   the search for the most requests/s with short latencies
//	answer.go      its answers with parts
//	build.go       what this worker is made of
//
//	internal/server  NGINX: found, configured, started, asked, ended
//	internal/drive   the client: connections, load, latencies
//	internal/split   which CPUs are the server's and which the client's
//	internal/child   processes that end with this one
//
// A launch and its protocol, pulses, pinning and clocks are those of workers/gokit.
package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"sizeup/gokit/launch"
	"sizeup/worker-nginx/internal/drive"
)

const workerName = "nginx"

func main() {
	// A harness that went away is met as a failed write, not as a signal: after
	// a closed stdin nobody has to read the last answer.
	signal.Ignore(syscall.SIGPIPE)
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the command line; it returns the exit status.
func run(args []string, in io.Reader, out, talk io.Writer) int {
	worker := launch.Worker{Program: "nginx-worker", Manifest: manifest, Prepare: prepare}
	switch {
	case len(args) == 0:
		return worker.Serve(in, out)
	case len(args) == 1 && args[0] == "--list":
		return worker.List(out)
	case len(args) == 1 && args[0] == "--drive":
		if err := drive.Serve(in, out); err != nil {
			fmt.Fprintln(talk, "nginx-worker:", err)
			return 1
		}
		return 0
	default:
		fmt.Fprintln(talk, "usage: nginx-worker           speak the worker protocol on stdin and stdout")
		fmt.Fprintln(talk, "       nginx-worker --list    print the manifest: build and operations")
		fmt.Fprintln(talk, "       nginx-worker --drive   be the client of a worker on another machine")
		return 2
	}
}
