#!/usr/bin/env python3
"""Pairs of samples of the worker `ml` and of a loop over the same model by onnxruntime's Python, in random order.

usage: SIZEUP_APPS=… embed_pairs.py WORKER FOLDER CPU PAIRS SAMPLE_MS
FOLDER is what embed-model wrote. Needs onnxruntime and numpy. Both are in processes that live as long as the pairs, pinned to CPU; times are
CPU time of the process, so that a busy machine does not count.
"""

import json
import math
import os
import random
import statistics
import subprocess
import sys
import time

import numpy
import onnxruntime

SHAPE = (1, 128, 384)
# Student's t, 97.5 %, of many degrees of freedom.
T = 2.0


def session_of(file):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])


def by_python(session, tokens, least_ns):
    ops, start, begin = 0, time.process_time_ns(), time.monotonic_ns()
    while time.monotonic_ns() - begin < least_ns:
        session.run(None, {"tokens": tokens})
        ops += 1
    return ops * 1e9 / (time.process_time_ns() - start)


class Worker:
    def __init__(self, program, operation, cpu):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ask(request="prepare", protocol=1, operation=operation, parameters={}, threads=1, cpus=[cpu], seed=42, inputs={})

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if answer["answer"] == "error":
            sys.exit(f"the worker: {answer['message']}")
        return answer

    def sample(self, least_ns):
        answer = self.ask(request="measure", warmup_ns=1_000_000, sample_ns=least_ns)
        [thread] = answer["threads"]
        return thread["ops"] * 1e9 / thread["cpu_ns"]


def main():
    program, folder, cpu, pairs, sample_ms = sys.argv[1:]
    cpu, pairs, least_ns = int(cpu), int(pairs), int(sample_ms) * 1_000_000
    os.sched_setaffinity(0, [cpu])
    tokens = numpy.fromfile(f"{folder}/tokens.f32", dtype="<f4").reshape(SHAPE)
    expected = numpy.fromfile(f"{folder}/expected.f32", dtype="<f4")
    for kind in ["int8", "f32"]:
        session = session_of(f"{folder}/embed-{kind}.onnx")
        found = session.run(None, {"tokens": tokens})[0][0]
        cosine = float(found @ expected / numpy.linalg.norm(found) / numpy.linalg.norm(expected))
        worker = Worker(program, f"embed-{kind}/onnxruntime", cpu)
        sides = [lambda: by_python(session, tokens, least_ns), lambda: worker.sample(least_ns)]
        for side in sides:
            side()
        logs, rates = [], []
        for _ in range(pairs):
            order = random.sample([0, 1], 2)
            rate = {side: sides[side]() for side in order}
            logs.append(math.log(rate[1] / rate[0]))
            rates.append(rate[1])
        mean, error = statistics.mean(logs), T * statistics.stdev(logs) / math.sqrt(pairs)
        print(
            f"embed-{kind}: worker ÷ Python {math.exp(mean):.3f} ({math.exp(mean - error):.3f} to {math.exp(mean + error):.3f}), "
            f"median {math.exp(statistics.median(logs)):.3f}, {pairs} pairs; {statistics.median(rates):.1f}/s of CPU time; cosine {cosine:.5f}"
        )
        worker.ask(request="finish")


main()
