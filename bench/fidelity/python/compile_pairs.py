#!/usr/bin/env python3
"""Pairs of launches of the worker agents and of hyperfine on the same compiler and file, in random order.

usage: compile_pairs.py HOME CPU PAIRS EXECUTIONS
HOME is a release folder; SIZEUP_APPS names the apps pack. Both sides are pinned to CPU. Ratios are of CPU time, so that a busy machine counts less,
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
# Workload, command, input.
ROWS = [
    ("compile-c/clang", CLANG, "zstd_opt.i"),
    ("compile-c-small/clang", CLANG, "entropy_common.i"),
    ("compile-go/go", GO, "regexp-syntax.go"),
]
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


def by_worker(program, requests, executions):
    process = subprocess.run([program], input=requests, stdout=subprocess.PIPE, check=True, text=True)
    samples = [answer["threads"][0] for answer in map(json.loads, process.stdout.splitlines()) if answer["answer"] == "sample"]
    # A sample of no length is one op.
    assert sum(sample["ops"] for sample in samples) == executions, samples
    return [sum(sample[name] for sample in samples) / executions / 1e9 for name in ("cpu_ns", "elapsed_ns")]


def ratio(logs):
    mean, error = statistics.mean(logs), T * statistics.stdev(logs) / math.sqrt(len(logs))
    median = math.exp(statistics.median(logs))
    return f"{math.exp(mean):.3f} ({math.exp(mean - error):.3f} to {math.exp(mean + error):.3f}), median {median:.3f}"


def main():
    home, cpu, pairs, executions = sys.argv[1:]
    home, executions = pathlib.Path(home), int(executions)
    os.sched_setaffinity(0, [int(cpu)])
    tools = subprocess.run(["go", "env", "GOTOOLDIR"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    zig = pathlib.Path(os.environ["SIZEUP_APPS"], "usr/bin/zig").resolve()
    for workload, command, source in ROWS:
        with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
            name = "source" + pathlib.Path(source).suffix
            shutil.copy(home / "share/sizeup/inputs" / source, pathlib.Path(folder, name))
            words = [word.replace("FOLDER", folder) for word in command.split()]
            words[0] = str(zig if words[0] == "zig" else pathlib.Path(tools, "compile"))
            shown = shlex.join(words)
            options = ["--samples", str(executions), "--sample-time", "1ms", "--warmup", "0ms"]
            requests = subprocess.run(
                [home / "bin/sizeup", "request", workload, *options], check=True, stdout=subprocess.PIPE, text=True
            ).stdout
            sides = [
                lambda: by_hyperfine(shown, folder, executions),
                lambda: by_worker(home / "libexec/sizeup/agents", requests, executions),
            ]
            logs, times = [], []
            for _ in range(int(pairs)):
                took = {side: sides[side]() for side in random.sample([0, 1], 2)}
                logs.append([math.log(worker / peer) for peer, worker in zip(took[0], took[1])])
                times.append(took[1][0])
            of_cpu, of_time = map(ratio, zip(*logs))
            print(
                f"{workload}: worker ÷ hyperfine of CPU time {of_cpu}; of time {of_time}; {pairs} pairs of {executions} executions; "
                f"{statistics.median(times) * 1000:.0f} ms of CPU time",
                flush=True,
            )


main()
