package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sizeup/gokit/cpu"
	"sizeup/gokit/protocol"
	"sizeup/worker-serve/internal/daemon"
	"sizeup/worker-serve/internal/drive"
)

// peer is an established client of a server, and what it does there, as a row of ours.
type peer struct {
	name, operation string
	parameters      map[string]any
	// run loads the server on the client's CPUs and returns the requests/s of a second.
	run func(target *drive.Target, connections int, perS float64) (float64, error)
	// own starts a server of the same kind on the same CPUs for the peer alone; nil if both use one.
	own func(b *testing.B, p peer, cpus []int, ours *loaded) *drive.Target
}

var peers = []peer{
	{"GET/redis-benchmark", "kv/valkey", cacheLoad(1), redisBenchmark(1), nil},
	{"GET-p10/redis-benchmark", "kv/valkey", cacheLoad(10), redisBenchmark(10), nil},
	{"select/pgbench", "sql/postgresql", databaseLoad("select", 8), pgbench("-S"), nil},
	{"tpcb/pgbench", "sql/postgresql", databaseLoad("tpcb", 2), pgbench("-b", "tpcb-like"), ownCluster},
	{"GET-SET/memcaslap", "kv/memcached", memcachedLoad(), memcaslap, openMemcached},
}

func cacheLoad(pipeline int) map[string]any {
	return map[string]any{
		"processes": "one", "keys": 1_000_000, "value_bytes": 96, "get_percent": 100, "pipeline": pipeline,
		"connections_per_server_cpu": 32, "server_percent": 50, "client": clientHere, "load": "closed",
	}
}

// memcachedLoad is get and set of as many keys as memcaslap has set after its first run.
func memcachedLoad() map[string]any {
	load := cacheLoad(1)
	load["get_percent"], load["keys"] = 90, 20_000
	return load
}

func databaseLoad(script string, connections int) map[string]any {
	return map[string]any{
		"script": script, "scale_per_server_cpu": 10, "connections_per_server_cpu": connections, "server_percent": 50,
		"client": clientHere, "load": "closed",
	}
}

func redisBenchmark(pipeline int) func(*drive.Target, int, float64) (float64, error) {
	return func(target *drive.Target, connections int, perS float64) (float64, error) {
		output, err := redisBenchmarkCSV(target, connections, pipeline, int(perS))
		return foundIn(output, err, `"GET","([0-9.]+)"`)
	}
}

func redisBenchmarkCSV(target *drive.Target, connections, pipeline, requests int) ([]byte, error) {
	host, port, err := net.SplitHostPort(target.KeyValue.Addresses[0])
	if err != nil {
		return nil, err
	}
	return exec.Command("redis-benchmark", "-h", host, "-p", port, "-a", target.KeyValue.Password, "-t", "get",
		"-c", strconv.Itoa(connections), "-P", strconv.Itoa(pipeline), "-n", strconv.Itoa(requests), "-d", "96",
		"-r", fmt.Sprint(target.KeyValue.Keys), "--csv").Output()
}

// memcaslap gets keys that it has set itself in this run, 96 bytes each.
func memcaslap(target *drive.Target, connections int, _ float64) (float64, error) {
	config, err := os.CreateTemp("", "memcaslap")
	if err != nil {
		return 0, err
	}
	defer os.Remove(config.Name())
	if _, err := config.WriteString("key\n16 16 1\nvalue\n96 96 1\ncmd\n0 0.1\n1 0.9\n"); err != nil {
		return 0, err
	}
	if err := config.Close(); err != nil {
		return 0, err
	}
	output, err := exec.Command("memcaslap", "-s", target.KeyValue.Addresses[0], "-F", config.Name(), "-t", "1s",
		"-c", strconv.Itoa(connections), "-T", "1").Output()
	if err == nil && !strings.Contains(string(output), "get_misses: 0\n") {
		err = fmt.Errorf("misses: %s", daemon.Printable(string(output)))
	}
	return foundIn(output, err, `TPS: ([0-9.]+)`)
}

// openMemcached is a memcached without a password, for memcaslap cannot log in. Only the first command of a
// connection differs.
func openMemcached(b *testing.B, _ peer, _ []int, ours *loaded) *drive.Target {
	b.Helper()
	program, err := exec.LookPath("memcached")
	if err != nil {
		b.Fatal(err)
	}
	var process *daemon.Process
	var address string
	err = daemon.OnFreePort(here, func(port int) (err error) {
		address = daemon.JoinPort(here, port)
		process, err = (&daemon.Program{Name: "memcached", Path: program}).Start(daemon.Settings{
			Arguments: []string{"-l", here.String(), "-p", strconv.Itoa(port), "-U", "0", "-m", "1024",
				"-t", strconv.Itoa(len(ours.serverCPUs))},
			CPUs: ours.serverCPUs,
		})
		if err != nil {
			return err
		}
		return process.Await(func() error {
			connection, err := net.Dial("tcp", address)
			if err != nil {
				return err
			}
			return connection.Close()
		})
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(process.Stop)
	return &drive.Target{KeyValue: &drive.KeyValueTarget{Addresses: []string{address}}}
}

// ownCluster is for a peer that changes what our client checks.
func ownCluster(b *testing.B, p peer, cpus []int, ours *loaded) *drive.Target {
	b.Helper()
	theirs := loadedBy(b, p.operation, p.parameters, cpus)
	if !slices.Equal(ours.serverCPUs, theirs.serverCPUs) || !slices.Equal(ours.clientCPUs, theirs.clientCPUs) {
		b.Fatalf("different CPUs: %v %v, %v %v", ours.serverCPUs, ours.clientCPUs, theirs.serverCPUs, theirs.clientCPUs)
	}
	return theirs.target
}

// pgbench is counted in its third second: for the first two, new sessions of PostgreSQL still read its catalog and map
// its buffers, which our client's did before.
func pgbench(script ...string) func(*drive.Target, int, float64) (float64, error) {
	return func(target *drive.Target, connections int, _ float64) (float64, error) {
		program, err := findPostgreSQL()
		if err != nil {
			return 0, err
		}
		arguments := append([]string{"-h", filepath.Dir(target.SQL.Address), "-p", "5432", "-U", target.SQL.User, "-M", "prepared", "-n",
			"-c", strconv.Itoa(connections), "-j", "1", "-T", "3", "-P", "1"}, script...)
		output, err := exec.Command(filepath.Join(filepath.Dir(program.Path), "pgbench"), append(arguments, "postgres")...).CombinedOutput()
		return foundIn(output, err, `progress: 3\.[0-9] s, ([0-9.]+) tps`)
	}
}

func foundIn(output []byte, err error, pattern string) (float64, error) {
	if err != nil {
		return 0, err
	}
	found := regexp.MustCompile(pattern).FindSubmatch(output)
	if found == nil {
		return 0, fmt.Errorf("no figure in %s", daemon.Printable(string(output)))
	}
	return strconv.ParseFloat(string(found[1]), 64)
}

// loaded is a server with our client.
type loaded struct {
	*site
	target *drive.Target
}

func loadedBy(b *testing.B, operation string, load map[string]any, cpus []int) *loaded {
	b.Helper()
	service, err := serviceOf(operation)
	if err != nil {
		b.Fatal(err)
	}
	raw, err := json.Marshal(load)
	if err != nil {
		b.Fatal(err)
	}
	parameters, values, err := service.read(raw)
	if err != nil {
		b.Fatal(err)
	}
	l := &loaded{}
	kept := *service
	kept.plan = func(request *protocol.PrepareRequest, values protocol.Parameters, inputs *protocol.Inputs) (*plan, error) {
		made, err := service.plan(request, values, inputs)
		if err != nil {
			return nil, err
		}
		start := made.start
		made.start = func(cpus []int, address net.IP) (running, *drive.Target, map[string]string, error) {
			server, target, libraries, err := start(cpus, address)
			l.target = target
			return server, target, libraries, err
		}
		return made, nil
	}
	request := &protocol.PrepareRequest{Operation: operation, Threads: len(cpus), CPUs: cpus, Seed: 1}
	l.site, _, err = newSite(request, &kept, parameters, values)
	if isUnavailable(err) {
		b.Skip(err)
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(l.End)
	return l
}

// BenchmarkPeers takes pairs of a second of our client and one of an established client, in random
// order on the same server, and reports the ratio of requests/s. bench/README.md has results.
func BenchmarkPeers(b *testing.B) {
	cpus, err := cpu.Allowed() // before a client restricts this process to its own
	if err != nil {
		b.Fatal(err)
	}
	for _, p := range peers {
		b.Run(p.name, func(b *testing.B) {
			ours := loadedBy(b, p.operation, p.parameters, cpus)
			theirs := ours.target
			if p.own != nil {
				theirs = p.own(b, p, cpus, ours)
			}
			connections := p.parameters["connections_per_server_cpu"].(int) * len(ours.serverCPUs)
			var server, client, beside, last float64
			sample := func() float64 {
				taken, err := ours.measure(&protocol.MeasureRequest{Sample: time.Second})
				if err != nil {
					b.Fatal(err)
				}
				var ops int64
				for _, thread := range taken.Threads {
					ops += thread.Ops
				}
				share := func(part partSample) float64 {
					return float64(part.CPUNS) / float64(part.ElapsedNS) / float64(part.CPUCount)
				}
				server += share(taken.Parts[0]) / pairs
				client += share(taken.Parts[1]) / pairs
				last = float64(ops) * 1e9 / float64(taken.Threads[0].ElapsedNS)
				return last
			}
			sample()
			server, client = 0, 0
			ratio := pairsOf(sample, func() float64 {
				start, before := time.Now(), idleOf(b, ours.serverCPUs)
				other, err := p.run(theirs, connections, last)
				if err != nil {
					b.Fatal(err)
				}
				// With the time that the peer takes to start and to connect.
				idle := idleOf(b, ours.serverCPUs) - before
				beside += (1 - float64(idle)/float64(time.Since(start))/float64(len(ours.serverCPUs))) / pairs
				return other
			})
			fmt.Printf("| %s | %s | %.0f %% | %.0f %% | %.0f %% |\n", p.name, ratio, server*100, client*100, beside*100)
		})
	}
}

// idleOf is how long CPUs have been idle since the machine booted, together, to 10 ms each.
func idleOf(b *testing.B, cpus []int) time.Duration {
	b.Helper()
	content, err := os.ReadFile("/proc/stat")
	if err != nil {
		b.Fatal(err)
	}
	const tick = 10 * time.Millisecond // USER_HZ is 100 on all architectures that we support
	var sum time.Duration
	for line := range strings.Lines(string(content)) {
		fields := strings.Fields(line)
		if !slices.ContainsFunc(cpus, func(number int) bool { return fields[0] == "cpu"+strconv.Itoa(number) }) {
			continue
		}
		for _, field := range fields[4:6] { // idle, iowait: proc_stat(5)
			ticks, err := strconv.ParseInt(field, 10, 64)
			if err != nil {
				b.Fatal(err)
			}
			sum += time.Duration(ticks) * tick
		}
	}
	return sum
}

// pairs is how many a comparison has.
const pairs = 20

// pairsOf takes pairs of requests/s, each pair in random order, and returns cells of a table: pairs, the means of both, their
// ratio with its 95 % CI, and the standard deviation of a pair's ratio.
func pairsOf(first, second func() float64) string {
	const quantile = 2.093 // Student's t for 19 degrees of freedom, 95 %
	var firsts, seconds float64
	var logs []float64
	for range pairs {
		var a, b float64
		if rand.IntN(2) == 0 {
			a = first()
			b = second()
		} else {
			b = second()
			a = first()
		}
		firsts += a / pairs
		seconds += b / pairs
		logs = append(logs, math.Log(a/b))
	}
	var mean, squares float64
	for _, value := range logs {
		mean += value / pairs
	}
	for _, value := range logs {
		squares += (value - mean) * (value - mean)
	}
	deviation := math.Sqrt(squares / (pairs - 1))
	margin := quantile * deviation / math.Sqrt(pairs)
	return fmt.Sprintf("%d | %.0f | %.0f | %.3f | %.3f to %.3f | %.1f %%", pairs, firsts, seconds,
		math.Exp(mean), math.Exp(mean-margin), math.Exp(mean+margin), deviation*100)
}

// buildsVariable names two programs of this worker, separated by a colon.
const buildsVariable = "SIZEUP_TEST_BUILDS"

// BenchmarkBuilds compares two builds of this worker on rows of NGINX's, launch by launch: the first one's requests/s over
// the second one's. bench/README.md has results.
func BenchmarkBuilds(b *testing.B) {
	first, second, are := strings.Cut(os.Getenv(buildsVariable), ":")
	if !are {
		b.Skip(buildsVariable + " names no two programs")
	}
	content, err := os.ReadFile(filepath.Join(os.Getenv("SIZEUP_HOME"), "share/sizeup/inputs/page.html"))
	if err != nil {
		b.Fatal(err)
	}
	page := filepath.Join(openFolder(b), "page.html")
	if err := os.WriteFile(page, content, 0o644); err != nil {
		b.Fatal(err)
	}
	for _, row := range []struct {
		name, answer, connections string
		serverPercent             int
	}{
		{"https-page-keepalive", "page", "kept", 50},
		{"https-page-handshake", "page", "new", 50},
		{"https-plain", "plain", "kept", 33},
	} {
		parameters := map[string]any{
			"answer": row.answer, "connections": row.connections, "connections_per_server_cpu": 16, "tls": "1.2",
			"cipher": "ECDHE-ECDSA-AES128-GCM-SHA256", "curve": "X25519", "brotli_level": 5, "server_percent": row.serverPercent,
			"client": clientHere, "load": "closed",
		}
		inputs := map[string]any{}
		if row.answer == "page" {
			digest := sha256.Sum256(content)
			inputs["page"] = map[string]any{"path": page, "bytes": len(content), "sha256": hex.EncodeToString(digest[:])}
		}
		launch := func(program string) func() float64 {
			return func() float64 {
				w := startWorkerBy(b, []string{program})
				w.ready(requestOf(b, nginxService.operation.Name, parameters, inputs))
				sample := w.ask(`{"request":"measure","warmup_ns":200000000,"sample_ns":1000000000}`)
				threads, is := sample["threads"].([]any)
				if !is {
					b.Fatal(sample)
				}
				var ops, elapsed float64
				for _, thread := range threads {
					fields := thread.(map[string]any)
					ops, elapsed = ops+fields["ops"].(float64), fields["elapsed_ns"].(float64)
				}
				w.done()
				return ops * 1e9 / elapsed
			}
		}
		b.Run(row.name, func(b *testing.B) {
			fmt.Printf("| %s | %s |\n", row.name, pairsOf(launch(first), launch(second)))
		})
	}
}
