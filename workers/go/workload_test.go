package main

import (
	"bytes"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"sizeup/gokit/protocol"
)

func TestEveryWorkloadHasParametersHere(t *testing.T) {
	for _, w := range registry {
		if _, ok := sampleParameters[w.id]; !ok {
			t.Errorf("%s: add its parameters to sampleParameters", w.id)
		}
	}
	if len(sampleParameters) != len(registry) {
		t.Errorf("parameters for %d workloads, %d in the registry", len(sampleParameters), len(registry))
	}
}

func TestNoWorkloadIsListedTwice(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range registry {
		if seen[w.id] {
			t.Errorf("%s is listed twice", w.id)
		}
		seen[w.id] = true
	}
}

func planOf(t *testing.T, w workload) *plan {
	t.Helper()
	plan, err := w.plan(sampleJob(t, w.id))
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// instantiate makes one instance of a workload.
func instantiate(t *testing.T, w workload) (*plan, instance) {
	t.Helper()
	plan := planOf(t, w)
	inst, err := plan.instantiate()
	if err != nil {
		t.Fatal(err)
	}
	return plan, inst
}

// mostStorageBytes is the most that a test works on of erasure coding, AEADs and
// hashes: their larger sizes are the same code, and the harness's tests launch
// every workload.
const mostStorageBytes = 16 << 20

// One instance serves all of a workload's checks: some take seconds to make.
func TestEveryWorkload(t *testing.T) {
	workloads := registry
	if testing.Short() {
		workloads = edgeWorkloads
	}
	for _, w := range workloads {
		if slices.ContainsFunc(storageWorkloads, func(s workload) bool { return s.id == w.id }) &&
			planOf(t, w).bytesPerOp > mostStorageBytes {
			continue
		}
		t.Run(w.id, func(t *testing.T) {
			// The next needs as much, and the collector would let both lie.
			defer debug.FreeOSMemory()
			plan, inst := instantiate(t, w)
			if plan.verified == "" || len(plan.libraries) == 0 {
				t.Error("the plan does not say what is verified, or of what library")
			}
			// Again and again, as an instance is used.
			if err := inst.Op(); err != nil {
				t.Fatal(err)
			}
			if _, err := verifyTwice(inst, -1); err != nil {
				t.Fatal(err)
			}
			output, err := inst.Output()
			if err != nil {
				t.Fatal(err)
			}
			noticesAChangedBit(t, inst, output)
			noticesAMissingAndAnAddedByte(t, inst, output)
			if err := inst.Check(output); err != nil {
				t.Errorf("the output as it was made: %v", err)
			}
			theLastAnswerIsWiped(t, inst)
		})
	}
}

func noticesAChangedBit(t *testing.T, inst instance, output []byte) {
	t.Helper()
	for _, bit := range someBits(len(output)) {
		output[bit/8] ^= 1 << (bit % 8)
		if inst.Check(output) == nil {
			t.Errorf("bit %d of byte %d was flipped, and the check passed", bit%8, bit/8)
		}
		output[bit/8] ^= 1 << (bit % 8)
	}
}

func noticesAMissingAndAnAddedByte(t *testing.T, inst instance, output []byte) {
	t.Helper()
	if inst.Check(output[:len(output)-1]) == nil {
		t.Error("the last byte is missing, and the check passed")
	}
	if inst.Check(append(bytes.Clone(output), 0)) == nil {
		t.Error("a byte was added, and the check passed")
	}
}

// someBits is every bit of a short output; of a long one those of its first and
// last bytes and some between, the same in every run; of a very long one, which
// takes long to check, a few.
func someBits(length int) (bits []int) {
	edge, between := 24, 64
	if length > 1<<20 {
		edge, between = 1, 4
	}
	if length <= 4*edge {
		for bit := range 8 * length {
			bits = append(bits, bit)
		}
		return bits
	}
	for bit := range 8 * edge {
		bits = append(bits, bit, 8*length-1-bit)
	}
	draw := rand.New(rand.NewPCG(1, 2))
	for range between {
		bits = append(bits, draw.IntN(8*length))
	}
	return bits
}

func TestBytesPerOpAreThoseOfTheOpsOwnInput(t *testing.T) {
	for id, expected := range map[string]int64{
		"regexp-hard-256KiB/go":                        262_144,
		"ecdsa-p256-sign/go":                           0,
		"rsa2048-sign/go":                              0,
		"aes-128-gcm-seal-8KiB/go":                     8_192,
		"html-escape/go":                               400_000,
		"html-unescape/go":                             580_000,
		"gzip-8-text/go":                               387_851,
		"gunzip-digits/go":                             100_003,
		"gunzip-page-gz/klauspost":                     29_329,
		"unzstd-text-zst/klauspost":                    387_851,
		"sha-512-1MiB/go":                              1_048_576,
		"rsa3072-verify/go":                            0,
		"x25519-derive/go":                             0,
		"replacer-generic/go":                          3_400,
		"replacer-byte-to-byte/go":                     200,
		"replacer-byte-to-string/go":                   200,
		"reed-solomon-12+4-1MiB/klauspost":             12 << 20,
		"reed-solomon-12+4-reconstruct-1MiB/klauspost": 12 << 20,
		"highwayhash-256-5MiB/minio":                   5 << 20,
		"split-buzhash-128K/rollinghash":               32 << 20,
		"decompress-zstd-edited-text/klauspost":        8 << 20,
		"hash-HMAC-SHA224/go":                          1 << 20,
		"ecc-rs-crc32-5%-repair/klauspost":             10 << 20,
	} {
		t.Run(id, func(t *testing.T) {
			w, err := findWorkload(id)
			if err != nil {
				t.Fatal(err)
			}
			plan, err := w.plan(sampleJob(t, id))
			if err != nil {
				t.Fatal(err)
			}
			if plan.bytesPerOp != expected {
				t.Errorf("%d bytes, not %d", plan.bytesPerOp, expected)
			}
		})
	}
}

func TestATimedOpDoesNotAllocateWhatTheLibraryDoesNotNeed(t *testing.T) {
	// Those whose library needs nothing new for an op, nor takes it from a pool
	// that the collector may have emptied.
	for _, id := range []string{
		"aes-128-gcm-seal-8KiB/go", "chacha20-poly1305-seal-8KiB/go", "gzip-8-digits/go",
		"sha-256-16KiB/go", "sha3-256-16KiB/go", "blake2b-256-16KiB/x-crypto", "blake3-16KiB/zeebo",
		"crc32-64KiB/go", "xxh3-64KiB/zeebo", "gzip-reused-6/klauspost", "zstd-3-text/klauspost",
		"unzstd-text-zst/klauspost",
		"highwayhash-256-1MiB/minio", "hash-BLAKE2B-256-128/x-crypto", "hash-BLAKE3-256/zeebo", "hash-HMAC-SHA3-256/go",
		"split-buzhash-128K/rollinghash", "split-rabinkarp-8M/rollinghash", "compress-lz4-random/pierrec",
		"compress-gzip-best-speed-random/go", "ecc-rs-crc32-1%-decode/klauspost",
	} {
		t.Run(id, func(t *testing.T) {
			w, err := findWorkload(id)
			if err != nil {
				t.Fatal(err)
			}
			_, inst := instantiate(t, w)
			perOp := testing.AllocsPerRun(3, func() {
				if err := inst.Op(); err != nil {
					t.Fatal(err)
				}
			})
			if perOp > 0 {
				t.Errorf("%v allocations an op", perOp)
			}
		})
	}
}

func TestAnEndingMatchesItsPattern(t *testing.T) {
	for pattern, ending := range map[string]string{
		`abc$`:         "abc",
		`[x-z]a+(b|c)`: "xab",
		`.{3}q*r?`:     "aaa",
	} {
		if got, err := endingFor(pattern); err != nil || got != ending {
			t.Errorf("%s: %q (%v), not %q", pattern, got, err, ending)
		}
	}
}

func TestAPatternThatDependsOnItsSurroundingsIsRefused(t *testing.T) {
	for _, pattern := range []string{`^abc`, `\babc`, `(?m)^abc`} {
		if _, err := endingFor(pattern); err == nil || !strings.Contains(err.Error(), "text of its own") {
			t.Errorf("%s: %v", pattern, err)
		}
	}
}

func TestAMatchingTextIsAWrongAnswer(t *testing.T) {
	job := sampleJob(t, "regexp-easy-256KiB/go")
	job.raw = []byte(`{"pattern":"[ -~]"}`)
	plan, err := planRegexp("regex-text-256KiB")(job)
	if err != nil {
		t.Fatal(err)
	}
	inst, err := plan.instantiate()
	if err != nil {
		t.Fatal(err)
	}
	if inst.Op() == nil {
		t.Error("the op succeeded")
	}
	if _, err := verify(inst, -1); err == nil {
		t.Error("the check passed")
	}
}

func TestParametersWithoutAKnownAnswerAreRefused(t *testing.T) {
	for id, parameters := range map[string]string{
		"sha-256-16KiB/go":        `{"message_bytes":16385}`,
		"rsa3072-verify/go":       `{"bits":4096}`,
		"rsa3072-sign/go":         `{"primes":2}`,
		"gzip-reused-6/klauspost": `{"level":0}`,
		"zstd-3-text/klauspost":   `{"level":23}`,
		"gunzip-page-gz/go":       `{"level":6}`,
	} {
		w, err := findWorkload(id)
		if err != nil {
			t.Fatal(err)
		}
		job := sampleJob(t, id)
		job.raw = []byte(parameters)
		if _, err := w.plan(job); err == nil || protocol.AsFault(err, protocol.KindInternal).Kind != protocol.KindBadRequest {
			t.Errorf("%s with %s: %v", id, parameters, err)
		}
	}
}

func TestACompressorMakesTheSameStreamOpAfterOp(t *testing.T) {
	// Encoders keep tables and positions from op to op, and start them anew now and then.
	for _, id := range []string{"gzip-reused-1/klauspost", "zstd-3-text/klauspost"} {
		t.Run(id, func(t *testing.T) {
			w, err := findWorkload(id)
			if err != nil {
				t.Fatal(err)
			}
			_, inst := instantiate(t, w)
			for range 300 {
				if err := inst.Op(); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := verify(inst, -1); err != nil {
				t.Error(err)
			}
		})
	}
}
