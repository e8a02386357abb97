package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
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

func TestAClosedStdinMeansFinish(t *testing.T) {
	answers, status := converse(t, sampleRequest(t, quick, 1).line(), aWindow.line())
	if last := answers[len(answers)-1]; status != 0 || last.Answer != "done" || last.Windows != 1 {
		t.Errorf("status %d, answer %+v", status, last)
	}
}

func TestNobodyNeedsToReadTheAnswerToAClosedStdin(t *testing.T) {
	if status := run(nil, strings.NewReader(""), unread{}, io.Discard); status != 0 {
		t.Errorf("status %d", status)
	}
	if status := run(nil, strings.NewReader(aFinish.line()+"\n"), unread{}, io.Discard); status != 1 {
		t.Errorf("status %d after an answer that someone waited for", status)
	}
}

// unread is a stdout that nobody reads.
type unread struct{}

func (unread) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestFinishMayComeFirst(t *testing.T) {
	for _, stdin := range []string{aFinish.line() + "\n", ""} { // asked for, or meant
		var out bytes.Buffer
		status := run(nil, strings.NewReader(stdin), &out, io.Discard)
		const expected = `{"answer":"done","verified":"nothing was prepared","windows":0,"ops":0}` + "\n"
		if status != 0 || out.String() != expected {
			t.Errorf("status %d, answer %s", status, out.String())
		}
	}
}

func TestALastLineNeedsNoNewline(t *testing.T) {
	var out bytes.Buffer
	status := run(nil, strings.NewReader(aFinish.line()), &out, io.Discard)
	if status != 0 || strings.Count(out.String(), "\n") != 1 {
		t.Errorf("status %d, answers %q", status, out.String())
	}
}

func TestMalformedLinesAreRefused(t *testing.T) {
	for name, c := range map[string]struct{ line, naming string }{
		"not JSON":          {`{"request":`, "not JSON"},
		"an empty line":     {``, "not JSON"},
		"not an object":     {`["finish"]`, "not a JSON object"},
		"two objects":       {`{"request":"finish"}{}`, "follows"},
		"not UTF-8":         {"{\"request\":\"fin\xffish\"}", "UTF-8"},
		"too long":          {`{"request":"finish","padding":"` + strings.Repeat("x", maxLine) + `"}`, "1048576"},
		"no request":        {`{}`, `"request"`},
		"unknown request":   {`{"request":"sing"}`, `"sing"`},
		"ill-typed request": {`{"request":1}`, `"request"`},
		"field of finish":   {`{"request":"finish","loudly":true}`, `"loudly"`},
		"field twice":       {`{"request":"finish","request":"finish"}`, "twice"},
		"wrong case":        {`{"Request":"finish"}`, `"request"`},
	} {
		t.Run(name, func(t *testing.T) { mustRefuse(t, kindBadRequest, c.naming, c.line) })
	}
}

func TestALineMayBeAsLongAsTheProtocolSays(t *testing.T) {
	padding := strings.Repeat(" ", maxLine-len(aFinish.line())-1)
	if answers, status := converse(t, aFinish.line()+padding); status != 0 {
		t.Errorf("a line of %d bytes: %+v", maxLine, answers)
	}
	mustRefuse(t, kindBadRequest, "longer", aFinish.line()+padding+" ")
}

func TestABadPrepareIsRefusedByName(t *testing.T) {
	good := sampleRequest(t, quick, 1)
	for name, c := range map[string]struct {
		request request
		naming  string
	}{
		"an unknown field":       {good.with("colour", 1), `"colour"`},
		"no workload":            {good.without("workload"), `"workload"`},
		"no parameters":          {good.without("parameters"), `"parameters"`},
		"no inputs":              {good.without("inputs"), `"inputs"`},
		"no protocol":            {good.without("protocol"), `"protocol"`},
		"a null":                 {good.with("seed", nil), `"seed"`},
		"no threads":             {good.with("threads", 0), "threads"},
		"too many threads":       {good.with("threads", 2049), "2048"},
		"half a thread":          {good.with("threads", 1.5), `"threads"`},
		"no CPU":                 {good.with("cpus", []int{}), "cpus"},
		"a negative CPU":         {good.with("cpus", []int{0, -1}), "cpus[1]"},
		"a null CPU":             {good.with("cpus", []any{nil}), "cpus[0]"},
		"a negative seed":        {good.with("seed", -1), "seed"},
		"too large a seed":       {good.with("seed", json.Number("9223372036854775808")), `"seed"`},
		"another plant":          {good.with("plant", "tulip"), "tulip"},
		"an empty plant":         {good.with("plant", ""), "plant"},
		"a missing parameter":    {good.with("parameters", map[string]int{"ad_bytes": 13}), `"message_bytes"`},
		"an extra parameter":     {good.with("parameters", map[string]int{"message_bytes": 1, "ad_bytes": 1, "x": 1}), `"x"`},
		"an ill-typed parameter": {good.with("parameters", map[string]any{"message_bytes": "1", "ad_bytes": 1}), `"message_bytes"`},
		"parameters as a list":   {good.with("parameters", []int{8192, 13}), "parameters"},
		"an unwanted input": {good.with("inputs", map[string]any{
			"page": map[string]any{"path": "x", "bytes": 1, "sha256": strings.Repeat("0", 64)},
		}), `"page"`},
		"an input without a path": {good.with("inputs", map[string]any{
			"page": map[string]any{"bytes": 1, "sha256": strings.Repeat("0", 64)},
		}), `"path"`},
		"an input with a short digest": {good.with("inputs", map[string]any{
			"page": map[string]any{"path": "x", "bytes": 1, "sha256": "00"},
		}), "sha256"},
	} {
		t.Run(name, func(t *testing.T) { mustRefuse(t, kindBadRequest, c.naming, c.request.line()) })
	}
}

func TestParametersOutOfRangeAreRefused(t *testing.T) {
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
			mustRefuse(t, kindBadRequest, "parameters", request.line())
		})
	}
}

func TestAnotherProtocolIsRefusedBeforeItsFieldsAreLookedAt(t *testing.T) {
	request := sampleRequest(t, quick, 1).with("protocol", 2).with("novelty", true)
	mustRefuse(t, kindProtocol, "protocol 2, this worker speaks 1", request.line())
}

func TestAnUnknownWorkloadIsNamed(t *testing.T) {
	mustRefuse(t, kindUnknownWorkload, "brotli-5/brotli", sampleRequest(t, quick, 1).with("workload", "brotli-5/brotli").line())
}

func TestRequestsOutOfOrderAreRefused(t *testing.T) {
	prepare := sampleRequest(t, quick, 1).line()
	mustRefuse(t, kindBadRequest, "before prepare", aWindow.line())
	mustRefuse(t, kindBadRequest, "twice", prepare, prepare)
}

func TestMeasureKeepsItsBounds(t *testing.T) {
	prepare := sampleRequest(t, quick, 1).line()
	for _, c := range []struct {
		field string
		value any
	}{
		{"settle_ns", -1}, {"settle_ns", int64(maxSettle) + 1}, {"settle_ns", 0.5},
		{"window_ns", 999}, {"window_ns", int64(maxWindow) + 1}, {"laps", 1},
	} {
		mustRefuse(t, kindBadRequest, c.field, prepare, aWindow.with(c.field, c.value).line())
	}
	mustRefuse(t, kindBadRequest, "window_ns", prepare, aWindow.without("window_ns").line())
}

func TestAnInputThatDiffersIsRefused(t *testing.T) {
	const id, name = "html-escape/go", "escape"
	content := sampleInput(t, name)
	file := storeInput(t, name, content)
	good := map[string]any{"path": file.path, "bytes": file.bytes, "sha256": file.sha256}
	for what, c := range map[string]struct {
		field string
		value any
	}{
		"another digest": {"sha256", strings.Repeat("0", 64)},
		"another length": {"bytes", file.bytes + 1},
		"no file":        {"path", file.path + ".gone"},
		"a folder":       {"path", t.TempDir()},
	} {
		t.Run(what, func(t *testing.T) {
			inputs := map[string]any{name: request(good).with(c.field, c.value)}
			mustRefuse(t, kindInput, name, sampleRequest(t, id, 1).with("inputs", inputs).line())
		})
	}
	t.Run("not named", func(t *testing.T) {
		mustRefuse(t, kindInput, name, sampleRequest(t, id, 1).with("inputs", map[string]any{}).line())
	})
	t.Run("changed on disk", func(t *testing.T) {
		content[17] ^= 1
		if err := os.WriteFile(file.path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		mustRefuse(t, kindInput, "SHA-256", sampleRequest(t, id, 1).with("inputs", map[string]any{name: good}).line())
	})
}

// Of the suite edge; the harness's tests plant one in every workload, each in a
// process of its own, which gives its memory back.
func TestAPlantedMistakeIsFound(t *testing.T) {
	for _, w := range edgeWorkloads {
		t.Run(w.id, func(t *testing.T) {
			for _, seed := range []int64{0, 1<<63 - 1} {
				request := sampleRequest(t, w.id, 1).with("plant", "wrong-answer").with("seed", seed)
				mustRefuse(t, kindWrongAnswer, w.id, request.line())
			}
		})
	}
}

func TestACPUThatCannotBeHadIsAMatterOfResources(t *testing.T) {
	for _, cpu := range []int{1000, 5000} {
		cpus := append(someCPUs()[:1:1], cpu)
		mustRefuse(t, kindResources, strconv.Itoa(cpu), sampleRequest(t, quick, 1).with("cpus", cpus).line())
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

func TestAnAnswerTooLongForALineIsAFault(t *testing.T) {
	err := writeAnswer(io.Discard, doneAnswer{Verified: strings.Repeat("x", maxLine)})
	if f := asFault(err, ""); f.kind != kindInternal || !strings.Contains(f.message, "1048576") {
		t.Errorf("%v", err)
	}
}
