package main

import (
	"runtime"

	"github.com/klauspost/cpuid/v2"
	"golang.org/x/sys/cpu"
	"golang.org/x/sys/unix"
)

// backupPaths says which code the libraries of storage and backup run here. They
// don't tell; the conditions are theirs, asked of the packages that they ask.
func backupPaths() map[string]string {
	paths := map[string]string{
		"reed-solomon-8+8": "generic", "reed-solomon-12+4": "generic", "highwayhash": "generic",
		"blake2b": "generic", "blake2s": "generic", "blake3": "generic", "sha-256": "generic", "crc32-ieee": "generic",
	}
	// The first condition that holds decides.
	choose := func(name, path string, holds bool) {
		if holds && paths[name] == "generic" {
			paths[name] = path
		}
	}
	has := cpuid.CPU.Supports
	switch runtime.GOARCH {
	case "amd64":
		// Ten shards in and ten out have code of their own with GFNI; with more of
		// either, one goroutine takes the code for AVX2 (codeSomeShards).
		choose("reed-solomon-8+8", "avx512+gfni", has(cpuid.AVX512F, cpuid.GFNI, cpuid.AVX512DQ))
		choose("reed-solomon-8+8", "avx+gfni", has(cpuid.AVX, cpuid.GFNI))
		for _, name := range []string{"reed-solomon-8+8", "reed-solomon-12+4"} {
			choose(name, "avx2", has(cpuid.AVX2))
			choose(name, "ssse3", has(cpuid.SSSE3))
		}
		choose("highwayhash", "avx2", cpu.X86.HasAVX2)
		choose("highwayhash", "sse4.1", cpu.X86.HasSSE41)
		choose("blake2b", "avx2", cpu.X86.HasAVX2)
		choose("blake2b", "avx", cpu.X86.HasAVX)
		choose("blake2b", "sse4.1", cpu.X86.HasSSE41)
		choose("blake2s", "sse4.1", cpu.X86.HasSSE41)
		choose("blake2s", "ssse3", cpu.X86.HasSSSE3)
		choose("blake2s", "sse2", cpu.X86.HasSSE2)
		choose("blake3", "avx2", has(cpuid.AVX2))
		choose("sha-256", "sha-ni", has(cpuid.AVX, cpuid.SHA, cpuid.SSE4, cpuid.SSSE3))
		choose("sha-256", "avx2", has(cpuid.AVX, cpuid.AVX2, cpuid.BMI2))
		choose("crc32-ieee", "pclmulqdq", cpu.X86.HasPCLMULQDQ && cpu.X86.HasSSE41)
	case "arm64":
		for _, name := range []string{"reed-solomon-8+8", "reed-solomon-12+4"} {
			choose(name, "sve", has(cpuid.SVE) && sveBytes() <= 32) // no longer vectors
			choose(name, "neon", has(cpuid.ASIMD))
		}
		choose("highwayhash", "sve", cpu.ARM64.HasSVE && sveBytes() == 32)
		choose("highwayhash", "neon", cpu.ARM64.HasASIMD)
		choose("sha-256", "sha2", cpu.ARM64.HasSHA2)
		choose("crc32-ieee", "crc32", cpu.ARM64.HasCRC32)
	}
	return paths
}

// sveBytes is the length of this process's SVE vectors in bytes; 0 where there are none.
func sveBytes() int {
	const lengthBits = 0xffff // PR_SVE_VL_LEN_MASK; above are flags
	told, err := unix.PrctlRetInt(unix.PR_SVE_GET_VL, 0, 0, 0, 0)
	if err != nil {
		return 0
	}
	return told & lengthBits
}
