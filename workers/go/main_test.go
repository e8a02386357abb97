package main

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"sizeup/gokit/protocol"
)

const quick = "aes-128-gcm-seal-8KiB/go"

func TestALaunchGoesThroughPrepareMeasureAndFinish(t *testing.T) {
	answers, status := converse(t, sampleRequest(t, quick, 1).line(), aWindow.line(), aWindow.line(), aFinish.line())
	if status != 0 || len(answers) != 4 {
		t.Fatalf("status %d, answers %+v", status, answers)
	}
	ready, done := answers[0], answers[3]
	if ready.Answer != "ready" || ready.Protocol != 1 || *ready.BytesPerOp != 8192 ||
		ready.BatchOps < 1 || ready.ClockCostNS < 1 || ready.ResidentBytes <= 0 || ready.Verified == "" {
		t.Errorf("ready is %+v", ready)
	}
	counted := answers[1].Threads[0].Ops + answers[2].Threads[0].Ops
	if done.Answer != "done" || done.Windows != 2 || done.Ops != counted || done.Verified != ready.Verified {
		t.Errorf("done is %+v after %d ops", done, counted)
	}
}

func TestAReadyTellsTheOutputOfEveryOp(t *testing.T) {
	answers, _ := converse(t, sampleRequest(t, quick, 2).line())
	const sealed = 8192 + 16 // the message and its tag
	ready := answers[0]
	if ready.OutputBytes == nil || *ready.OutputBytes != sealed || *ready.OutputSHA256 != knownSeals["aes-128-gcm 8192 13"] {
		t.Errorf("ready is %+v", ready)
	}
}

func TestAReadyTellsNoOutputWhereOpsMakeDifferentOnes(t *testing.T) {
	// The nonce in front of the block is drawn anew; the length stays the same.
	answers, _ := converse(t, sampleRequest(t, "encrypt-AES256-GCM-HMAC-SHA256/go", 1).line())
	if ready := answers[0]; ready.Answer != "ready" || ready.OutputSHA256 != nil || ready.OutputBytes != nil {
		t.Errorf("ready is %+v", ready)
	}
}

func TestParametersThatAreNotTheWorkloadsAreRefused(t *testing.T) {
	for id, parameters := range map[string]string{
		"regexp-easy-256KiB/go":    `{"pattern":"["}`,
		"rsa2048-sign/go":          `{"primes":4}`,
		"aes-128-gcm-seal-8KiB/go": `{"message_bytes":0,"ad_bytes":0}`,
		"gzip-8-digits/go":         `{"level":10}`,
		"gunzip-digits/go":         `{"level":0}`,
		"html-escape/go":           `{"level":1}`,
		"ecdsa-p256-sign/go":       `{"curve":"P-256"}`,
	} {
		t.Run(id, func(t *testing.T) {
			request := sampleRequest(t, id, 1).with("parameters", json.RawMessage(parameters))
			mustRefuse(t, protocol.KindBadRequest, "parameters", request.line())
		})
	}
}

func TestAnInputThatTheWorkloadDoesNotTakeIsRefused(t *testing.T) {
	file := storeInput(t, "page", sampleInput(t, "page"))
	request := sampleRequest(t, quick, 1).with("inputs", map[string]any{"page": inputFields(file)})
	mustRefuse(t, protocol.KindBadRequest, `"page"`, request.line())
}

func TestAnUnknownWorkloadIsNamed(t *testing.T) {
	request := sampleRequest(t, quick, 1).with("workload", "brotli-5/brotli")
	mustRefuse(t, protocol.KindUnknownWorkload, "brotli-5/brotli", request.line())
}

// Of the suite edge; the harness's tests plant one in every workload, each in a
// process of its own, which gives its memory back.
func TestAPlantedMistakeIsFound(t *testing.T) {
	for _, w := range edgeWorkloads {
		t.Run(w.id, func(t *testing.T) {
			for _, seed := range []int64{0, 1<<63 - 1} {
				request := sampleRequest(t, w.id, 1).with("plant", "wrong-answer").with("seed", seed)
				mustRefuse(t, protocol.KindWrongAnswer, w.id, request.line())
			}
		})
	}
}

func TestTheReceiptListsWhatTheRegistryHas(t *testing.T) {
	var out bytes.Buffer
	if status := run([]string{"--list"}, nil, &out, io.Discard); status != 0 {
		t.Fatalf("status %d: %s", status, out.String())
	}
	var receipt answerTo
	if err := json.Unmarshal(out.Bytes(), &receipt); err != nil {
		t.Fatal(err)
	}
	if receipt.Answer != "list" || receipt.Protocol != 1 || len(receipt.Workloads) != len(registry) {
		t.Errorf("receipt %+v", receipt)
	}
	for _, name := range libraryNames {
		if receipt.Build.Libraries[name] == "" {
			t.Errorf("no version of %s", name)
		}
	}
}

func TestAnyOtherCallIsAUsageError(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"--list", "--list"}, {""}} {
		var out, talk bytes.Buffer
		status := run(args, nil, &out, &talk)
		if status != 2 || out.Len() > 0 || !strings.Contains(talk.String(), "usage") {
			t.Errorf("%q: status %d, stdout %q, stderr %q", args, status, out.String(), talk.String())
		}
	}
}
