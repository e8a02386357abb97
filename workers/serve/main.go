// The client's hello has only the key share that the server takes; any other would only cost the
// client time.
//go:debug tlsmlkem=0

// The worker of sizeup for servers: starts an installed server with a configuration of its own, loads
// it, checks its answers and counts them. It speaks the protocol of docs/protocol.md on stdin and
// stdout; docs/services.md describes what is measured and how.
//
//	service.go     what a server has to provide, and the parameters that all have
//	nginx.go       NGINX
//	keyvalue.go    Valkey or Redis, and memcached
//	postgresql.go  PostgreSQL
//	prepare.go     from a prepare request to a loaded server
//	client.go      the client, here or on another machine
//	verify.go      the expected answer, and the check
//	sample.go      one sample: pulses, load, CPU time
//	staircase.go   the search for the highest rate with short latencies
//	answer.go      its answers with parts
//	build.go       the worker's build
//
//	internal/daemon  installed servers: find, start as nobody, watch, stop
//	internal/nginx   NGINX: its modules, its configuration, its rules as root
//	internal/drive   the client: connections, load, latencies, the protocols of the servers
//	internal/split   CPUs for the server and for the client
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
	"sizeup/worker-serve/internal/daemon"
	"sizeup/worker-serve/internal/drive"
)

const workerName = "serve"

func main() {
	// Ignore SIGPIPE, so that a harness that has gone is a failed write: after a closed stdin
	// nobody has to read the last answer.
	signal.Ignore(syscall.SIGPIPE)
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the command line; it returns the exit status.
func run(args []string, in io.Reader, out, diagnostics io.Writer) int {
	worker := launch.Worker{Program: "serve-worker", Manifest: manifest, Prepare: prepare}
	switch {
	case len(args) == 0:
		return worker.Serve(in, out)
	case len(args) == 1 && args[0] == "--list":
		return worker.List(out)
	case len(args) == 1 && args[0] == "--drive":
		if err := drive.Serve(in, out); err != nil {
			fmt.Fprintln(diagnostics, "serve-worker:", err)
			return 1
		}
		return 0
	case len(args) == 1 && args[0] == daemon.KeeperArgument:
		if err := daemon.ServeAsKeeper(in, out); err != nil {
			fmt.Fprintln(diagnostics, "serve-worker:", err)
			return 1
		}
		return 0
	default:
		fmt.Fprintln(diagnostics, "usage: serve-worker           speak the worker protocol on stdin and stdout")
		fmt.Fprintln(diagnostics, "       serve-worker --list    print the manifest: build and operations")
		fmt.Fprintln(diagnostics, "       serve-worker --drive   be the client of a worker on another machine")
		return 2
	}
}
