package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sizeup/gokit/protocol"
	"sizeup/gokit/work"
)

// Parameters of these families as in tables, in JSON.

func shardsOf(data, parity, bytes int) string {
	return fmt.Sprintf(`{"data_shards":%d,"parity_shards":%d,"shard_bytes":%d,"data":"random-1"}`, data, parity, bytes)
}

func splitOf(algorithm string, block, average int) string {
	return fmt.Sprintf(`{"algorithm":%q,"block_bytes":%d,"average_bytes":%d,"window_bytes":64,"data":"random-1"}`,
		algorithm, block, average)
}

// eccOf takes the damage as a field with its comma.
func eccOf(overhead, block int, damage string) string {
	shape := eccShapeFor(overhead)
	return fmt.Sprintf(`{"overhead_percent":%d,"data_shards":%d,"parity_shards":%d,"shard_bytes":%d,"block_bytes":%d,%s`+
		`"gather_bytes":65536,"data":"random-1"}`, overhead, shape.dataShards, shape.parityShards, shape.shardBytes, block, damage)
}

// pieceOf is a piece of random bytes.
func pieceOf(level string, concurrency, bytes int) string {
	return fmt.Sprintf(`{"level":%q,"concurrency":%d,"piece_bytes":%d,"gather_bytes":65536,"data":"random-1"}`,
		level, concurrency, bytes)
}

// mostPinnedBytes is the most that a test works on: larger sizes run the same code, and the
// harness's tests launch every workload.
func mostPinnedBytes() int {
	if testing.Short() {
		return 1 << 20
	}
	return 32 << 20
}

// isQuickest tells whether a stream is of its format's quickest level: others run the same checks, and the harness's tests
// launch every workload.
func isQuickest(s stream) bool {
	return slices.Contains([]string{"best-speed", "fast", "fastest"}, s.level) || s.format == "s2/klauspost" && s.level == "default"
}

// pinnedTrials is a trial for every pinned answer that is tried here.
func pinnedTrials() (trials []trial) {
	add := func(bytes int, operation, format string, args ...any) {
		if bytes <= mostPinnedBytes() {
			trials = append(trials, trial{operation, fmt.Sprintf(format, args...)})
		}
	}
	for h := range knownDigests {
		operation, algorithm := "hash/go", fmt.Sprintf(`"algorithm":%q,`, h.algorithm)
		switch h.algorithm {
		case "blake2b-256":
			operation = "hash/x-crypto"
		case "blake3":
			operation = "hash/zeebo"
		case "crc32", "crc32c":
			operation, algorithm = h.algorithm+"/go", ""
		case "xxh3":
			operation, algorithm = "xxh3/zeebo", ""
		}
		add(h.messageBytes, operation, `{%s"message_bytes":%d}`, algorithm, h.messageBytes)
	}
	for s := range knownSeals {
		add(s.messageBytes, "aead-seal/go", `{"cipher":%q,"message_bytes":%d,"ad_bytes":%d}`, s.cipher, s.messageBytes, s.adBytes)
	}
	for h := range knownHashes {
		if h.algorithm == highwayHash.name {
			add(h.messageBytes, "highwayhash-256/minio", `{"message_bytes":%d,"data":"random-1"}`, h.messageBytes)
			continue
		}
		choice := named(keyedHashes, h.algorithm)
		add(h.messageBytes, "keyed-hash/"+implementationOf[choice.library],
			`{"algorithm":%q,"message_bytes":%d,"digest_bytes":%d,"data":"random-1"}`, h.algorithm, h.messageBytes, choice.bytes)
	}
	for c := range knownCuts {
		add(knownBlock, "split/rollinghash", "%s", splitOf(c.algorithm, knownBlock, c.averageBytes))
	}
	for s := range knownParities {
		for _, operation := range []string{"reed-solomon-encode/klauspost", "reed-solomon-reconstruct/klauspost"} {
			add(s.dataShards*s.shardBytes, operation, "%s", shardsOf(s.dataShards, s.parityShards, s.shardBytes))
		}
	}
	for overhead := range knownStored {
		add(knownECCBlock, "ecc-encode/klauspost", "%s", eccOf(overhead, knownECCBlock, ""))
	}
	for s := range knownStreams {
		if !isQuickest(s) {
			continue
		}
		concurrency := 0
		if f := formatNamed(s.format); f.concurrency.From == nil {
			concurrency = 1
		}
		for _, verb := range []string{"compress-", "decompress-"} {
			add(knownBytes, verb+s.format, `{"level":%q,"concurrency":%d,"piece_bytes":%d,"gather_bytes":65536,"data":%q}`,
				s.level, concurrency, knownBytes, s.data)
		}
	}
	return trials
}

var implementationOf = map[string]string{libraryGo: "go", libraryXCrypto: "x-crypto", libraryBlake3: "zeebo"}

func formatNamed(name string) format {
	for _, f := range formats {
		if f.name == name {
			return f
		}
	}
	panic("there is no format " + name)
}

func TestPinnedAnswersAreReproducedAndDetectAFlippedBit(t *testing.T) {
	for _, s := range pinnedTrials() {
		if testing.Short() && !isShortlisted(s.find(t)) {
			continue
		}
		t.Run(s.operation+s.parameters, func(t *testing.T) {
			inst := s.instance(t)
			if _, err := work.Verify(inst, -1); err != nil {
				t.Fatal(err)
			}
			if _, err := work.Verify(inst, 1<<40+12_345); err == nil {
				t.Error("a bit was flipped, and the check passed")
			}
		})
	}
}

// Where no answer is pinned, a second method replaces it: here it must reproduce the pinned ones.
func TestMessagesInPiecesHaveThePinnedHashes(t *testing.T) {
	digests := []digestChoice{
		sha1Digest, sha256Digest, sha512Digest, sha3Digest, blake2bDigest, blake3Digest, crc32Digest, crc32cDigest, xxh3Digest,
	}
	for h, pinned := range knownDigests {
		made := hashInPieces(named(digests, h.algorithm).stream(), counting(h.messageBytes))
		if err := mustEqual(h.algorithm, made, unhex(pinned)); err != nil {
			t.Errorf("%+v: %v", h, err)
		}
	}
	for h, pinned := range knownHashes {
		if h.messageBytes > mostPinnedBytes() {
			continue
		}
		made, err := named(append(keyedHashes, highwayHash), h.algorithm).inPieces(random(h.messageBytes))
		if err != nil {
			t.Fatal(err)
		}
		if err := mustEqual(h.algorithm, made, unhex(pinned)); err != nil {
			t.Errorf("%+v: %v", h, err)
		}
	}
}

func TestTheSecondMethodReproducesThePinnedBlocksAndCuts(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: slow, and its code is the same on all CPUs")
	}
	for overhead, pinned := range knownStored {
		if made, err := provenStored(eccShapeFor(overhead), knownECCBlock); err != nil || made != pinned {
			t.Errorf("overhead of %d %%: %s (%v), not %s", overhead, made, err, pinned)
		}
	}
	for _, hash := range rollingHashes {
		c := cuts{hash.name, 512 << 10}
		made := newSplitShape(c.averageBytes).cutAnew(random(knownBlock), hash.places())
		if digest := digestOfCuts(encodeCuts(made)); digest != knownCuts[c] {
			t.Errorf("%+v: %s, not %s", c, digest, knownCuts[c])
		}
	}
}

func TestSizesOutsideTablesWorkAndAnInjectedWrongAnswerIsFound(t *testing.T) {
	for _, s := range []trial{
		{"hash/go", `{"algorithm":"sha-256","message_bytes":5000}`},
		{"xxh3/zeebo", `{"message_bytes":1}`},
		{"aead-seal/go", `{"cipher":"chacha20-poly1305","message_bytes":70000,"ad_bytes":0}`},
		{"keyed-hash/zeebo", `{"algorithm":"BLAKE3-256-128","message_bytes":77777,"digest_bytes":16,"data":"random-1"}`},
		{"pipeline/kopia-libs", `{"hash":"BLAKE2S-128","encryption":"AES256-GCM-HMAC-SHA256","message_bytes":70000,` +
			`"gather_bytes":65536,"pack_bytes":100000,"data":"random-1"}`},
		{"gzip-reused/klauspost", `{"level":5}`},
		{"zstd/klauspost", `{"level":5}`},
		{"reed-solomon-encode/klauspost", shardsOf(3, 2, 64<<10)},
		{"reed-solomon-encode/klauspost", shardsOf(1, 1, 1)},
		{"reed-solomon-encode/klauspost", shardsOf(100, 156, 1001)},
		{"reed-solomon-reconstruct/klauspost", shardsOf(2, 5, 70_001)},
		{"split/rollinghash", splitOf("rabinkarp", 1_000_000, 64<<10)},
		{"compress-s2/klauspost", pieceOf("best", 3, 3_000_000)},
		{"decompress-zstd/klauspost", pieceOf("fastest", 1, 1)},
		{"ecc-encode/klauspost", eccOf(3, 1_234_567, "")},
		{"ecc-encode/klauspost", eccOf(100, 1<<20, "")},
		{"ecc-decode/klauspost", eccOf(7, 1<<20, `"damaged_shards":2,`)},
	} {
		if testing.Short() && !isShortlisted(s.find(t)) {
			continue
		}
		t.Run(s.operation+s.parameters, func(t *testing.T) {
			answers, _ := converse(t, s.request(t, 1).line(), aFinish.line())
			if ready := answers[0]; ready.Answer != "ready" || strings.Contains(ready.Verified, "known") {
				t.Errorf("%+v", ready)
			}
			for _, seed := range []int64{0, 4711, 1<<63 - 1} {
				injected := s.request(t, 1).with("inject", "wrong-answer").with("seed", seed)
				mustRefuse(t, protocol.KindWrongAnswer, s.operation, injected.line())
			}
		})
	}
}
