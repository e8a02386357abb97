// Package fidelity holds benchmarks of the operations of sizeup's Go worker as one would write them without
// sizeup, for `go test -bench`. They share nothing with the worker but the definitions (workloads/go.toml),
// the input files and the keys' numbers. bench/fidelity compares the two.
//
// They count to b.N and do not use b.Loop: of b.N the last and longest round is reported, after shorter ones
// that warm up, as sizeup's samples do. b.Loop reports all from the first op on, whose cold start of one to
// five milliseconds shows in runs as short as these.
package fidelity

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

var inputs = flag.String("inputs", "", "folder of sizeup's input files")

// input reads an input file.
func input(b *testing.B, file string) []byte {
	b.Helper()
	content, err := os.ReadFile(filepath.Join(*inputs, file))
	if err != nil {
		b.Fatal(err)
	}
	return content
}

// moduleVersions is PATH=VERSION of each module, with commas between, set when this is built: test binaries hold
// no list of their modules.
var moduleVersions string

// TestLibraries tells which libraries were linked, as `library NAME VERSION`.
func TestLibraries(t *testing.T) {
	if moduleVersions == "" {
		t.Fatal("built without the versions of the modules")
	}
	fmt.Println("library go", runtime.Version())
	for module := range strings.SplitSeq(moduleVersions, ",") {
		name, version, _ := strings.Cut(module, "=")
		fmt.Println("library", name, version)
	}
}
