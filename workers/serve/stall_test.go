package main

import (
	"encoding/csv"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sizeup/gokit/cpu"
	"sizeup/gokit/protocol"
)

// latencies is what a client reports, in ms.
type latencies struct{ p50, p99, longest float64 }

// stallClient loads a server for about a second and reports latencies.
type stallClient struct {
	name string
	run  func(server *loaded) (latencies, error)
}

const (
	stallTime  = 100 * time.Millisecond
	stallAfter = 600 * time.Millisecond // within the load of every client
)

// stall stops the server's processes for stallTime, as a hypervisor or a collector of garbage would.
func stall(b *testing.B, process string) {
	b.Helper()
	signal := func(signal unix.Signal) {
		for _, pid := range descendantsOf(b, os.Getpid()) {
			if number, err := strconv.Atoi(pid); err == nil && nameOf(pid) == process {
				_ = unix.Kill(number, signal) // a connection's process may have ended
			}
		}
	}
	time.Sleep(stallAfter)
	signal(unix.SIGSTOP)
	time.Sleep(stallTime)
	signal(unix.SIGCONT)
}

// scheduled is our client at the row's fixed rate.
func scheduled(server *loaded) (latencies, error) {
	sample, err := server.measure(&protocol.MeasureRequest{Sample: time.Second})
	if err != nil {
		return latencies{}, err
	}
	ms := func(share float64) float64 { return float64(belowNS(sample.Latency, share)) / 1e6 }
	return latencies{ms(0.5), ms(0.99), ms(1)}, nil
}

func closedRedisBenchmark(server *loaded) (latencies, error) {
	const requests = 150_000
	output, err := redisBenchmarkCSV(server.target, 32*len(server.serverCPUs), 1, requests)
	if err != nil {
		return latencies{}, err
	}
	rows, err := csv.NewReader(strings.NewReader(string(output))).ReadAll()
	if err != nil {
		return latencies{}, err
	}
	if len(rows) != 2 {
		return latencies{}, fmt.Errorf("redis-benchmark wrote %d rows, not 2", len(rows))
	}
	at := func(heading string) (value float64) {
		if column := slices.Index(rows[0], heading); column >= 0 && err == nil {
			value, err = strconv.ParseFloat(rows[1][column], 64)
		}
		return value
	}
	return latencies{at("p50_latency_ms"), at("p99_latency_ms"), at("max_latency_ms")}, err
}

// loggedPgbench reads pgbench's log of all transactions. With a rate it counts from when each was due.
func loggedPgbench(arguments ...string) func(server *loaded) (latencies, error) {
	return func(server *loaded) (latencies, error) {
		folder, err := os.MkdirTemp("", "pgbench")
		if err != nil {
			return latencies{}, err
		}
		defer os.RemoveAll(folder)
		prefix := filepath.Join(folder, "log")
		arguments := append([]string{"-S", "-l", "--log-prefix=" + prefix}, arguments...)
		if _, err := pgbench(arguments...)(server.target, 8*len(server.serverCPUs), 0); err != nil {
			return latencies{}, err
		}
		var times []float64
		logs, err := filepath.Glob(prefix + ".*")
		if err != nil {
			return latencies{}, err
		}
		for _, log := range logs {
			content, err := os.ReadFile(log)
			if err != nil {
				return latencies{}, err
			}
			for line := range strings.Lines(string(content)) {
				const column = 2 // µs
				µs, err := strconv.ParseFloat(strings.Fields(line)[column], 64)
				if err != nil {
					return latencies{}, err
				}
				times = append(times, µs/1000)
			}
		}
		if len(times) == 0 {
			return latencies{}, fmt.Errorf("no transaction is in pgbench's log")
		}
		slices.Sort(times)
		at := func(share float64) float64 { return times[int(share*float64(len(times)-1))] }
		return latencies{at(0.5), at(0.99), at(1)}, nil
	}
}

// BenchmarkStall shows which clients' latencies have a server's stall of 100 ms: each loads the same server
// for a second, five times without a stall and five times with one. bench/README.md has results.
func BenchmarkStall(b *testing.B) {
	const times = 5
	atRate := func(load map[string]any, rate int) map[string]any {
		load = maps.Clone(load)
		load["load"], load["rate_per_server_cpu"] = "rate", rate
		return load
	}
	cpus, err := cpu.Allowed() // before a client restricts this process to its own
	if err != nil {
		b.Fatal(err)
	}
	for _, server := range []struct {
		operation, process string
		parameters         map[string]any
		clients            []stallClient
	}{
		{"kv/valkey", "redis-server", atRate(cacheLoad(1), 10_000), []stallClient{
			{"sizeup, 10,000 requests/s", scheduled},
			{"redis-benchmark, closed loop", closedRedisBenchmark},
		}},
		{"sql/postgresql", "postgres", atRate(databaseLoad("select", 8), 500), []stallClient{
			{"sizeup, 500 transactions/s", scheduled},
			{"pgbench -R 500", loggedPgbench("-R", "500", "-T", "2")},
			{"pgbench, closed loop", loggedPgbench()},
		}},
	} {
		b.Run(server.operation, func(b *testing.B) {
			loaded := loadedBy(b, server.operation, server.parameters, cpus)
			for _, client := range server.clients {
				for _, isStalled := range []bool{false, true} {
					var all [3][]float64
					for range times {
						stalled := make(chan struct{})
						go func() {
							defer close(stalled)
							if isStalled {
								stall(b, server.process)
							}
						}()
						found, err := client.run(loaded)
						<-stalled
						if err != nil {
							b.Fatal(client.name, err)
						}
						for i, value := range []float64{found.p50, found.p99, found.longest} {
							all[i] = append(all[i], value)
						}
					}
					median := func(i int) float64 { return slices.Sorted(slices.Values(all[i]))[times/2] }
					fmt.Printf("| %s | %v | %.2f | %.1f | %.1f |\n", client.name, isStalled, median(0), median(1), median(2))
				}
			}
		})
	}
}
