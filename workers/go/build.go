package main

import (
	"maps"
	"runtime"

	"golang.org/x/sys/cpu"

	"sizeup/gokit/process"
	"sizeup/gokit/work"
)

// version is the worker's own.
const version = "0.1.0"

// The measured libraries, by their names in answers.
const (
	libraryGo      = "go" // the standard library
	libraryXCrypto = "golang.org/x/crypto"
	libraryImage   = "golang.org/x/image"

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
	libraryGo, libraryXCrypto, libraryImage, libraryBlake3, libraryCompress, libraryHighwayHash, libraryLZ4, libraryPgzip,
	libraryReedSolomon, libraryRollingHash, libraryXXH3,
}

// worker is this worker, with the registry as it is now.
func worker() *work.Worker {
	return &work.Worker{
		Name: "go", Program: "go-worker", Version: version, Operations: registry,
		Libraries: libraryVersions, Paths: instructionPaths, LinkFlags: linkFlags, SelfTest: selfTest,
	}
}

// libraryVersions is the version of each measured library.
func libraryVersions() map[string]string {
	versions := make(map[string]string, len(libraryNames))
	for _, name := range libraryNames {
		versions[name] = libraryVersion(name)
	}
	return versions
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
