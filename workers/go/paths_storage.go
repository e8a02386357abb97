package main

import (
	"runtime"

	"github.com/klauspost/cpuid/v2"
	"golang.org/x/sys/cpu"
	"golang.org/x/sys/unix"
)

// storagePaths is the code that the libraries of storage and backup run here, by their own
// conditions, evaluated by the packages that they use. The paths of digests are in digestPaths.
func storagePaths() map[string]string {
	has := cpuid.CPU.Supports
	x86, arm := &cpu.X86, &cpu.ARM64
	switch runtime.GOARCH {
	case "amd64":
		// Ten shards in and ten out have special code with GFNI; with more of either, one goroutine
		// uses the code for AVX2 (codeSomeShards).
		many := []path{{"avx2", has(cpuid.AVX2)}, {"ssse3", has(cpuid.SSSE3)}}
		few := append([]path{
			{"avx512+gfni", has(cpuid.AVX512F, cpuid.GFNI, cpuid.AVX512DQ)},
			{"avx+gfni", has(cpuid.AVX, cpuid.GFNI)},
		}, many...)
		return map[string]string{
			"reed-solomon-4+4":  first(few...),
			"reed-solomon-8+8":  first(few...),
			"reed-solomon-12+4": first(many...),
			"highwayhash":       first(path{"avx2", x86.HasAVX2}, path{"sse4.1", x86.HasSSE41}),
			"blake2s": first(
				path{"sse4.1", x86.HasSSE41}, path{"ssse3", x86.HasSSSE3}, path{"sse2", x86.HasSSE2}),
		}
	case "arm64":
		reedSolomon := first(
			path{"sve", has(cpuid.SVE) && sveBytes() <= 32}, // not for longer vectors
			path{"neon", has(cpuid.ASIMD)})
		return map[string]string{
			"reed-solomon-4+4":  reedSolomon,
			"reed-solomon-8+8":  reedSolomon,
			"reed-solomon-12+4": reedSolomon,
			"highwayhash":       first(path{"sve", arm.HasSVE && sveBytes() == 32}, path{"neon", arm.HasASIMD}),
			"blake2s":           "generic",
		}
	}
	return nil
}

// sveBytes is the length of this process's SVE vectors in bytes; 0 if there are none.
func sveBytes() int {
	const lengthBits = 0xffff // PR_SVE_VL_LEN_MASK; above are flags
	length, err := unix.PrctlRetInt(unix.PR_SVE_GET_VL, 0, 0, 0, 0)
	if err != nil {
		return 0
	}
	return length & lengthBits
}
