// The Go worker of sizeup: performs operations of Go's own and other Go libraries. It speaks the
// protocol of docs/protocol.md on stdin and stdout.
//
// Where to find what:
//
//	operation.go   the types: operation, job, plan, instance
//	registry.go    the list of operations
//	verify.go      what checks share
//	build.go       the worker's build
//	paths.go       the code paths of the libraries (with paths_storage.go)
//	selftest.go    the proof of the libraries' identity (with selftest_backup.go)
//
// A launch and its protocol, threads, samples, pulses, pinning and the clock of the timed loop:
// workers/gokit.
//
// The operations themselves: regexp.go, regexfind.go, replacer.go, html.go, json.go, sort.go, images.go, pki.go, rsa.go,
// signature.go, kem.go, agreement.go (keys.go), handshake.go, aead.go, digest.go, gzip.go, gunzip.go, zstd.go; of
// storage and backup erasure.go, keyedhash.go, split.go (splitters.go,
// splitanew.go), compress.go (codec.go, knownstreams.go), encrypt.go, pipeline.go,
// ecc.go (eccplan.go), over data of random.go and editedtext.go in the chunks of
// gather.go; and empty.go.
package main

import (
	"io"
	"os"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is the command line; it returns the exit status.
func run(args []string, in io.Reader, out, diagnostics io.Writer) int {
	return worker().Main(args, in, out, diagnostics)
}
