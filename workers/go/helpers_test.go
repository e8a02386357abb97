package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"sizeup/gokit/cpu"
	"sizeup/gokit/protocol"
	"sizeup/gokit/work"
)

// trial is an operation with parameters, in JSON.
type trial struct{ operation, parameters string }

// quick is an operation of a few microseconds.
var quick = trial{"aead-seal/go", `{"cipher":"aes-128-gcm","message_bytes":8192,"ad_bytes":13}`}

// sampleInput makes the content of an input by its role, or skips the test if the Go distribution
// does not contain its source.
func sampleInput(t *testing.T, operation, role string) []byte {
	t.Helper()
	family, _, _ := strings.Cut(operation, "/")
	switch {
	case role == "stream":
		compress := goGzip.compress
		if family == "unzstd" {
			compress = zstdBytes
		}
		compressed, err := compress(sampleInput(t, operation, "data"), 6)
		if err != nil {
			t.Fatal(err)
		}
		return compressed
	case role == "identity":
		return identityOf(t, "p256")
	case role == "photo":
		return encoded(t, drawnPicture(), 88)
	case role == "blocks":
		return blocksOf(drawnPicture())
	case strings.HasPrefix(family, "json-"):
		return oneOrder(t)
	case role == "pattern":
		return []byte(findPattern + "\n")
	case family == "regex-find":
		return []byte(findText)
	case family == "regexp":
		return regexText(32 << 10)
	case strings.HasPrefix(family, "html-"):
		return bytes.Repeat([]byte(`AAAAA < BBBBB > CCCCC & DDDDD ' EEEEE " `), 1_000)
	case family == "zstd", strings.HasPrefix(family, "compress-"), strings.HasPrefix(family, "decompress-"):
		return opticks(t)
	}
	return bytes.Repeat(proofText(), 2)[:29_329] // as long as the page, and compressible
}

// oneOrder is a document with one order, in canonical form.
func oneOrder(t *testing.T) []byte {
	t.Helper()
	content, err := os.ReadFile("../data/order.json")
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// A text and a pattern with a group that has no part in one of its matches.
const (
	findText    = "GET /a 200\nPUT /b 404\nGET /cc -\n"
	findPattern = `(?m)^([A-Z]+) /([a-z]+) (?:([0-9]+)|-)$`
)

// findDigests is the SHA-256 of the matches and of the groups, as Python's re finds them.
var findDigests = []any{
	"1acf3eaf0ef4e147fe3926c9cbe9001ea03b3dec8cfe676ab6c4c76c31a0d2a8",
	"7ac764c61d2002241eeb4cd5ad5b6bce3f1da84d5f46c8276c276a72a57cfcf7",
}

// identityOf is a server's key and certificates, which the harness hands out as inputs.
func identityOf(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("../../inputs/tls", name+".pem"))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// regexText is the text of Go's own regexp benchmark.
func regexText(length int) []byte {
	text := make([]byte, length)
	x := ^uint32(0)
	for i := range text {
		x += x
		x ^= 1
		if int32(x) < 0 {
			x ^= 0x88888eef
		}
		if x%31 == 0 {
			text[i] = '\n'
		} else {
			text[i] = byte(x%(0x7E+1-0x20) + 0x20)
		}
	}
	return text
}

// opticks is prose: the source of the edited text.
func opticks(t *testing.T) []byte {
	t.Helper()
	const length = 387_851
	//lint:ignore SA1019 the tests run where the toolchain is
	path := filepath.Join(runtime.GOROOT(), "src/testdata/Isaac.Newton-Opticks.txt")
	content, err := os.ReadFile(path)
	if err != nil || len(content) < length {
		t.Skipf("SKIPPED: this Go distribution has no %s of %d bytes (%v)", path, length, err)
	}
	return content[:length]
}

// storeInput writes an input to a file and describes it as a request does.
func storeInput(t *testing.T, name string, content []byte) protocol.InputFile {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	digest := sha256.Sum256(content)
	return protocol.InputFile{Path: path, Bytes: int64(len(content)), SHA256: hex.EncodeToString(digest[:])}
}

// inputFields is an input as a request names it.
func inputFields(file protocol.InputFile) map[string]any {
	return map[string]any{"path": file.Path, "bytes": file.Bytes, "sha256": file.SHA256}
}

// files is the inputs that an operation with these parameters takes, on disk.
func (s trial) files(t *testing.T) map[string]protocol.InputFile {
	t.Helper()
	files := map[string]protocol.InputFile{}
	for _, role := range s.find(t).Inputs {
		if !strings.Contains(s.parameters, randomName) {
			files[role] = storeInput(t, role, sampleInput(t, s.operation, role))
		}
	}
	return files
}

func (s trial) find(t *testing.T) operation {
	t.Helper()
	op, err := worker().Find(s.operation)
	if err != nil {
		t.Fatal(err)
	}
	return op
}

// tryPlan plans, or returns why not.
func (s trial) tryPlan(t *testing.T) (*plan, error) {
	t.Helper()
	op := s.find(t)
	parameters, err := op.Parameters.Read(json.RawMessage(s.parameters))
	if err != nil {
		return nil, err
	}
	return op.Plan(&job{Parameters: parameters, Inputs: protocol.NewInputs(s.files(t))})
}

func (s trial) plan(t *testing.T) *plan {
	t.Helper()
	plan, err := s.tryPlan(t)
	if err != nil {
		t.Fatal(s, err)
	}
	return plan
}

func (s trial) instance(t *testing.T) instance {
	t.Helper()
	inst, err := s.plan(t).Instantiate()
	if err != nil {
		t.Fatal(s, err)
	}
	return inst
}

// allowedCPUs is the CPUs available to the tests at their start: a test may restrict the process to
// fewer.
var allowedCPUs = func() []int {
	cpus, err := cpu.Allowed()
	if err != nil {
		panic(err)
	}
	return cpus
}()

// someCPUs is two CPUs, or one if there are no more.
func someCPUs() []int { return allowedCPUs[:min(2, len(allowedCPUs))] }

// request builds a request line out of fields.
type request map[string]any

func (r request) with(name string, value any) request {
	changed := request{}
	for k, v := range r {
		changed[k] = v
	}
	changed[name] = value
	return changed
}

func (r request) line() string {
	line, err := json.Marshal(r)
	if err != nil {
		panic(err)
	}
	return string(line)
}

// request is a valid prepare request.
func (s trial) request(t *testing.T, threads int) request {
	t.Helper()
	inputs := map[string]any{}
	for role, file := range s.files(t) {
		inputs[role] = inputFields(file)
	}
	return request{
		"request": "prepare", "protocol": 1, "operation": s.operation,
		"parameters": json.RawMessage(s.parameters),
		"threads":    threads, "cpus": someCPUs(), "seed": 42, "inputs": inputs,
	}
}

// aSample is a valid measure request.
var aSample = request{"request": "measure", "warmup_ns": 1_000_000, "sample_ns": 20_000_000}

var aFinish = request{"request": "finish"}

// answerTo is any answer, as the harness reads it.
type answerTo struct {
	Answer, Kind, Message, Hint, Verified string
	Protocol                              int
	Operations                            []protocol.Operation
	Build                                 protocol.Build
	BytesPerOp                            *int64  `json:"bytes_per_op"`
	OutputSHA256                          *string `json:"output_sha256"`
	OutputBytes                           *int64  `json:"output_bytes"`
	BatchOps                              int64   `json:"batch_ops"`
	ClockCostNS                           int64   `json:"clock_cost_ns"`
	ResidentBytes                         int64   `json:"resident_bytes"`
	StartNS                               int64   `json:"start_ns"`
	EndNS                                 int64   `json:"end_ns"`
	ProcessCPUNS                          int64   `json:"process_cpu_ns"`
	ProcessElapsedNS                      int64   `json:"process_elapsed_ns"`
	Threads                               []work.ThreadSample
	Samples, Ops                          int64
}

// converse runs a launch on the given lines and returns its answers and its exit status.
func converse(t *testing.T, lines ...string) ([]answerTo, int) {
	t.Helper()
	var out bytes.Buffer
	status := run(nil, strings.NewReader(strings.Join(lines, "\n")+"\n"), &out, &bytes.Buffer{})
	var answers []answerTo
	for _, line := range strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n") {
		var answer answerTo
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			t.Fatalf("answer %q: %v", line, err)
		}
		answers = append(answers, answer)
	}
	return answers, status
}

// mustRefuse sends lines, the last of which must be answered by an error of a kind, whose message
// contains a text.
func mustRefuse(t *testing.T, kind, naming string, lines ...string) {
	t.Helper()
	answers, status := converse(t, lines...)
	last := answers[len(answers)-1]
	if last.Answer != "error" || last.Kind != kind || status != 1 {
		t.Errorf("answered %+v with status %d, not an error of kind %s with status 1", last, status, kind)
	}
	if !strings.Contains(last.Message, naming) {
		t.Errorf("message %q does not name %q", last.Message, naming)
	}
}
