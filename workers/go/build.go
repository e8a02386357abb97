package main

import (
	"maps"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"golang.org/x/sys/cpu"

	"sizeup/gokit/process"
	"sizeup/gokit/protocol"
)

// version is the worker's own.
const version = "0.1.0"

// The measured libraries, by their names in answers.
const (
	libraryGo      = "go" // the standard library
	libraryXCrypto = "golang.org/x/crypto"

	libraryBlake3      = "github.com/zeebo/blake3"
	libraryCompress    = "github.com/klauspost/compress"
	libraryHighwayHash = "github.com/minio/highwayhash"
	libraryLZ4         = "github.com/pierrec/lz4/v4"
	libraryPgzip       = "github.com/klauspost/pgzip"
	libraryReedSolomon = "github.com/klauspost/reedsolomon"
	libraryRollingHash = "github.com/chmduquesne/rollinghash"
	libraryXXH3        = "github.com/zeebo/xxh3"
)

// libraryNames is all of them, for the manifest.
var libraryNames = []string{
	libraryGo, libraryXCrypto, libraryBlake3, libraryCompress, libraryHighwayHash, libraryLZ4, libraryPgzip,
	libraryReedSolomon, libraryRollingHash, libraryXXH3,
}

// describeBuild describes the running program, with these libraries.
func describeBuild(names []string) protocol.Build {
	libraries := make(map[string]string, len(names))
	for _, name := range names {
		libraries[name] = libraryVersion(name)
	}
	return protocol.Build{
		Version:   version,
		Compiler:  runtime.Version(),
		Flags:     buildFlags(),
		Target:    runtime.GOOS + "/" + runtime.GOARCH,
		Libraries: libraries,
		Paths:     instructionPaths(),
	}
}

// manifest returns, after the self-test, the worker's build and operations.
func manifest() (*protocol.ListAnswer, error) {
	if err := selfTest(); err != nil {
		return nil, err
	}
	operations := make([]protocol.Operation, len(registry))
	for i, op := range registry {
		operations[i] = op.Operation
	}
	return &protocol.ListAnswer{
		Answer: "list", Protocol: protocol.Number, Worker: workerName,
		Build: describeBuild(libraryNames), Operations: operations,
	}, nil
}

// libraryVersion is the version recorded in the program: the runtime's, or that of the module as it
// was linked. Empty if unknown.
func libraryVersion(name string) string {
	if name == libraryGo {
		return runtime.Version()
	}
	return process.ModuleVersion(name)
}

// linkFlags is the linker's flags, set by the build: a program built with -trimpath does not know
// its -ldflags.
var linkFlags string

// buildFlags is how the program was compiled, and the settings in its environment that change how
// Go runs it.
func buildFlags() string {
	var flags []string
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			switch setting.Key {
			case "-trimpath", "-gcflags", "-ldflags", "-tags", "-pgo", "-race",
				"CGO_ENABLED", "GOEXPERIMENT", "GOFIPS140", "DefaultGODEBUG":
				flags = append(flags, setting.Key+"="+setting.Value)
			case "GOAMD64", "GOARM64":
				// Only what exceeds the architecture's baseline, so that builds for two
				// architectures have the same flags.
				if setting.Value != "v1" && setting.Value != "v8.0" {
					flags = append(flags, setting.Key+"="+setting.Value)
				}
			}
		}
	}
	if linkFlags != "" {
		flags = append(flags, "link "+linkFlags)
	}
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		if value := os.Getenv(name); value != "" {
			flags = append(flags, "env "+name+"="+value)
		}
	}
	if value := withoutCPU(os.Getenv("GODEBUG")); value != "" {
		flags = append(flags, "env GODEBUG="+value)
	}
	return strings.Join(flags, " ")
}

// withoutCPU leaves out what switches instruction sets off: that makes another CPU and no other
// build, and instructionPaths tells what follows from it.
func withoutCPU(godebug string) string {
	var kept []string
	for setting := range strings.SplitSeq(godebug, ",") {
		if !strings.HasPrefix(setting, "cpu.") {
			kept = append(kept, setting)
		}
	}
	return strings.Join(kept, ",")
}

// instructionPaths is the code that the libraries run here. They do not report it; the conditions
// are from their sources (crypto/internal/fips140/aes/gcm, x/crypto's chacha20poly1305), evaluated
// by a package that respects GODEBUG=cpu.… as they do.
func instructionPaths() map[string]string {
	paths := map[string]string{"aes-gcm": "generic", "chacha20-poly1305": "generic"}
	switch runtime.GOARCH {
	case "amd64":
		if cpu.X86.HasAES && cpu.X86.HasPCLMULQDQ && cpu.X86.HasSSE41 && cpu.X86.HasSSSE3 {
			paths["aes-gcm"] = "aes-ni+pclmulqdq"
		}
		switch {
		case cpu.X86.HasSSSE3 && cpu.X86.HasAVX2 && cpu.X86.HasBMI2:
			paths["chacha20-poly1305"] = "avx2+bmi2"
		case cpu.X86.HasSSSE3:
			paths["chacha20-poly1305"] = "ssse3"
		}
	case "arm64":
		if cpu.ARM64.HasAES && cpu.ARM64.HasPMULL {
			paths["aes-gcm"] = "aes+pmull"
		}
		paths["chacha20-poly1305"] = "neon chacha20, generic poly1305"
	}
	maps.Copy(paths, digestPaths())
	maps.Copy(paths, storagePaths())
	return paths
}
