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
)

// What the project's workload tables say, for the workloads of this worker.
// One that is missing here fails TestEveryWorkloadHasParametersHere.
var sampleParameters = map[string]string{
	"regexp-easy-256KiB/go":          `{"pattern":"ABCDEFGHIJKLMNOPQRSTUVWXYZ$"}`,
	"regexp-easy-i-256KiB/go":        `{"pattern":"(?i)ABCDEFGHIJklmnopqrstuvwxyz$"}`,
	"regexp-easy2-256KiB/go":         `{"pattern":"A[AB]B[BC]C[CD]D[DE]E[EF]F[FG]G[GH]H[HI]I[IJ]J$"}`,
	"regexp-medium-256KiB/go":        `{"pattern":"[XYZ]ABCDEFGHIJKLMNOPQRSTUVWXYZ$"}`,
	"regexp-hard-256KiB/go":          `{"pattern":"[ -~]*ABCDEFGHIJKLMNOPQRSTUVWXYZ$"}`,
	"regexp-hard2-256KiB/go":         `{"pattern":"ABCD|CDEF|EFGH|GHIJ|IJKL|KLMN|MNOP|OPQR|QRST|STUV|UVWX|WXYZ"}`,
	"ecdsa-p256-sign/go":             `{}`,
	"ecdsa-p256-verify/go":           `{}`,
	"rsa2048-sign/go":                `{"primes":2}`,
	"rsa2048-3prime-sign/go":         `{"primes":3}`,
	"aes-128-gcm-seal-8KiB/go":       `{"message_bytes":8192,"ad_bytes":13}`,
	"chacha20-poly1305-seal-8KiB/go": `{"message_bytes":8192,"ad_bytes":13}`,
	"html-escape/go":                 `{}`,
	"html-unescape/go":               `{}`,
	"gzip-8-text/go":                 `{"level":8}`,
	"gunzip-text/go":                 `{"level":8}`,
	"gzip-8-digits/go":               `{"level":8}`,
	"gunzip-digits/go":               `{"level":8}`,
	"empty/go":                       `{}`,
}

// sampleInputs makes the content of an input, or skips the test when the Go
// distribution that it comes from doesn't have it.
func sampleInput(t *testing.T, name string) []byte {
	t.Helper()
	switch name {
	case "escape":
		return bytes.Repeat([]byte(`AAAAA < BBBBB > CCCCC & DDDDD ' EEEEE " `), 10_000)
	case "regex-text-32KiB":
		return regexText(32 << 10)
	case "regex-text-256KiB":
		return regexText(256 << 10)
	case "page": // as long, and compressible
		return bytes.Repeat(proofText(), 2)[:29_329]
	case "page-gz", "text-gz":
		return compressedBy(t, goGzip.compress, strings.TrimSuffix(name, "-gz"), 6)
	case "text-zst":
		return compressedBy(t, zstdBytes, "text", 3)
	case "text":
		return distributed(t, "testdata/Isaac.Newton-Opticks.txt", 387_851)
	case "digits":
		return distributed(t, "compress/testdata/e.txt", 100_003)
	}
	t.Fatalf("no test knows how to make the input %q", name)
	return nil
}

// compressedBy is another input, compressed.
func compressedBy(t *testing.T, compress func([]byte, int) ([]byte, error), name string, level int) []byte {
	t.Helper()
	compressed, err := compress(sampleInput(t, name), level)
	if err != nil {
		t.Fatal(err)
	}
	return compressed
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

// distributed is the first bytes of a file of the Go distribution.
func distributed(t *testing.T, path string, length int) []byte {
	t.Helper()
	//lint:ignore SA1019 the tests run where the toolchain is
	full := filepath.Join(runtime.GOROOT(), "src", path)
	content, err := os.ReadFile(full)
	if err != nil || len(content) < length {
		t.Skipf("SKIPPED: this Go distribution has no %s of %d bytes (%v)", full, length, err)
	}
	return content[:length]
}

// inputsOf says which inputs a workload takes.
func inputsOf(id string) []string {
	operation, _, _ := strings.Cut(id, "/")
	if compressed, ok := strings.CutPrefix(operation, "gunzip-"); ok && strings.HasSuffix(compressed, "-gz") {
		return []string{compressed, strings.TrimSuffix(compressed, "-gz")}
	}
	switch {
	case operation == "unzstd-text-zst":
		return []string{"text-zst", "text"}
	case strings.HasPrefix(operation, "regexp-"):
		return []string{"regex-text-" + operation[strings.LastIndexByte(operation, '-')+1:]}
	case strings.HasPrefix(operation, "html-"):
		return []string{"escape"}
	case strings.Contains(id, "-text/"):
		return []string{"text"}
	case strings.HasSuffix(operation, "-digits"):
		return []string{"digits"}
	case strings.HasPrefix(operation, "gzip-"):
		return []string{"page"}
	}
	return nil
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

// sampleFiles is the inputs of a workload, on disk.
func sampleFiles(t *testing.T, id string) map[string]protocol.InputFile {
	t.Helper()
	files := map[string]protocol.InputFile{}
	for _, name := range inputsOf(id) {
		files[name] = storeInput(t, name, sampleInput(t, name))
	}
	return files
}

// sampleJob is the job of a workload, its inputs on disk.
func sampleJob(t *testing.T, id string) *job {
	t.Helper()
	return &job{raw: json.RawMessage(sampleParameters[id]), inputs: protocol.NewInputs(sampleFiles(t, id))}
}

// allowedCPUs is what the tests may use, as it was when they started: a test
// may keep the process to fewer.
var allowedCPUs = func() []int {
	cpus, err := cpu.Allowed()
	if err != nil {
		panic(err)
	}
	return cpus
}()

// someCPUs is two CPUs, or one where there is no more.
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

// sampleRequest is a good prepare request for a workload.
func sampleRequest(t *testing.T, id string, threads int) request {
	t.Helper()
	inputs := map[string]any{}
	for name, file := range sampleFiles(t, id) {
		inputs[name] = inputFields(file)
	}
	return request{
		"request": "prepare", "protocol": 1, "workload": id,
		"parameters": json.RawMessage(sampleParameters[id]),
		"threads":    threads, "cpus": someCPUs(), "seed": 42, "inputs": inputs,
	}
}

// aWindow is a good measure request.
var aWindow = request{"request": "measure", "settle_ns": 1_000_000, "window_ns": 20_000_000}

var aFinish = request{"request": "finish"}

// answerTo is any answer, as the harness reads it.
type answerTo struct {
	Answer, Kind, Message, Hint, Verified string
	Protocol                              int
	Workloads                             []string
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
	Threads                               []threadWindow
	Windows, Ops                          int64
}

// converse sends lines to a launch of its own and returns its answers and its
// exit status.
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

// mustRefuse sends lines, the last of which must be answered by an error of a
// kind that names something.
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
