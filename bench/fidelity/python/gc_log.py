#!/usr/bin/env python3
"""The pauses that a row in Java reports (`gc_ns`) beside those in the virtual machine's own log, sample by sample.

usage: gc_log.py HOME CPUS SAMPLES WORKLOAD
HOME is a release folder, CPUS a list such as 0,1. A pause at the edge of a sample may be on one side only: the log's window is that of the answer,
and each thread begins and ends a little within it.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PAUSE = re.compile(r"\[(\d+)ns\].*Pause.* ([\d.]+)ms$")

home, cpus, samples, workload = sys.argv[1:]
home, cpus = pathlib.Path(home), [int(cpu) for cpu in cpus.split(",")]
request = [home / "bin/sizeup", "request", workload, "--samples", "1"]
prepare = json.loads(subprocess.run(request, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()[0])
with tempfile.TemporaryDirectory() as folder:
    log = pathlib.Path(folder, "gc.log")
    # System.nanoTime() is the monotonic clock, as in the answers.
    environment = {**os.environ, "JAVA_TOOL_OPTIONS": f"-Xlog:gc:file={log}:tn"}
    pipe = subprocess.PIPE
    worker = subprocess.Popen(
        [home / "libexec/sizeup/jvm"], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, env=environment
    )

    def ask(message):
        worker.stdin.write(json.dumps(message) + "\n")
        worker.stdin.flush()
        return json.loads(worker.stdout.readline())

    ask({**prepare, "threads": len(cpus), "cpus": cpus})
    measure = {"request": "measure", "warmup_ns": 5_000_000, "sample_ns": 1_000_000_000}
    answers = [ask(measure) for _ in range(int(samples))]
    worker.stdin.close()
    worker.wait()
    found = [PAUSE.match(line) for line in log.read_text().splitlines()]
    pauses = [(int(line[1]), float(line[2]) * 1e6) for line in found if line]
for answer in answers:
    thread = answer["threads"][0]
    end = answer["end_ns"]
    start = end - thread["elapsed_ns"]
    logged = sum(min(at, end) - max(at - lasted, start) for at, lasted in pauses if at > start and at - lasted < end)
    print(f"reported {thread['gc_ns'] / 1e6:7.0f} ms, logged {logged / 1e6:9.1f} ms, difference {(thread['gc_ns'] - logged) / 1e6:+7.1f} ms")
