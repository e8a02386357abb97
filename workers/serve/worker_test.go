package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"sizeup/gokit/protocol"
)

func files(t *testing.T, folder string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestEveryKindOfAnswerIsServedVerifiedAndMeasured(t *testing.T) {
	for name, changes := range map[string]map[string]any{
		"page":     {},
		"page 1.3": {"tls": "1.3", "cipher": "TLS_AES_128_GCM_SHA256"},
		"new":      {"connections": "new"},
		"redirect": {"answer": "redirect"},
		"plain":    {"answer": "plain"},
		"page h2":  {"tls": "1.3", "cipher": "TLS_AES_128_GCM_SHA256", "http2_streams": 8},
		"rate h2":  {"tls": "1.3", "cipher": "TLS_AES_128_GCM_SHA256", "http2_streams": 8, "load": "rate", "rate_per_server_cpu": 100},
		"rate":     {"load": "rate", "rate_per_server_cpu": 100},
	} {
		t.Run(name, func(t *testing.T) {
			w := startWorker(t)
			ready := w.ready(prepareRequest(t, changes))
			if bytes, isPresent := ready["bytes_per_op"]; !isPresent || bytes != nil {
				t.Errorf("an op has %v bytes, but rows are in requests/s", bytes)
			}
			sample := w.ask(sampleRequest)
			threads := sample["threads"].([]any)
			if ops := threads[0].(map[string]any)["ops"].(float64); ops < 3 {
				t.Error(sample)
			}
			if _, hasLatency := sample["latency"]; hasLatency != strings.HasPrefix(name, "rate") {
				t.Error(sample)
			}
			w.done()
		})
	}
}

func TestAReadyDescribesTheExpectedAnswer(t *testing.T) {
	w := startWorker(t)
	ready := w.ready(prepareRequest(t, nil))
	expected := protocol.Describe(testParameters.expect([]byte(testPage)).output)
	if ready["output_sha256"] != expected.SHA256 || ready["output_bytes"] != float64(expected.Bytes) {
		t.Errorf("%v, not %+v", ready, expected)
	}
}

func TestNothingIsLeftBehind(t *testing.T) {
	w := startWorker(t)
	w.ready(prepareRequest(t, nil))
	processes := nginxProcesses(t, w.folder)
	if len(processes) < 2 {
		t.Fatalf("a master and a worker should run, not %v", processes)
	}
	if left := files(t, w.folder); left != nil {
		t.Errorf("files left while NGINX runs: %v", left)
	}
	w.done()
	for _, pid := range processes {
		if isRunning(pid) {
			t.Errorf("process %s still runs", pid)
		}
	}
}

func TestNGINXEndsWithAWorkerThatIsKilled(t *testing.T) {
	w := startWorker(t)
	w.ready(prepareRequest(t, nil))
	processes := nginxProcesses(t, w.folder)
	if err := w.command.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	for _, pid := range processes {
		waitUntil(t, "process "+pid+" ends", func() bool { return !isRunning(pid) })
	}
	if left := files(t, w.folder); left != nil {
		t.Errorf("files left: %v", left)
	}
}

func TestAnNGINXThatDiesFailsTheCase(t *testing.T) {
	for name, isWorker := range map[string]bool{"master": false, "worker": true} {
		t.Run(name, func(t *testing.T) {
			w := startWorker(t)
			w.ready(prepareRequest(t, nil))
			processes := nginxProcesses(t, w.folder)
			pid := processes[slices.IndexFunc(processes, func(pid string) bool {
				return slices.Contains(processes, parentOf(pid)) == isWorker
			})]
			number, err := strconv.Atoi(pid)
			if err != nil {
				t.Fatal(err)
			}
			if err := syscall.Kill(number, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			waitUntil(t, "process "+pid+" ends", func() bool { return !isRunning(pid) })
			if answer := w.ask(sampleRequest); answer["kind"] != "operation-failed" {
				t.Error(answer)
			}
			for _, pid := range processes {
				waitUntil(t, "process "+pid+" ends", func() bool { return !isRunning(pid) })
			}
		})
	}
}

func TestNoTwoLaunchesShareAPort(t *testing.T) {
	const launches = 6
	ports := map[string]bool{}
	for range launches {
		w := startWorker(t)
		w.ready(prepareRequest(t, map[string]any{"answer": "plain"}))
		for _, port := range listening(t) {
			ports[port] = true
		}
	}
	if len(ports) < launches {
		t.Errorf("%d launches listen on %v", launches, ports)
	}
}

// listening is the addresses on which some process listens on the loopback.
func listening(t *testing.T) []string {
	t.Helper()
	table, err := os.ReadFile("/proc/net/tcp")
	if err != nil {
		t.Fatal(err)
	}
	const listens = "0A"
	var found []string
	for line := range strings.Lines(string(table)) {
		if fields := strings.Fields(line); len(fields) > 3 && fields[3] == listens {
			found = append(found, fields[1])
		}
	}
	return found
}

func TestWithoutNGINXTheHintSaysWhatToInstall(t *testing.T) {
	w := startWorker(t, "SIZEUP_NGINX="+t.TempDir())
	answer := w.ask(prepareRequest(t, nil))
	hint, _ := answer["hint"].(string)
	if answer["kind"] != "unavailable" || !strings.Contains(hint, "libnginx-mod-http-brotli-filter") {
		t.Error(answer)
	}
}

func TestAnInjectedBitIsFound(t *testing.T) {
	w := startWorker(t)
	request := prepareRequest(t, nil)
	request = strings.TrimSuffix(request, "}") + `,"inject":"wrong-answer"}`
	answer := w.ask(request)
	if answer["kind"] == "unavailable" {
		notAvailable(t, answer["message"])
	}
	if answer["kind"] != "wrong-answer" {
		t.Error(answer)
	}
}

func TestContradictoryParametersAreRefused(t *testing.T) {
	for _, c := range []struct {
		expected string
		changes  map[string]any
	}{
		{`"colour" is unknown`, map[string]any{"colour": 1}},
		{`"brotli_level" is 12; it must be 0 to 11`, map[string]any{"brotli_level": 12}},
		{"is not available with tls 1.3", map[string]any{"tls": "1.3"}},
		{"X25519MLKEM768 is not available with tls 1.2", map[string]any{"curve": "X25519MLKEM768"}},
		{"http2_streams belongs to kept connections", map[string]any{"http2_streams": 8, "connections": "new"}},
		{"rate_per_server_cpu belongs to load rate", map[string]any{"load": "rate"}},
		{"rate_per_server_cpu belongs to load rate", map[string]any{"rate_per_server_cpu": 5}},
		{"p99_limit_ms belongs to load p99", map[string]any{"load": "p99"}},
		{"p99_limit_ms belongs to load p99", map[string]any{"p99_limit_ms": 5}},
	} {
		answer := startWorker(t).ask(prepareRequest(t, c.changes))
		message, _ := answer["message"].(string)
		if answer["kind"] != "bad-request" || !strings.Contains(message, "parameters: ") || !strings.Contains(message, c.expected) {
			t.Errorf("%v: %v", c.changes, answer)
		}
	}
}

func TestAnUnknownOperationIsNamed(t *testing.T) {
	request := strings.Replace(prepareRequest(t, nil), nginxService.operation.Name, "http/nginx", 1)
	answer := startWorker(t).ask(request)
	message, _ := answer["message"].(string)
	if answer["kind"] != "unknown-operation" || !strings.Contains(message, "http/nginx") {
		t.Error(answer)
	}
}
