#!/usr/bin/env python3
"""Pairs of samples of the worker `ml` and of a loop over the same model by onnxruntime's Python, in random order.

usage: SIZEUP_APPS=… embed_pairs.py WORKER FOLDER CPU PAIRS SAMPLE_MS
FOLDER is what embed-model wrote. Needs onnxruntime and numpy. Both are in processes that live as long as the pairs, pinned to CPU; times are
CPU time of the process, so that a busy machine does not count.
"""

import os
import sys
import time

import numpy
import onnxruntime
from sides import Worker, pair

SHAPE = (1, 128, 384)


def session_of(file):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])


class Python:
    def __init__(self, session, tokens):
        self.session, self.tokens = session, tokens

    def sample(self, least_ns):
        ops, start, begin = 0, time.process_time_ns(), time.monotonic_ns()
        while time.monotonic_ns() - begin < least_ns:
            self.session.run(None, {"tokens": self.tokens})
            ops += 1
        return ops * 1e9 / (time.process_time_ns() - start)


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
        worker = Worker(program, f"embed-{kind}/onnxruntime", {}, cpu)
        ratio, ops_per_s = pair(worker, Python(session, tokens), pairs, least_ns)
        print(f"embed-{kind}: worker ÷ Python {ratio}; {ops_per_s:.1f}/s of CPU time; cosine {cosine:.5f}")
        worker.ask(request="finish")


main()
