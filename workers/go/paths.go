package main

import (
	"os"
	"runtime"
	"strings"

	"github.com/klauspost/cpuid/v2"
	"golang.org/x/sys/cpu"
)

// digestPaths is the code that the libraries of digests and of zstd run here, by the conditions in
// their sources, like instructionPaths: crypto/sha1, crypto/internal/fips140/{sha256,sha512,sha3} and hash/crc32
// of Go 1.26, x/crypto's blake2b, zeebo's blake3 and xxh3, klauspost's zstd (zstd/seqdec_*.go). The
// last three ignore GODEBUG; they query cpuid, or the CPU itself.
func digestPaths() map[string]string {
	switch runtime.GOARCH {
	case "amd64":
		return amd64DigestPaths()
	case "arm64":
		return arm64DigestPaths()
	}
	return nil
}

func amd64DigestPaths() map[string]string {
	x86 := &cpu.X86
	hasAVX2 := x86.HasAVX && x86.HasAVX2 && x86.HasBMI2
	// x/sys/cpu does not know the SHA instructions.
	hasSHA := cpuid.CPU.Has(cpuid.SHA) && !strings.Contains(os.Getenv("GODEBUG"), "cpu.sha=off")
	hasCLMUL := x86.HasPCLMULQDQ && x86.HasSSE41
	pureBLAKE3 := os.Getenv("BLAKE3_PUREGO") != ""
	return map[string]string{
		"sha-1": first(
			path{"sha-ni", hasSHA && x86.HasAVX && x86.HasSSE41 && x86.HasSSSE3},
			path{"avx2+bmi2", hasAVX2 && cpuid.CPU.Has(cpuid.BMI1)}),
		"sha-256": first(
			path{"sha-ni", hasSHA && x86.HasAVX && x86.HasSSE41 && x86.HasSSSE3},
			path{"avx2+bmi2", hasAVX2}),
		"sha-512":  first(path{"avx2+bmi2", hasAVX2}),
		"sha3-256": "amd64 assembly",
		"crc32": first(
			path{"avx512+vpclmulqdq", hasCLMUL && x86.HasAVX512VPCLMULQDQ},
			path{"pclmulqdq+sse4.1", hasCLMUL}),
		"blake2b": first(
			path{"avx2", x86.HasAVX2}, path{"avx", x86.HasAVX}, path{"sse4.1", x86.HasSSE41}),
		"blake3": first(
			path{"avx2", cpuid.CPU.Has(cpuid.AVX2) && !pureBLAKE3 && os.Getenv("BLAKE3_DISABLE_AVX2") == ""},
			path{"sse4.1", cpuid.CPU.Has(cpuid.SSE4) && !pureBLAKE3 && os.Getenv("BLAKE3_DISABLE_SSE41") == ""}),
		"xxh3": first(
			path{"avx512f", cpuid.CPU.Has(cpuid.AVX512F)},
			path{"avx2", cpuid.CPU.Has(cpuid.AVX2)},
			path{"sse2", cpuid.CPU.Has(cpuid.SSE2)}),
		"unzstd": first(path{"amd64 assembly, bmi2", cpuid.CPU.Has(cpuid.BMI2)}, path{"amd64 assembly", true}),
	}
}

func arm64DigestPaths() map[string]string {
	arm := &cpu.ARM64
	return map[string]string{
		"sha-1":   first(path{"sha1", arm.HasSHA1}),
		"sha-256": first(path{"sha2", arm.HasSHA2}),
		"sha-512": first(path{"sha512", arm.HasSHA512}),
		// Go has code for the SHA-3 instructions, but uses it on Apple's systems only.
		"sha3-256": "generic",
		"crc32":    first(path{"crc32", arm.HasCRC32}),
		"blake2b":  "generic",
		"blake3":   "generic",
		"xxh3":     "neon",
		"unzstd":   "arm64 assembly",
	}
}

// path is code that a library may run, and whether its conditions hold.
type path struct {
	name  string
	holds bool
}

// first returns the first path whose conditions hold.
func first(paths ...path) string {
	for _, p := range paths {
		if p.holds {
			return p.name
		}
	}
	return "generic"
}
