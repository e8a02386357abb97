package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
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
	// run loads the server for about a second, on the client's CPUs, and returns requests/s.
	run func(target *drive.Target, connections int, perS float64) (float64, error)
	// hasOwn: it changes what our client checks, and gets a server of its own, of the same kind.
	hasOwn bool
}

var peers = []peer{
	{"GET/redis-benchmark", "kv/valkey", cacheLoad(1), redisBenchmark(1), false},
	{"GET-p10/redis-benchmark", "kv/valkey", cacheLoad(10), redisBenchmark(10), false},
	{"select/pgbench", "sql/postgresql", databaseLoad("select", 8), pgbench("-S"), false},
	{"tpcb/pgbench", "sql/postgresql", databaseLoad("tpcb", 2), pgbench("-b", "tpcb-like"), true},
}

func cacheLoad(pipeline int) map[string]any {
	return map[string]any{
		"processes": "one", "keys": 1_000_000, "value_bytes": 96, "get_percent": 100, "pipeline": pipeline,
		"connections_per_server_cpu": 32, "server_percent": 50, "client": clientHere, "load": "closed",
	}
}

func databaseLoad(script string, connections int) map[string]any {
	return map[string]any{
		"script": script, "scale_per_server_cpu": 10, "connections_per_server_cpu": connections, "server_percent": 50,
		"client": clientHere, "load": "closed",
	}
}

func redisBenchmark(pipeline int) func(*drive.Target, int, float64) (float64, error) {
	return func(target *drive.Target, connections int, perS float64) (float64, error) {
		host, port, err := net.SplitHostPort(target.KeyValue.Addresses[0])
		if err != nil {
			return 0, err
		}
		output, err := exec.Command("redis-benchmark", "-h", host, "-p", port, "-a", target.KeyValue.Password, "-t", "get",
			"-c", strconv.Itoa(connections), "-P", strconv.Itoa(pipeline), "-n", strconv.Itoa(int(perS)), "-d", "96",
			"-r", fmt.Sprint(target.KeyValue.Keys), "--csv").Output()
		return foundIn(output, err, `"GET","([0-9.]+)"`)
	}
}

func pgbench(script ...string) func(*drive.Target, int, float64) (float64, error) {
	return func(target *drive.Target, connections int, _ float64) (float64, error) {
		program, err := findPostgreSQL()
		if err != nil {
			return 0, err
		}
		arguments := append([]string{"-h", filepath.Dir(target.SQL.Address), "-p", "5432", "-U", target.SQL.User, "-M", "prepared", "-n",
			"-c", strconv.Itoa(connections), "-j", "1", "-T", "1"}, script...)
		output, err := exec.Command(filepath.Join(filepath.Dir(program.Path), "pgbench"), append(arguments, "postgres")...).Output()
		return foundIn(output, err, `tps = ([0-9.]+) \(without initial`)
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

func loadedBy(b *testing.B, p peer, cpus []int) *loaded {
	b.Helper()
	service, err := serviceOf(p.operation)
	if err != nil {
		b.Fatal(err)
	}
	raw, err := json.Marshal(p.parameters)
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
	request := &protocol.PrepareRequest{Operation: p.operation, Threads: len(cpus), CPUs: cpus, Seed: 1}
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

// BenchmarkPeers takes pairs of a sample of ours and a run of an established client, each of a second, in random
// order on the same server, and reports the ratio of requests/s. bench/README.md has results.
func BenchmarkPeers(b *testing.B) {
	const pairs, quantile = 20, 2.093 // Student's t for 19 degrees of freedom, 95 %
	cpus, err := cpu.Allowed()        // before a client restricts this process to its own
	if err != nil {
		b.Fatal(err)
	}
	for _, p := range peers {
		b.Run(p.name, func(b *testing.B) {
			ours := loadedBy(b, p, cpus)
			theirs := ours
			if p.hasOwn {
				theirs = loadedBy(b, p, cpus)
			}
			if !slices.Equal(ours.serverCPUs, theirs.serverCPUs) || !slices.Equal(ours.clientCPUs, theirs.clientCPUs) {
				b.Fatalf("different CPUs: %v %v, %v %v", ours.serverCPUs, ours.clientCPUs, theirs.serverCPUs, theirs.clientCPUs)
			}
			connections := p.parameters["connections_per_server_cpu"].(int) * len(ours.serverCPUs)
			var server, client, perS, peerPerS float64
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
				return float64(ops) * 1e9 / float64(taken.Threads[0].ElapsedNS)
			}
			last := sample()
			server, client = 0, 0
			var logs []float64
			for range pairs {
				var mine, other float64
				isFirst := rand.IntN(2) == 0
				if isFirst {
					mine = sample()
				}
				other, err := p.run(theirs.target, connections, last)
				if err != nil {
					b.Fatal(err)
				}
				if !isFirst {
					mine = sample()
				}
				last = mine
				perS += mine / pairs
				peerPerS += other / pairs
				logs = append(logs, math.Log(mine/other))
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
			fmt.Printf("| %s | %d | %.0f | %.0f | %.3f | %.3f to %.3f | %.1f %% | %.0f %% | %.0f %% |\n", p.name, pairs, perS, peerPerS,
				math.Exp(mean), math.Exp(mean-margin), math.Exp(mean+margin), deviation*100, server*100, client*100)
		})
	}
}
