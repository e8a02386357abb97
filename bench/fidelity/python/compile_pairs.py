#!/usr/bin/env python3
"""Pairs of launches of the worker agents and of hyperfine on the same compiler and file, in random order.

usage: compile_pairs.py HOME CPU WORKLOAD PAIRS EXECUTIONS
PAIRS is 20 or more. HOME is a release folder; SIZEUP_APPS names the apps pack. Both sides are pinned to CPU. Ratios are of CPU time, so that a busy machine counts less,
and of time.
"""

import json
import math
import os
import pathlib
import random
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile

CLANG = "zig clang -x cpp-output --target=x86_64-unknown-linux-gnu -O2 -fno-ident -w -c -o object.o source.i"
GO = "compile -p syntax -complete -pack -c=1 -trimpath=FOLDER=>source -o object.o source.go"
# Command and input.
ROWS = {
    "compile-c/clang": (CLANG, "zstd_opt.i"),
    "compile-c-small/clang": (CLANG, "entropy_common.i"),
    "compile-go/go": (GO, "regexp-syntax.go"),
}
# Student's t, 97.5 %, of 19 degrees of freedom and more.
T = 2.1
TARGET = {"GOOS": "linux", "GOARCH": "amd64", "GOMAXPROCS": "1"}


def by_hyperfine(command, folder, executions):
    """CPU time and time of an execution, in seconds."""
    subprocess.run(
        ["hyperfine", "-N", "--warmup", "1", "--runs", str(executions), "--export-json", "result.json", command],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": folder, **TARGET},
    )
    [result] = json.loads(pathlib.Path(folder, "result.json").read_text())["results"]
    return result["user"] + result["system"], result["mean"]


def by_worker(program, requests):
    process = subprocess.run([program], input=requests, stdout=subprocess.PIPE, check=True, text=True)
    samples = [answer["threads"][0] for answer in map(json.loads, process.stdout.splitlines()) if answer["answer"] == "sample"]
    ops = sum(sample["ops"] for sample in samples)
    return [sum(sample[name] for sample in samples) / ops / 1e9 for name in ("cpu_ns", "elapsed_ns")]


def ratio(logs):
    mean, error = statistics.mean(logs), T * statistics.stdev(logs) / math.sqrt(len(logs))
    median = math.exp(statistics.median(logs))
    return f"{math.exp(mean):.3f} ({math.exp(mean - error):.3f} to {math.exp(mean + error):.3f}), median {median:.3f}"


def main():
    home, cpu, workload, pairs, executions = sys.argv[1:]
    home, pairs, executions = pathlib.Path(home), int(pairs), int(executions)
    os.sched_setaffinity(0, [int(cpu)])
    command, source = ROWS[workload]
    tools = subprocess.run(["go", "env", "GOTOOLDIR"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    programs = {"zig": pathlib.Path(os.environ["SIZEUP_APPS"], "usr/bin/zig").resolve(), "compile": pathlib.Path(tools, "compile")}
    # A sample has three ops at least.
    options = ["--samples", str(executions // 3), "--sample-time", "1ms"]
    request = [home / "bin/sizeup", "request", workload, *options]
    requests = subprocess.run(request, check=True, stdout=subprocess.PIPE, text=True).stdout
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        shutil.copy(home / "share/sizeup/inputs" / source, pathlib.Path(folder, "source" + pathlib.Path(source).suffix))
        program, *arguments = command.replace("FOLDER", folder).split()
        shown = shlex.join([str(programs[program]), *arguments])
        sides = [
            lambda: by_hyperfine(shown, folder, executions),
            lambda: by_worker(home / "libexec/sizeup/agents", requests),
        ]
        logs, times = [], []
        for _ in range(pairs):
            took = {side: sides[side]() for side in random.sample([0, 1], 2)}
            logs.append([math.log(worker / peer) for peer, worker in zip(took[0], took[1])])
            times.append(took[1][0])
    of_cpu, of_time = map(ratio, zip(*logs))
    print(
        f"{workload}: worker ÷ hyperfine of CPU time {of_cpu}; of time {of_time}; {pairs} pairs of {executions} executions; "
        f"{statistics.median(times) * 1000:.0f} ms of CPU time"
    )


main()
