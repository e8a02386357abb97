#!/usr/bin/env python3
"""Pairs of samples of the worker `data` and of another program over the same tables, in random order.

usage: [SIZEUP_APPS=…] sql_pairs.py WORKER CPU PAIRS SAMPLE_MS TABLE ROW [LOOP]
TABLE is workloads/data.toml and ROW the ID of a row of DuckDB, whose peer is its Python, or of SQLite, whose peer is LOOP, which is
bench/fidelity/c/sqlite_loop.c. Both are in processes that live as long as the pairs, pinned to CPU; times are CPU time of the thread, so that
a busy machine does not count.
"""

import json
import math
import os
import pathlib
import random
import statistics
import subprocess
import sys
import time
import tomllib

SQL = pathlib.Path(__file__).parents[3] / "workers/data/src/sql"
QUERIES = {"parquet-scan": (["draws", "tpch", "parquet"], "scan"), "group-by-url": (["draws", "hits"], "group")}
# Student's t, 97.5 %, of many degrees of freedom.
T = 2.0


class Worker:
    def __init__(self, program, operation, parameters, cpu):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        request = {"operation": operation, "parameters": parameters, "threads": 1, "cpus": [cpu], "seed": 42, "inputs": {}}
        ready = self.ask(request="prepare", protocol=1, **request)
        self.version = ready["build"]["libraries"]

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if answer["answer"] == "error":
            sys.exit(f"the worker: {answer['message']}")
        return answer

    def sample(self, least_ns):
        [thread] = self.ask(request="measure", warmup_ns=1_000_000, sample_ns=least_ns)["threads"]
        return thread["ops"] * 1e9 / thread["cpu_ns"]


class Loop:
    def __init__(self, program, row):
        self.process = subprocess.Popen([program, row.split("-")[1].split("/")[0]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.version = self.process.stdout.readline().strip()

    def sample(self, least_ns):
        self.process.stdin.write(f"{least_ns}\n")
        self.process.stdin.flush()
        ops, cpu_ns = map(int, self.process.stdout.readline().split())
        return ops * 1e9 / cpu_ns


class Python:
    def __init__(self, query, rows):
        import duckdb

        self.version = duckdb.__version__
        scripts, name = QUERIES.get(query, (["draws", "tpch"], query))
        file = f"/proc/self/fd/{os.memfd_create('parquet')}"
        settings = {"threads": "1", "temp_directory": "", "enable_external_file_cache": "false"}
        self.tables = duckdb.connect(":memory:", config=settings)
        of = lambda script: (SQL / f"{script}.sql").read_text().replace("{rows}", str(rows)).replace("{file}", file)
        for script in scripts:
            self.tables.execute(of(script))
        self.query = of(name)

    def sample(self, least_ns):
        ops, start, begin = 0, time.thread_time_ns(), time.monotonic_ns()
        while time.monotonic_ns() - begin < least_ns:
            self.tables.execute(self.query).fetchall()
            ops += 1
        return ops * 1e9 / (time.thread_time_ns() - start)


def rows_of(table):
    """ID → operation and parameters; of a sweep, the values that its IDs take."""
    for entry in tomllib.loads(pathlib.Path(table).read_text())["workload"]:
        [(name, values)] = entry.get("sweep", {"none": [None]}).items()
        for value in values:
            filled = json.dumps(entry)
            for field, text in value.items() if isinstance(value, dict) else []:
                filled = filled.replace("{%s.%s}" % (name, field), str(text))
            yield (row := json.loads(filled))["id"], row


def main():
    program, cpu, pairs, sample_ms, table, row, *loop = sys.argv[1:]
    cpu, pairs, least_ns = int(cpu), int(pairs), int(sample_ms) * 1_000_000
    os.sched_setaffinity(0, [cpu])
    entry = dict(rows_of(table))[row]
    parameters = entry["parameters"]
    peer = Loop(loop[0], row) if loop else Python(parameters["query"], parameters["rows"])
    worker = Worker(program, f"{entry['operation']}/{row.split('/')[1]}", parameters, cpu)
    sides = [peer, worker]
    for side in sides:
        side.sample(least_ns)
    logs, rates = [], []
    for _ in range(pairs):
        rate = {side: side.sample(least_ns) for side in random.sample(sides, 2)}
        logs.append(math.log(rate[worker] / rate[peer]))
        rates.append(rate[worker])
    mean, error = statistics.mean(logs), T * statistics.stdev(logs) / math.sqrt(pairs)
    print(
        f"{row}: {worker.version} ÷ {peer.version} {math.exp(mean):.3f} ({math.exp(mean - error):.3f} to {math.exp(mean + error):.3f}), "
        f"median {math.exp(statistics.median(logs)):.3f}, {pairs} pairs; {statistics.median(rates):.1f}/s of CPU time",
        flush=True,
    )
    worker.ask(request="finish")


main()
