package main

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"sizeup/gokit/protocol"
)

func TestALaunchGoesThroughPrepareMeasureAndFinish(t *testing.T) {
	answers, status := converse(t, quick.request(t, 1).line(), aSample.line(), aSample.line(), aFinish.line())
	if status != 0 || len(answers) != 4 {
		t.Fatalf("status %d, answers %+v", status, answers)
	}
	ready, done := answers[0], answers[3]
	if ready.Answer != "ready" || ready.Protocol != 1 || *ready.BytesPerOp != 8192 ||
		ready.BatchOps < 1 || ready.ClockCostNS < 1 || ready.ResidentBytes <= 0 || ready.Verified == "" {
		t.Errorf("ready is %+v", ready)
	}
	counted := answers[1].Threads[0].Ops + answers[2].Threads[0].Ops
	if done.Answer != "done" || done.Samples != 2 || done.Ops != counted || done.Verified != ready.Verified {
		t.Errorf("done is %+v after %d ops", done, counted)
	}
}

func TestAReadyDescribesTheOutputOfEveryOp(t *testing.T) {
	answers, _ := converse(t, quick.request(t, 2).line())
	const sealedBytes = 8192 + 16 // the message and its tag
	ready := answers[0]
	if ready.OutputBytes == nil || *ready.OutputBytes != sealedBytes || *ready.OutputSHA256 != knownSeals[sealed{"aes-128-gcm", 8192, 13}] {
		t.Errorf("ready is %+v", ready)
	}
}

func TestAReadyHasNoOutputIfOpsMakeDifferentOnes(t *testing.T) {
	// The nonce in front of the block is random; the length stays the same.
	encrypt := trial{"encrypt/go",
		`{"algorithm":"AES256-GCM-HMAC-SHA256","message_bytes":1000,"gather_bytes":65536,"data":"random-1"}`}
	answers, _ := converse(t, encrypt.request(t, 1).line())
	if ready := answers[0]; ready.Answer != "ready" || ready.OutputSHA256 != nil || ready.OutputBytes != nil {
		t.Errorf("ready is %+v", ready)
	}
}

func TestParametersOutsideTheDeclarationAreRefused(t *testing.T) {
	for operation, parameters := range map[string]string{
		"rsa-sign/go":          `{"bits":3072,"primes":3}`,
		"aead-seal/go":         `{"cipher":"aes-128-gcm","message_bytes":0,"ad_bytes":0}`,
		"rsa-verify/go":        `{"bits":8192}`,
		"gzip-reused/go":       `{"level":10}`,
		"gunzip-own-reused/go": `{"level":0}`,
		"html-escape/go":       `{"level":1}`,
		"ecdsa-p256-sign/go":   `{"curve":"P-256"}`,
		"regexp/go":            `{"pattern":["a"]}`,
	} {
		request := quick.request(t, 1).with("operation", operation).with("parameters", json.RawMessage(parameters))
		answers, status := converse(t, request.line())
		if last := answers[0]; status != 1 || last.Kind != protocol.KindBadRequest || !strings.HasPrefix(last.Message, "parameters: ") {
			t.Errorf("%s with %s: %+v", operation, parameters, last)
		}
	}
}

func TestAnInputThatTheOperationDoesNotTakeIsRefused(t *testing.T) {
	file := storeInput(t, "page", []byte("some text"))
	request := quick.request(t, 1).with("inputs", map[string]any{"page": inputFields(file)})
	mustRefuse(t, protocol.KindBadRequest, `"page"`, request.line())
}

func TestAnUnknownOperationIsNamed(t *testing.T) {
	mustRefuse(t, protocol.KindUnknownOperation, "brotli/brotli", quick.request(t, 1).with("operation", "brotli/brotli").line())
}

// With the first parameters only; the harness's tests inject a wrong answer in every workload, each
// in a process of its own.
func TestAnInjectedWrongAnswerIsFound(t *testing.T) {
	for _, op := range operationsToTest() {
		t.Run(op.Name, func(t *testing.T) {
			s := trialsOf(t, op)[0]
			for _, seed := range []int64{0, 1<<63 - 1} {
				request := s.request(t, 1).with("inject", "wrong-answer").with("seed", seed)
				mustRefuse(t, protocol.KindWrongAnswer, op.Name, request.line())
			}
		})
	}
}

func TestTheManifestListsTheRegistry(t *testing.T) {
	var out bytes.Buffer
	if status := run([]string{"--list"}, nil, &out, io.Discard); status != 0 {
		t.Fatalf("status %d: %s", status, out.String())
	}
	var manifest answerTo
	if err := json.Unmarshal(out.Bytes(), &manifest); err != nil {
		t.Fatal(err)
	}
	if manifest.Answer != "list" || manifest.Protocol != 1 || len(manifest.Operations) != len(registry) {
		t.Errorf("manifest %+v", manifest)
	}
	for _, name := range libraryNames {
		if manifest.Build.Libraries[name] == "" {
			t.Errorf("no version of %s", name)
		}
	}
}

func TestAnyOtherCallIsAUsageError(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"--list", "--list"}, {""}} {
		var out, diagnostics bytes.Buffer
		status := run(args, nil, &out, &diagnostics)
		if status != 2 || out.Len() > 0 || !strings.Contains(diagnostics.String(), "usage") {
			t.Errorf("%q: status %d, stdout %q, stderr %q", args, status, out.String(), diagnostics.String())
		}
	}
}
