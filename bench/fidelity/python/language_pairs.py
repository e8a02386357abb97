#!/usr/bin/env python3
"""Pairs of launches of the workers node, jvm and python and of plain loops over the same files, in random order.

usage: language_pairs.py HOME CPU PAIRS SAMPLE_MS
HOME is a release folder. Each launch is a new process, pinned to CPU: compilers decide anew in each. Times are CPU time of the whole process,
with its compilers and collector, so that a busy machine does not count.
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
# The same for both sides, however busy the machine is.
WARM_UP_MS = 4000
# Student's t, 97.5 %, of 29 degrees of freedom and more.
T = 2.05
JVM = ["-XX:+UseG1GC", "-Xms2g", "-Xmx2g"]
CLASSES = tempfile.TemporaryDirectory()
# Workload, worker, loop, inputs of the loop.
PEERS = [
    ("json-parse-api/node", "node", ["node", HERE / "node/json_loop.js"], ["orders.json"]),
    ("regex-log/jvm", "jvm", ["java", *JVM, "-cp", CLASSES.name, "RegexLoop"], ["access.log", "pattern-fields.txt"]),
    ("json-parse-api/cpython", "python", ["python3", HERE / "python/json_loop.py"], ["orders.json"]),
]


def answer(command, **more):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def by_loop(loop, sample_ns):
    stretch = dict(line.split() for line in answer([*loop, str(WARM_UP_MS * 1_000_000), str(sample_ns)]).splitlines())
    return int(stretch["ops"]) * 1e9 / int(stretch["cpu_ns"])


def by_worker(program, requests):
    *_, sample, _ = map(json.loads, answer([program], input=requests).splitlines())
    [thread] = sample["threads"]
    return thread["ops"] * 1e9 / sample["process_cpu_ns"]


def main():
    home, cpu, pairs, sample_ms = sys.argv[1:]
    home, pairs = pathlib.Path(home), int(pairs)
    os.sched_setaffinity(0, [int(cpu)])
    # Not from its source: the compiler would be compiled as well.
    subprocess.run(["javac", "-d", CLASSES.name, HERE / "java/RegexLoop.java"], check=True)
    for workload, worker, loop, inputs in PEERS:
        loop = [*loop, *(home / "share/sizeup/inputs" / name for name in inputs)]
        program = home / "libexec/sizeup" / worker
        requests = answer([home / "bin/sizeup", "request", workload, "--samples", "1", "--sample-time", f"{sample_ms}ms"])
        if worker != "python":
            requests = requests.replace('"parameters":{}', f'"parameters":{{"warm_up_ms":{WARM_UP_MS}}}')
        sides = [
            lambda: by_loop(loop, int(sample_ms) * 1_000_000),
            lambda: by_worker(program, requests),
        ]
        logs, rates = [], []
        for _ in range(pairs):
            rate = {side: sides[side]() for side in random.sample([0, 1], 2)}
            logs.append(math.log(rate[1] / rate[0]))
            rates.append(rate[1])
        mean, error = statistics.mean(logs), T * statistics.stdev(logs) / math.sqrt(pairs)
        print(
            f"{workload}: worker ÷ loop {math.exp(mean):.3f} ({math.exp(mean - error):.3f} to {math.exp(mean + error):.3f}), "
            f"median {math.exp(statistics.median(logs)):.3f}, {pairs} pairs; {statistics.median(rates):.1f}/s of CPU time",
            flush=True,
        )


main()
