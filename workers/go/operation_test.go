package main

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"sizeup/gokit/protocol"
	"sizeup/gokit/work"
)

func TestNoOperationIsListedTwice(t *testing.T) {
	seen := map[string]bool{}
	for _, op := range registry {
		if seen[op.Name] {
			t.Errorf("%s is listed twice", op.Name)
		}
		seen[op.Name] = true
	}
}

// One instance serves all checks of a trial: some take long to make.
func TestEveryOperation(t *testing.T) {
	for _, op := range operationsToTest() {
		for _, s := range trialsOf(t, op) {
			t.Run(s.operation+s.parameters, func(t *testing.T) {
				plan := s.plan(t)
				if plan.Verified == "" || len(plan.Libraries) == 0 {
					t.Error("the plan does not name what is verified, or its libraries")
				}
				inst, err := plan.Instantiate()
				if err != nil {
					t.Fatal(err)
				}
				everythingIsChecked(t, inst)
			})
		}
	}
}

// everythingIsChecked uses an instance repeatedly, and leaves it broken.
func everythingIsChecked(t *testing.T, inst instance) {
	t.Helper()
	if err := inst.Op(); err != nil {
		t.Fatal(err)
	}
	if _, err := work.VerifyTwice(inst, -1); err != nil {
		t.Fatal(err)
	}
	output, err := inst.Output()
	if err != nil {
		t.Fatal(err)
	}
	noticesAChangedBit(t, inst, output)
	noticesAMissingAndAnAddedByte(t, inst, output)
	if err := inst.Check(output); err != nil {
		t.Errorf("the unchanged output: %v", err)
	}
	theLastAnswerIsWiped(t, inst)
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

// someBits is every bit of a short output; for a long one those of its first and last bytes and
// some between, the same in every run; for a very long one, which takes long to check, a few.
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

func TestBytesPerOpAreTheOpsOwnInput(t *testing.T) {
	for s, expected := range map[trial]int64{
		{"regexp/go", `{"pattern":"a$"}`}:                                    32_768,
		{"ecdsa-p256-sign/go", `{}`}:                                         0,
		{"rsa-verify/go", `{"bits":3072}`}:                                   0,
		{"x25519-derive/go", `{}`}:                                           0,
		quick:                                                                8_192,
		{"html-escape/go", `{}`}:                                             40_000,
		{"html-unescape/go", `{}`}:                                           58_000,
		{"gzip-reused/klauspost", `{"level":6}`}:                             29_329,
		{"gunzip-own-reused/go", `{"level":8}`}:                              29_329,
		{"gunzip-reused/klauspost", `{}`}:                                    29_329,
		{"unzstd/klauspost", `{}`}:                                           29_329,
		{"hash/go", `{"algorithm":"sha-512","message_bytes":1000000}`}:       1_000_000,
		{"replacer-generic/go", `{}`}:                                        3_400,
		{"replacer-byte-to-byte/go", `{}`}:                                   200,
		{"replacer-byte-to-string/go", `{}`}:                                 200,
		{"reed-solomon-encode/klauspost", shardsOf(12, 4, 1<<20)}:            12 << 20,
		{"reed-solomon-reconstruct/klauspost", shardsOf(3, 2, 1000)}:         3_000,
		{"highwayhash-256/minio", `{"message_bytes":5,"data":"random-1"}`}:   5,
		{"decompress-lz4/pierrec", pieceOf("fast", 1, 70_000)}:               70_000,
		{"ecc-decode/klauspost", eccOf(5, 2_000_000, `"damaged_shards":1,`)}: 2_000_000,
		{"split/rollinghash", splitOf("buzhash", 3_000_000, 64<<10)}:         3_000_000,
		{"keyed-hash/go", `{"algorithm":"HMAC-SHA224","message_bytes":9,"digest_bytes":28,"data":"random-1"}`}: 9,
	} {
		if got := s.plan(t).BytesPerOp; got != expected {
			t.Errorf("%v: %d bytes, not %d", s, got, expected)
		}
	}
}

func TestATimedOpAllocatesNothingBeyondTheLibrarysNeeds(t *testing.T) {
	// Operations whose library allocates nothing for an op, and takes nothing from a pool that the
	// collector may have emptied.
	for _, s := range []trial{
		quick,
		{"aead-seal/x-crypto", `{"cipher":"chacha20-poly1305","message_bytes":8192,"ad_bytes":13}`},
		{"gzip-reused/go", `{"level":8}`},
		{"gzip-reused/klauspost", `{"level":6}`},
		{"hash/go", `{"algorithm":"sha-256","message_bytes":16384}`},
		{"hash/go", `{"algorithm":"sha3-256","message_bytes":16384}`},
		{"hash/x-crypto", `{"algorithm":"blake2b-256","message_bytes":16384}`},
		{"hash/zeebo", `{"algorithm":"blake3","message_bytes":16384}`},
		{"crc32/go", `{"message_bytes":65536}`},
		{"xxh3/zeebo", `{"message_bytes":65536}`},
		{"zstd/klauspost", `{"level":3}`},
		{"unzstd/klauspost", `{}`},
		{"highwayhash-256/minio", `{"message_bytes":1048576,"data":"random-1"}`},
		{"keyed-hash/x-crypto", `{"algorithm":"BLAKE2B-256-128","message_bytes":1048576,"digest_bytes":16,"data":"random-1"}`},
		{"keyed-hash/zeebo", `{"algorithm":"BLAKE3-256","message_bytes":1048576,"digest_bytes":32,"data":"random-1"}`},
		{"keyed-hash/go", `{"algorithm":"HMAC-SHA3-256","message_bytes":1048576,"digest_bytes":32,"data":"random-1"}`},
		{"split/rollinghash", splitOf("buzhash", 4<<20, 128<<10)},
		{"split/rollinghash", splitOf("rabinkarp", 4<<20, 2<<20)},
		{"compress-lz4/pierrec", pieceOf("fast", 1, 8<<20)},
		{"compress-gzip/go", pieceOf("best-speed", 1, 1<<20)},
		{"ecc-decode/klauspost", eccOf(1, 10<<20, `"damaged_shards":0,`)},
	} {
		inst := s.instance(t)
		perOp := testing.AllocsPerRun(3, func() {
			if err := inst.Op(); err != nil {
				t.Fatal(err)
			}
		})
		if perOp > 0 {
			t.Errorf("%v: %v allocations an op", s, perOp)
		}
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
		if _, err := endingFor(pattern); err == nil || !strings.Contains(err.Error(), "surrounding text") {
			t.Errorf("%s: %v", pattern, err)
		}
	}
}

func TestAMatchingTextIsAWrongAnswer(t *testing.T) {
	inst := trial{"regexp/go", `{"pattern":"[ -~]"}`}.instance(t)
	if inst.Op() == nil {
		t.Error("the op succeeded")
	}
	if _, err := work.Verify(inst, -1); err == nil {
		t.Error("the check passed")
	}
}

func TestParametersThatExcludeEachOtherAreRefused(t *testing.T) {
	for _, s := range []trial{
		{"rsa-sign/go", `{"bits":3072,"primes":3}`},
		{"keyed-hash/go", `{"algorithm":"HMAC-SHA224","message_bytes":9,"digest_bytes":32,"data":"random-1"}`},
		{"reed-solomon-encode/klauspost", shardsOf(255, 2, 1000)},
		{"ecc-encode/klauspost", strings.Replace(eccOf(5, 2<<20, ""), ":128", ":129", 1)},
		{"ecc-decode/klauspost", eccOf(5, 2<<20, `"damaged_shards":3,`)},
		{"regexp/go", `{"pattern":"["}`},
	} {
		_, err := s.tryPlan(t)
		f := protocol.AsFault(err, "")
		if f.Kind != protocol.KindBadRequest || !strings.HasPrefix(f.Message, "parameters: ") {
			t.Errorf("%v: %v", s, err)
		}
	}
}

func TestACompressorMakesTheSameStreamInEveryOp(t *testing.T) {
	// Encoders keep tables and positions from op to op, and reset them now and then.
	for _, s := range []trial{{"gzip-reused/klauspost", `{"level":1}`}, {"zstd/klauspost", `{"level":3}`}} {
		inst := s.instance(t)
		for range 300 {
			if err := inst.Op(); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := work.Verify(inst, -1); err != nil {
			t.Error(s, err)
		}
	}
}
