package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"sizeup/worker-serve/internal/daemon"
	"sizeup/worker-serve/internal/drive"
)

// testServer is a server with so little data that it starts in no time.
type testServer struct {
	name, operation string
	parameters      map[string]any
	process         string // the name of its process
}

var (
	testValkey = testServer{"Valkey", "kv/valkey", map[string]any{
		"processes": "one-per-cpu", "keys": 500, "value_bytes": 96, "get_percent": 90, "pipeline": 1,
		"connections_per_server_cpu": 4, "server_percent": 50, "client": "loopback", "load": "closed",
	}, "-server"}
	testMemcached = testServer{"memcached", "kv/memcached", testValkey.with(map[string]any{"processes": "one"}), "memcached"}
	testPostgres  = testServer{"PostgreSQL", "sql/postgresql", map[string]any{
		"script": "tpcb", "scale": 1, "connections_per_server_cpu": 2, "server_percent": 50, "client": "loopback", "load": "closed",
	}, "postgres"}
	testServers = []testServer{testValkey, testMemcached, testPostgres}
)

func (s testServer) with(changes map[string]any) map[string]any {
	parameters := maps.Clone(s.parameters)
	maps.Copy(parameters, changes)
	return parameters
}

func (s testServer) request(t *testing.T, changes map[string]any) string {
	t.Helper()
	return requestOf(t, s.operation, s.with(changes), map[string]any{})
}

// descendants is the processes that a worker has started, and those that they have.
func descendants(t *testing.T, w *worker) []string {
	t.Helper()
	return descendantsOf(t, w.command.Process.Pid)
}

func descendantsOf(t testing.TB, pid int) []string {
	t.Helper()
	entries, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	parents := map[string]string{}
	for _, entry := range entries {
		parents[filepath.Base(entry)] = parentOf(filepath.Base(entry))
	}
	found := []string{strconv.Itoa(pid)}
	for i := 0; i < len(found); i++ {
		for pid, parent := range parents {
			if parent == found[i] {
				found = append(found, pid)
			}
		}
	}
	return found[1:]
}

func nameOf(pid string) string {
	name, _ := os.ReadFile("/proc/" + pid + "/comm") // it may have ended
	return strings.TrimSpace(string(name))
}

// clusterOf is the folder of a worker's PostgreSQL.
func clusterOf(t *testing.T, w *worker) string {
	t.Helper()
	for _, pid := range descendants(t, w) {
		if folder, err := os.Readlink("/proc/" + pid + "/cwd"); err == nil && strings.Contains(folder, "sizeup-postgresql-") {
			return filepath.Dir(folder)
		}
	}
	t.Fatal("no process works in a cluster's folder")
	return ""
}

// mustBeGone waits until processes have ended and a folder is no more.
func mustBeGone(t *testing.T, processes []string, folder string) {
	t.Helper()
	for _, pid := range processes {
		waitUntil(t, "process "+pid+" ("+nameOf(pid)+") ends", func() bool { return !isRunning(pid) })
	}
	waitUntil(t, folder+" is removed", func() bool {
		_, err := os.Lstat(folder)
		return folder == "" || os.IsNotExist(err)
	})
}

func TestEveryServerIsServedVerifiedAndMeasured(t *testing.T) {
	rate := map[string]any{"load": "rate", "rate_per_server_cpu": 100}
	for _, c := range []struct {
		server  testServer
		changes map[string]any
	}{
		{testValkey, nil},
		{testValkey, map[string]any{"processes": "one", "pipeline": 10}},
		{testValkey, rate},
		{testValkey, map[string]any{"load": "p99", "p99_limit_ms": 1}},
		{testMemcached, map[string]any{"pipeline": 10}},
		{testMemcached, rate},
		{testPostgres, map[string]any{"script": "select"}},
		{testPostgres, nil},
		{testPostgres, map[string]any{"script": "mixed", "load": "rate", "rate_per_server_cpu": 100}},
		{testPostgres, map[string]any{"script": "scan"}},
	} {
		t.Run(fmt.Sprint(c.server.name, c.changes), func(t *testing.T) {
			t.Parallel()
			w := startWorker(t)
			request := c.server.request(t, c.changes)
			ready := w.ready(request)
			if bytes, isPresent := ready["bytes_per_op"]; !isPresent || bytes != nil {
				t.Errorf("an op has %v bytes, but rows are in requests/s", bytes)
			}
			processes, folder := descendants(t, w), ""
			if c.server.name == "PostgreSQL" {
				folder = clusterOf(t, w)
			}
			sample := w.ask(sampleRequest)
			threads, is := sample["threads"].([]any)
			if !is || threads[0].(map[string]any)["ops"].(float64) < 3 {
				t.Fatal(sample)
			}
			if used := sample["parts"].([]any)[0].(map[string]any)["cpu_ns"].(float64); used <= 0 {
				t.Error("the server used no CPU time: ", sample)
			}
			if _, hasLatency := sample["latency"]; hasLatency != (c.changes["load"] != nil) {
				t.Error(sample)
			}
			w.done()
			mustBeGone(t, processes, folder)
			if left := files(t, w.folder); left != nil {
				t.Errorf("files left: %v", left)
			}
		})
	}
}

// Whatever is killed, the case fails, and nothing is left.
func TestNothingIsLeftWhateverIsKilled(t *testing.T) {
	for _, server := range testServers {
		victims := []string{"worker", server.process}
		if server.name == "PostgreSQL" {
			victims = append(victims, "keeper", "backend")
		}
		for _, victim := range victims {
			t.Run(server.name+" "+victim, func(t *testing.T) {
				t.Parallel()
				w := startWorker(t)
				w.ready(server.request(t, nil))
				processes, folder := descendants(t, w), ""
				if server.name == "PostgreSQL" {
					folder = clusterOf(t, w)
				}
				killed := strconv.Itoa(w.command.Process.Pid)
				if victim != "worker" {
					killed = processes[slices.IndexFunc(processes, func(pid string) bool {
						isDirect := parentOf(pid) == strconv.Itoa(w.command.Process.Pid)
						switch victim {
						case "keeper":
							return isDirect
						case "backend":
							line, _ := os.ReadFile("/proc/" + pid + "/cmdline")
							return strings.Contains(string(line), "idle")
						case "postgres":
							return !isDirect && nameOf(pid) == "postgres" // children come after it
						}
						return strings.Contains(nameOf(pid), victim)
					})]
				}
				number, err := strconv.Atoi(killed)
				if err != nil {
					t.Fatal(err)
				}
				if err := syscall.Kill(number, syscall.SIGKILL); err != nil {
					t.Fatal(err)
				}
				if victim != "worker" {
					waitUntil(t, "process "+killed+" ends", func() bool { return !isRunning(killed) })
					answer := w.ask(sampleRequest)
					message, _ := answer["message"].(string)
					if answer["kind"] != "operation-failed" || !strings.HasPrefix(message, server.operation+": ") {
						t.Error(answer)
					}
				}
				mustBeGone(t, processes, folder)
				if left := files(t, w.folder); left != nil {
					t.Errorf("files left: %v", left)
				}
			})
		}
	}
}

// segments is the shared memory of System V that is there.
func segments(t *testing.T) string {
	t.Helper()
	table, err := os.ReadFile("/proc/sysvipc/shm")
	if err != nil {
		return ""
	}
	var owners []string
	for line := range strings.Lines(string(table)) {
		if fields := strings.Fields(line); len(fields) > 4 {
			owners = append(owners, fields[4]) // the process that made it
		}
	}
	return strings.Join(owners, " ") + " "
}

func TestAKilledDatabaseLeavesNoSharedMemory(t *testing.T) {
	before := files(t, "/dev/shm")
	w := startWorker(t)
	w.ready(testPostgres.request(t, nil))
	content, err := os.ReadFile(filepath.Join(clusterOf(t, w), "data", "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, _, _ := strings.Cut(string(content), "\n")
	if !strings.Contains(segments(t), pid+" ") {
		t.Skip("it has none")
	}
	processes, number := descendants(t, w), 0
	if _, err := fmt.Sscan(pid, &number); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(number, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	mustBeGone(t, processes, "")
	if strings.Contains(segments(t), pid+" ") {
		t.Error("the killed server's segment is left")
	}
	noneIsLeft(t, before)
}

// listenersOf is the addresses on which processes listen, as the kernel writes them.
func listenersOf(t *testing.T, processes []string) (found []string) {
	t.Helper()
	var sockets []string
	for _, pid := range processes {
		links, _ := filepath.Glob("/proc/" + pid + "/fd/*")
		for _, link := range links {
			target, _ := os.Readlink(link) // it may be closed
			if inode, is := strings.CutPrefix(target, "socket:["); is {
				sockets = append(sockets, strings.TrimSuffix(inode, "]"))
			}
		}
	}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6", "/proc/net/udp", "/proc/net/udp6"} {
		content, _ := os.ReadFile(table) // without IPv6 there is none
		for line := range strings.Lines(string(content)) {
			// The address, the state and the inode.
			if fields := strings.Fields(line); len(fields) > 9 && slices.Contains(sockets, fields[9]) && (fields[3] == "0A" || strings.Contains(table, "udp")) {
				found = append(found, fields[1])
			}
		}
	}
	return found
}

func TestNobodyElseReachesAServer(t *testing.T) {
	for _, server := range testServers {
		t.Run(server.name, func(t *testing.T) {
			t.Parallel()
			w := startWorker(t)
			w.ready(server.request(t, nil))
			listeners := listenersOf(t, descendants(t, w))
			if isReached := server.name != "PostgreSQL"; (len(listeners) > 0) != isReached {
				t.Errorf("%s listens at %v", server.name, listeners)
			}
			for _, at := range listeners {
				port, isLoopback := strings.CutPrefix(at, "0100007F:")
				if !isLoopback {
					t.Errorf("%s listens at %s", server.name, at)
				}
				number, err := strconv.ParseUint(port, 16, 16)
				if err != nil {
					t.Fatal(err)
				}
				connection, err := net.DialTimeout("tcp", fmt.Sprintf("127.0.0.1:%d", number), 10*time.Second)
				if err != nil {
					t.Fatal(err)
				}
				_ = connection.SetDeadline(time.Now().Add(10 * time.Second))
				_, _ = connection.Write([]byte("get key:000000000001\r\n"))
				answer := make([]byte, 200)
				n, _ := connection.Read(answer)
				connection.Close()
				if text := string(answer[:n]); n == 0 || strings.Contains(text, "key:000000000001") {
					t.Errorf("a stranger gets %q", text)
				}
			}
			for _, pid := range descendants(t, w) {
				status, err := os.ReadFile("/proc/" + pid + "/status")
				isKeeper := parentOf(pid) == strconv.Itoa(w.command.Process.Pid) && server.name == "PostgreSQL"
				if err == nil && os.Geteuid() == 0 && !isKeeper && strings.Contains(string(status), "\nUid:\t0\t") {
					t.Errorf("process %s (%s) is root", pid, nameOf(pid))
				}
				line, _ := os.ReadFile("/proc/" + pid + "/cmdline")
				if strings.Contains(string(line), "requirepass") {
					t.Errorf("the password is on the command line: %q", line)
				}
			}
			if server.name == "PostgreSQL" {
				info, err := os.Stat(clusterOf(t, w))
				if err != nil || info.Mode().Perm() != 0o700 {
					t.Error(info, err)
				}
			}
			w.done()
		})
	}
}

// change lets somebody else change a worker's database.
func change(t *testing.T, w *worker, command string) {
	t.Helper()
	target := &drive.SQLTarget{Network: "unix", Address: filepath.Join(clusterOf(t, w), ".s.PGSQL.5432"), User: "sizeup"}
	if _, err := drive.SQLVersion(target, command); err != nil {
		t.Fatal(err)
	}
}

func TestAWrongBalanceFailsTheCase(t *testing.T) {
	for name, c := range map[string]struct {
		script, command string
		isMeasured      bool // whether a transaction finds it, before the end does
	}{
		"an answer":          {"select", "UPDATE pgbench_accounts SET abalance = abalance + 1", true},
		"a sum":              {"scan", "UPDATE pgbench_accounts SET abalance = abalance + 1 WHERE aid = 77", true},
		"a balance":          {"tpcb", "UPDATE pgbench_accounts SET abalance = abalance + 1", true},
		"a teller":           {"tpcb", "UPDATE pgbench_tellers SET tbalance = tbalance - 1 WHERE tid = 3", false},
		"a lost transaction": {"tpcb", "DELETE FROM pgbench_history WHERE ctid = '(0,1)'", false},
		"a row":              {"mixed", "UPDATE items SET body = 'x' || body WHERE ctid = '(0,1)'", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := startWorker(t)
			w.ready(testPostgres.request(t, map[string]any{"script": c.script}))
			if answer := w.ask(`{"request":"measure","warmup_ns":0,"sample_ns":300000000}`); answer["answer"] != "sample" {
				t.Fatal(answer)
			}
			change(t, w, c.command)
			request := `{"request":"finish"}`
			if c.isMeasured {
				request = sampleRequest
			}
			if answer := w.ask(request); answer["kind"] != "wrong-answer" {
				t.Error(answer)
			}
		})
	}
}

func TestAnInjectedBitIsFoundForEveryServer(t *testing.T) {
	for _, server := range testServers {
		w := startWorker(t)
		answer := w.ask(strings.TrimSuffix(server.request(t, nil), "}") + `,"inject":"wrong-answer"}`)
		if answer["kind"] == "unavailable" {
			notAvailable(t, answer["message"])
		}
		if answer["kind"] != "wrong-answer" {
			t.Error(server.name, answer)
		}
	}
}

func TestAServerCanBeLoadedFromAnotherMachine(t *testing.T) {
	path := fakeSSH(t, `while [ "$1" != -- ]; do shift; done
SSH_CONNECTION="127.0.0.2 1 127.0.0.1 22" exec sh -c "$3"`)
	for _, server := range testServers {
		t.Run(server.name, func(t *testing.T) {
			t.Parallel()
			w := startWorker(t, path)
			w.ready(server.request(t, map[string]any{"client": "ssh load1"}))
			if sample := w.ask(sampleRequest); sample["answer"] != "sample" {
				t.Error(sample)
			}
			w.done()
		})
	}
}

func TestWithoutAServerTheHintSaysWhatToInstall(t *testing.T) {
	for operation, expected := range map[string]string{"kv/valkey": "apt-get install redis-server", "kv/memcached": "dnf install memcached"} {
		w := startWorker(t, "PATH="+t.TempDir())
		answer := w.ask(requestOf(t, operation, testMemcached.parameters, map[string]any{}))
		hint, _ := answer["hint"].(string)
		if answer["kind"] != "unavailable" || !strings.Contains(hint, expected) {
			t.Error(answer)
		}
	}
}

// wrapped is a PATH with a program that a script stands for.
func wrapped(t *testing.T, name, script string) string {
	t.Helper()
	folder := openFolder(t) // also for nobody
	if err := os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return "PATH=" + folder + ":" + os.Getenv("PATH")
}

func TestAnUnpackedServerComesFirstWithItsLibraries(t *testing.T) {
	installed, err := exec.LookPath("redis-server")
	if err != nil {
		notAvailable(t, err)
	}
	apps := openFolder(t)
	libraries := filepath.Join(apps, "usr/lib/test-linux-gnu")
	for _, folder := range []string{libraries, filepath.Join(apps, "usr/bin")} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	script := fmt.Sprintf("#!/bin/sh\n[ \"$LD_LIBRARY_PATH\" = %s ] || exit 9\n"+
		"[ \"$1\" != --version ] || exec sh -c '%s --version | sed s/malloc=[a-z0-9.-]*/malloc=unpacked/'\nexec %s \"$@\"\n", libraries, installed, installed)
	if err := os.WriteFile(filepath.Join(apps, "usr/bin/redis-server"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	w := startWorker(t, daemon.AppsVariable+"="+apps)
	ready := w.ready(testValkey.request(t, nil))
	used := ready["build"].(map[string]any)["libraries"].(map[string]any)["redis"]
	if text, _ := used.(string); !strings.HasSuffix(text, ", unpacked") {
		t.Error(used)
	}
	if sample := w.ask(sampleRequest); sample["answer"] != "sample" {
		t.Error(sample)
	}
	w.done()

	w = startWorker(t, daemon.AppsVariable+"="+apps+"/missing")
	answer := w.ask(testValkey.request(t, nil))
	message, _ := answer["message"].(string)
	if answer["kind"] != "unavailable" || !strings.Contains(message, "folder of "+daemon.AppsVariable) {
		t.Error(answer)
	}
}

func TestAServerThatIsNotWhatItSaysIsRefused(t *testing.T) {
	const version = `[ "$1" = --version ] && echo "Valkey server v=7.0.1 sha=0 malloc=libc" && exit
`
	for expected, script := range map[string]string{
		"does not report its version":    "exit 3",
		"reports a version that is not":  `printf 'evil \033[31m\n'`,
		"has ended: Can't open ?[31m it": version + `printf "Can't open \033[31m it\n"; exit 1`,
	} {
		w := startWorker(t, wrapped(t, "valkey-server", script))
		answer := w.ask(testValkey.request(t, nil))
		message, _ := answer["message"].(string)
		if answer["answer"] != "error" || !strings.Contains(message, expected) || strings.Contains(message, "\x1b") {
			t.Errorf("%s: %v", expected, answer)
		}
	}
}

func TestContradictoryParametersOfServersAreRefused(t *testing.T) {
	for _, c := range []struct {
		server   testServer
		expected string
		changes  map[string]any
	}{
		{testValkey, "pipeline must be 1", map[string]any{"pipeline": 2, "load": "rate", "rate_per_server_cpu": 5}},
		{testValkey, `"value_bytes" is 8`, map[string]any{"value_bytes": 8}},
		{testValkey, `"script" is unknown`, map[string]any{"script": "tpcb"}},
		{testMemcached, `"keys" is 0`, map[string]any{"keys": 0}},
		{testPostgres, "one of scale and scale_per_server_cpu", map[string]any{"scale_per_server_cpu": 1}},
		{testPostgres, `"script" is "drop"`, map[string]any{"script": "drop"}},
		{testPostgres, "client must be", map[string]any{"client": "ssh -x"}},
	} {
		answer := startWorker(t).ask(c.server.request(t, c.changes))
		message, _ := answer["message"].(string)
		if answer["kind"] != "bad-request" || !strings.Contains(message, c.expected) {
			t.Errorf("%v: %v", c.changes, answer)
		}
	}
}

// `make test-go` prints what this says.
func TestWhichServersAreHere(t *testing.T) {
	for _, service := range services {
		now, _, err := service.libraries()
		switch {
		case isUnavailable(err):
			t.Logf("NOT AVAILABLE, not tested: %s: %v", service.operation.Name, err)
			if os.Getenv(allServers) != "" {
				t.Fail()
			}
		case err != nil:
			t.Error(service.operation.Name, err)
		default:
			text, _ := json.Marshal(now) // texts only
			t.Logf("%s is tested with %s", service.operation.Name, text)
		}
	}
}

func TestAPortThatSomebodyTookIsNotTheEnd(t *testing.T) {
	tries := 0
	err := daemon.OnFreePort(here, func(port int) error {
		if tries++; tries < 3 {
			program := &daemon.Program{Name: "sh", Path: "/bin/sh"}
			process, err := program.Start(daemon.Settings{Arguments: []string{"-c", "echo bind: Address already in use >&2; exit 1"}})
			if err != nil {
				return err
			}
			return process.Await(func() error { return fmt.Errorf("port %d is not ours", port) })
		}
		return nil
	})
	if err != nil || tries != 3 {
		t.Error(tries, err)
	}
}
