package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"

	"sizeup/worker-serve/internal/drive"
)

var testParameters = pageParameters{
	answer: "page", tls: "1.2", cipher: "ECDHE-ECDSA-AES128-GCM-SHA256", curve: "X25519",
}

// answered is a correct answer of the server at a time.
func answered(t *testing.T, made time.Time) *drive.Fetched {
	t.Helper()
	var compressed bytes.Buffer
	writer := brotli.NewWriter(&compressed)
	_, err := fmt.Fprintf(writer, "%s<!-- made at %d.%03d -->", testMinified, made.Unix(), made.UnixMilli()%1000)
	if err != nil || writer.Close() != nil {
		t.Fatal("brotli: ", err)
	}
	return &drive.Fetched{
		Protocol: "HTTP/1.1", TLS: "TLS 1.2", Cipher: "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", Curve: "X25519",
		Status: 200, ContentType: "text/html", ContentEncoding: "br", Body: compressed.Bytes(),
	}
}

func TestACorrectAnswerPassesAndEveryFlippedBitIsFound(t *testing.T) {
	now := time.Now()
	output, err := outputOf(answered(t, now), "page", now.Add(time.Second))
	if err != nil {
		t.Fatal(err)
	}
	expected := testParameters.expect([]byte(testPage))
	if err := expected.check(output); err != nil {
		t.Fatal(err)
	}
	for bit := range 8 * len(output) {
		output[bit/8] ^= 1 << (bit % 8)
		if expected.check(output) == nil {
			t.Errorf("bit %d was flipped, and the check passed", bit)
		}
		output[bit/8] ^= 1 << (bit % 8)
	}
	for _, other := range [][]byte{output[:len(output)-1], append(bytes.Clone(output), 0)} {
		if expected.check(other) == nil {
			t.Error("an answer of another length passes")
		}
	}
}

func TestAStalePageIsRefused(t *testing.T) {
	now := time.Now()
	for _, age := range []time.Duration{11 * time.Second, -11 * time.Second, time.Hour} {
		if _, err := outputOf(answered(t, now.Add(-age)), "page", now); err == nil {
			t.Errorf("a page that was made %v ago passes", age)
		}
	}
}

func TestMinifyingDropsLineBreaksAndRunsOfSpacesAndNothingElse(t *testing.T) {
	if got := minified([]byte(testPage)); string(got) != testMinified {
		t.Errorf("%q", got)
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		page := make([]byte, random.IntN(60))
		for i := range page {
			page[i] = " \n\rab\t"[random.IntN(6)]
		}
		// By the definition, one rule after the other.
		small := strings.NewReplacer("\r", "", "\n", "").Replace(string(page))
		for strings.Contains(small, "  ") {
			small = strings.ReplaceAll(small, "  ", " ")
		}
		if got := minified(page); string(got) != small {
			t.Errorf("%q becomes %q, not %q", page, got, small)
		}
	}
}

func TestTheStaircaseGoesUpBelowTheLimitAndDownAboveIt(t *testing.T) {
	s := &staircase{ratePer1000S: 100_000, limitNS: 50_000_000}
	fast := &drive.Result{Ops: 100, DueOps: 100, Latency: [][2]int64{{1_000_000, 99}, {900_000_000, 1}}}
	slow := &drive.Result{Ops: 100, DueOps: 100, Latency: [][2]int64{{1_000_000, 98}, {60_000_000, 2}}}
	behind := &drive.Result{Ops: 90, DueOps: 100, Latency: [][2]int64{{1_000_000, 100}}}
	s.climb(fast)
	if s.ratePer1000S != 102_000 {
		t.Error(s.ratePer1000S)
	}
	s.climb(slow)
	if s.ratePer1000S != 100_000 {
		t.Error(s.ratePer1000S)
	}
	s.climb(behind)
	if s.ratePer1000S >= 100_000 {
		t.Error("a rate that was not kept counts as a success")
	}
}
