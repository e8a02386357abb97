package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"sizeup/gokit/cpu"
	"sizeup/worker-serve/internal/daemon"
)

// asWorker makes the test program run as the worker.
const asWorker = "SIZEUP_TEST_AS_WORKER"

func TestMain(m *testing.M) {
	if os.Getenv(asWorker) != "" || len(os.Args) > 1 && os.Args[1] == daemon.KeeperArgument {
		main()
	}
	if os.Getenv(asSwapper) != "" {
		swap(os.Args[1], os.Args[2])
	}
	os.Exit(m.Run())
}

const testPage = "<html>\n  <p>one   two</p>\r\n\n</html>\n"

// testMinified is testPage without line breaks and runs of spaces, by hand.
const testMinified = "<html> <p>one two</p></html>"

// worker is a worker in a process of its own.
type worker struct {
	t       testing.TB
	command *exec.Cmd
	answers *bufio.Scanner
	input   *os.File
	folder  string // for temporary files
}

// start starts this program once more, or skips the test where the kernel cannot.
func start(t testing.TB, command *exec.Cmd) {
	t.Helper()
	err := command.Start()
	if errors.Is(err, syscall.ENOEXEC) {
		t.Skip("NOT AVAILABLE, not tested: the kernel cannot start this program, which is emulated")
	}
	if err != nil {
		t.Fatal(err)
	}
}

// startWorker starts a worker with these variables in a process of its own: its temporary files go
// to a folder that is checked at the end.
func startWorker(t testing.TB, variables ...string) *worker {
	t.Helper()
	return startWorkerBy(t, []string{os.Args[0]}, variables...)
}

// startWorkerBy starts a worker by a command that is it, or becomes it.
func startWorkerBy(t testing.TB, command []string, variables ...string) *worker {
	t.Helper()
	// NGINX's workers, which run as nobody if we are root, must have access.
	w := &worker{t: t, folder: openFolder(t)}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	w.input = write
	w.command = exec.Command(command[0], command[1:]...)
	w.command.Env = append(os.Environ(), append([]string{asWorker + "=1", "TMPDIR=" + w.folder}, variables...)...)
	w.command.Stdin, w.command.Stderr = read, os.Stderr
	output, err := w.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	start(t, w.command)
	read.Close()
	t.Cleanup(func() {
		write.Close()
		_ = w.command.Process.Kill()
		_ = w.command.Wait()
	})
	w.answers = bufio.NewScanner(output)
	w.answers.Buffer(nil, 1<<20)
	return w
}

// ask sends a request and returns the answer.
func (w *worker) ask(request string) map[string]any {
	w.t.Helper()
	if _, err := w.input.WriteString(request + "\n"); err != nil {
		w.t.Fatal(err)
	}
	return w.answer()
}

func (w *worker) answer() map[string]any {
	w.t.Helper()
	if !w.answers.Scan() {
		w.t.Fatalf("no answer: %v", w.answers.Err())
	}
	var answer map[string]any
	if err := json.Unmarshal(w.answers.Bytes(), &answer); err != nil {
		w.t.Fatal(err)
	}
	return answer
}

// allServers is set where every server is installed: then none may be missing.
const allServers = "SIZEUP_TEST_ALL_SERVERS"

// notAvailable skips a test whose server is not installed.
func notAvailable(t testing.TB, why any) {
	t.Helper()
	if os.Getenv(allServers) != "" {
		t.Fatal("NOT AVAILABLE, and "+allServers+" is set: ", why)
	}
	t.Skip("NOT AVAILABLE, not tested: ", why)
}

// ready prepares the worker, or skips the test where its server is not installed.
func (w *worker) ready(request string) map[string]any {
	w.t.Helper()
	answer := w.ask(request)
	if answer["kind"] == "unavailable" {
		notAvailable(w.t, answer["message"])
	}
	if answer["answer"] != "ready" {
		w.t.Fatal(answer)
	}
	return answer
}

func (w *worker) done() {
	w.t.Helper()
	if answer := w.ask(`{"request":"finish"}`); answer["answer"] != "done" {
		w.t.Fatal(answer)
	}
	if err := w.command.Wait(); err != nil {
		w.t.Fatal(err)
	}
}

const sampleRequest = `{"request":"measure","warmup_ns":0,"sample_ns":1000}`

// prepareRequest is a request with the parameters of a page over TLS 1.2, some of them changed.
func prepareRequest(t *testing.T, changes map[string]any) string {
	t.Helper()
	parameters := map[string]any{
		"answer": "page", "connections": "kept", "connections_per_server_cpu": 2, "tls": "1.2",
		"cipher": "ECDHE-ECDSA-AES128-GCM-SHA256", "curve": "X25519", "brotli_level": 5, "server_percent": 50,
		"client": "loopback", "load": "closed",
	}
	maps.Copy(parameters, changes)
	inputs := map[string]any{}
	if parameters["answer"] == "page" {
		path := filepath.Join(t.TempDir(), "page.html")
		if err := os.WriteFile(path, []byte(testPage), 0o600); err != nil {
			t.Fatal(err)
		}
		digest := sha256.Sum256([]byte(testPage))
		inputs["page"] = map[string]any{
			"path": path, "bytes": len(testPage), "sha256": hex.EncodeToString(digest[:]),
		}
	}
	return requestOf(t, nginxService.operation.Name, parameters, inputs)
}

// requestOf is a prepare request on two CPUs, or one where there is no other.
func requestOf(t testing.TB, operation string, parameters, inputs map[string]any) string {
	t.Helper()
	cpus, err := cpu.Allowed()
	if err != nil {
		t.Fatal(err)
	}
	cpus = cpus[:min(2, len(cpus))]
	request, err := json.Marshal(map[string]any{
		"request": "prepare", "protocol": 1, "operation": operation, "parameters": parameters,
		"threads": len(cpus), "cpus": cpus, "seed": 42, "inputs": inputs,
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(request)
}

// nginxProcesses returns the processes of the NGINX whose master was started in a folder.
func nginxProcesses(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	masters := map[string]bool{}
	var found []string
	for range 2 { // workers are only identified by their parent
		found = nil
		for _, entry := range entries {
			line, err := os.ReadFile(entry)
			pid := filepath.Base(filepath.Dir(entry))
			if err != nil {
				continue
			}
			if strings.Contains(string(line), folder) && strings.HasPrefix(string(line), "nginx: master") {
				masters[pid] = true
			}
			if masters[pid] || masters[parentOf(pid)] && strings.HasPrefix(string(line), "nginx: worker") {
				found = append(found, pid)
			}
		}
	}
	return found
}

func parentOf(pid string) string {
	status, err := os.ReadFile("/proc/" + pid + "/status")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(status)) {
		if parent, is := strings.CutPrefix(line, "PPid:"); is {
			return strings.TrimSpace(parent)
		}
	}
	return ""
}

// waitUntil waits for something that happens soon, or fails.
func waitUntil(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(60 * time.Second); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("timed out: ", what)
		}
	}
}

func isRunning(pid string) bool {
	state, err := os.ReadFile(fmt.Sprintf("/proc/%s/stat", pid))
	return err == nil && !strings.Contains(string(state), ") Z ")
}
