#!/usr/bin/env python3
"""Pairs of launches of the workers node, jvm and python and of plain loops over the same files.

usage: language_pairs.py HOME CPU PAIRS WARM_UP_S SAMPLES SAMPLE_MS [WORKLOAD ...]
HOME is a release folder. Both launches of a pair are new processes, pinned to CPU: compilers decide anew in each. They take samples in
turn, one sleeps while the other works. The first ones do not count, until each side has had WARM_UP_S seconds of CPU time: on a busy
machine, seconds of the clock would warm up little. Times are CPU time of the whole process, with its compilers and collector.
"""

import json
import math
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parents[1]
# Student's t, 97.5 %, by degrees of freedom; and with more.
T = {2: 4.30, 3: 3.18, 4: 2.78, 5: 2.57, 6: 2.45, 7: 2.36, 8: 2.31, 9: 2.26, 11: 2.20, 14: 2.14, 19: 2.09}
T_OF_MORE = 2.05
JVM = ["-XX:+UseG1GC", "-Xms2g", "-Xmx2g"]
CLASSES = tempfile.TemporaryDirectory()
# Rows with libraries of the apps pack need SIZEUP_APPS.
JARS = sorted(map(str, pathlib.Path(os.environ.get("SIZEUP_APPS", "")).glob("usr/share/java/*.jar")))
CLASS_PATH = ":".join([CLASSES.name, *JARS])
# Workload, worker, loop, inputs of the loop.
PEERS = [
    ("json-parse-api/node", "node", ["node", HERE / "node/json_loop.js"], ["orders.json"]),
    ("regex-log/jvm", "jvm", ["java", *JVM, "-cp", CLASSES.name, "RegexLoop"], ["access.log", "pattern-fields.txt"]),
    ("json-parse-api/jackson", "jvm", ["java", *JVM, "-cp", CLASS_PATH, "JacksonLoop", "parse"], ["orders.json"]),
    ("json-encode-api/jackson", "jvm", ["java", *JVM, "-cp", CLASS_PATH, "JacksonLoop", "encode"], ["orders.json"]),
    ("search-zipf/lucene", "jvm", ["java", *JVM, "-cp", CLASS_PATH, "LuceneLoop"], []),
    ("render-table-1000/jinja", "python", ["python3", HERE / "python/jinja_loop.py"], ["orders.json"]),
    ("json-parse-api/cpython", "python", ["python3", HERE / "python/json_loop.py"], ["orders.json"]),
]


class Side:
    """A process that takes samples when it is asked."""

    def __init__(self, command):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline()

    def end(self):
        self.process.stdin.close()
        self.process.wait()


class Loop(Side):
    def sample(self, ns):
        """Ops and CPU time in ns."""
        ops, cpu_ns = self.ask(str(ns)).split()
        return int(ops), int(cpu_ns)


class Worker(Side):
    def __init__(self, program, prepare):
        super().__init__([program])
        self.ask(prepare)

    def sample(self, ns):
        answer = json.loads(self.ask(json.dumps({"request": "measure", "warmup_ns": 0, "sample_ns": ns})))
        return answer["threads"][0]["ops"], answer["process_cpu_ns"]


def pair(start_sides, warm_up_s, samples, ns):
    """Ops per second of CPU time of each side."""
    sides = [start() for start in start_sides]
    warm_ns = [0, 0]
    while min(warm_ns) < warm_up_s * 1e9:
        for side in (0, 1):
            warm_ns[side] += sides[side].sample(ns)[1]
    totals = [[0, 0], [0, 0]]
    for _ in range(samples):
        for side in random.sample([0, 1], 2):
            for place, value in enumerate(sides[side].sample(ns)):
                totals[side][place] += value
    for side in sides:
        side.end()
    return [ops * 1e9 / cpu_ns for ops, cpu_ns in totals]


def main():
    home, cpu, pairs, warm_up_s, samples, sample_ms, *wanted = sys.argv[1:]
    home, pairs, ns = pathlib.Path(home), int(pairs), int(sample_ms) * 1_000_000
    os.sched_setaffinity(0, [int(cpu)])
    # Not from its source: the compiler would be compiled as well.
    loops = HERE.glob("java/*.java") if JARS else [HERE / "java/RegexLoop.java"]
    subprocess.run(["javac", "-d", CLASSES.name, "-cp", CLASS_PATH, *loops], check=True)
    for workload, worker, loop, inputs in PEERS:
        if wanted and workload not in wanted:
            continue
        loop = [*loop, *(home / "share/sizeup/inputs" / name for name in inputs)]
        request = [home / "bin/sizeup", "request", workload, "--samples", "1"]
        prepare = subprocess.run(request, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()[0]
        # It is warmed up as the loop is.
        if worker != "python":
            request = json.loads(prepare)
            request["parameters"]["warm_up_ms"] = 1
            prepare = json.dumps(request)
        start = [lambda: Loop(loop), lambda: Worker(home / "libexec/sizeup" / worker, prepare)]
        rates = [pair(start, float(warm_up_s), int(samples), ns) for _ in range(pairs)]
        logs = [math.log(of_worker / of_loop) for of_loop, of_worker in rates]
        error = T.get(pairs - 1, T_OF_MORE) * statistics.stdev(logs) / math.sqrt(pairs)
        spread = [100 * statistics.stdev(map(math.log, side)) for side in zip(*rates)]
        mean = statistics.mean(logs)
        print(
            f"{workload}: worker ÷ loop {math.exp(mean):.3f} ({math.exp(mean - error):.3f} to {math.exp(mean + error):.3f}), "
            f"median {math.exp(statistics.median(logs)):.3f}, {pairs} pairs; "
            f"launches differ by {spread[1]:.1f} % (loop {spread[0]:.1f} %); "
            f"{statistics.median(of_worker for _, of_worker in rates):.1f}/s of CPU time",
            flush=True,
        )


main()
