#!/usr/bin/env python3
"""Pairs of samples of the worker `data` and of another program over the same tables, in random order.

usage: [SIZEUP_APPS=…] sql_pairs.py WORKER CPU PAIRS SAMPLE_MS TABLE ROW [LOOP]
TABLE is workloads/data.toml and ROW the ID of a row of DuckDB, whose peer is its Python, or of SQLite, whose peer is LOOP, which is
bench/fidelity/c/sqlite_loop.c. Both are in processes that live as long as the pairs, pinned to CPU; times are CPU time of the thread, so that
a busy machine does not count.
"""

import json
import os
import pathlib
import sys
import time
import tomllib

from sides import Loop, Worker, pair

SQL = pathlib.Path(__file__).parents[3] / "workers/data/src/sql"
QUERIES = {"parquet-scan": (["draws", "tpch", "parquet"], "scan"), "group-by-url": (["draws", "hits"], "group")}


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
    if loop:
        peer = Loop([loop[0], row.split("-")[1].split("/")[0]])
        peer.version = peer.process.stdout.readline().strip()
    else:
        peer = Python(parameters["query"], parameters["rows"])
    worker = Worker(program, f"{entry['operation']}/{row.split('/')[1]}", parameters, cpu)
    ratio, ops_per_s = pair(worker, peer, pairs, least_ns)
    libraries = worker.ready["build"]["libraries"]
    print(f"{row}: {libraries} ÷ {peer.version} {ratio}; {ops_per_s:.1f}/s of CPU time", flush=True)
    worker.ask(request="finish")


main()
