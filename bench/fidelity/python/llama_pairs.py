#!/usr/bin/env python3
"""Pairs of samples of the worker `ml` and of llama-loop over the same model and library, in random order.

usage: SIZEUP_APPS=… llama_pairs.py WORKER LOOP FOLDER KERNELS CPU PAIRS SAMPLE_MS [ROW…]
FOLDER is what llm-model wrote, KERNELS the library that the worker names as its path; a ROW is prompt-32-135m or generate-0.5b. Both are in
processes that live as long as the pairs, pinned to CPU; times are CPU time, so that a busy machine does not count.
"""

import json
import math
import random
import statistics
import subprocess
import sys

# Student's t, 97.5 %, of many degrees of freedom.
T = 2.0
ROWS = [f"{kind}-{model}" for model in ["135m", "0.5b"] for kind in ["prompt-32", "prompt-128", "generate"]]


class Worker:
    def __init__(self, program, operation, parameters, cpu):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ready = self.ask(
            request="prepare", protocol=1, operation=operation, parameters=parameters, threads=1, cpus=[cpu], seed=42, inputs={}
        )

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
    def __init__(self, arguments, cpu):
        self.process = subprocess.Popen(
            ["taskset", "-c", str(cpu), *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def sample(self, least_ns):
        self.process.stdin.write(f"{least_ns}\n")
        self.process.stdin.flush()
        ops, cpu_ns = map(int, self.process.stdout.readline().split())
        return ops * 1e9 / cpu_ns


def main():
    program, loop, folder, kernels, cpu, pairs, sample_ms, *rows = sys.argv[1:]
    cpu, pairs, least_ns = int(cpu), int(pairs), int(sample_ms) * 1_000_000
    for row in rows or ROWS:
        kind, model = row.rsplit("-", 1)
        name, _, tokens = kind.partition("-")
        tokens = int(tokens or 128)
        worker = Worker(program, f"llm-{name}/llamacpp", {"model": model, "tokens": tokens}, cpu)
        sides = [Loop([loop, kernels, f"{folder}/{model}.gguf", name, str(tokens)], cpu), worker]
        for side in sides:
            side.sample(least_ns)
        logs, rates = [], []
        for _ in range(pairs):
            order = random.sample([0, 1], 2)
            rate = {side: sides[side].sample(least_ns) for side in order}
            logs.append(math.log(rate[1] / rate[0]))
            rates.append(rate[1] * (tokens if name == "prompt" else 1))
        mean, error = statistics.mean(logs), T * statistics.stdev(logs) / math.sqrt(pairs)
        print(
            f"{row}: worker ÷ loop {math.exp(mean):.3f} ({math.exp(mean - error):.3f} to {math.exp(mean + error):.3f}), median "
            f"{math.exp(statistics.median(logs)):.3f}, {pairs} pairs; {statistics.median(rates):.1f} tokens/s of CPU time; "
            f"{worker.ready['build']['paths']}",
            flush=True,
        )
        worker.ask(request="finish")
        sides[0].process.stdin.close()


main()
