#!/usr/bin/env python3
"""Pairs of samples of the worker `ml` and of usearch's Python or hnsw-loop over the same vectors, in random order.

usage: SIZEUP_APPS=… hnsw_pairs.py WORKER PEER FOLDER CPU PAIRS SAMPLE_MS [ROW…]
PEER is `python`, which needs usearch and numpy, or the program hnsw-loop; FOLDER is what hnsw-vectors wrote for 16000 vectors and 512 queries; a
ROW is search-f32 or build-f32. Both are in processes that live as long as the pairs, pinned to CPU; times are CPU time of the process, so that a busy machine does not count.
"""

import os
import sys
import time

import numpy
from sides import Loop, Worker, pair

DIMENSIONS, NEAREST = 384, 10
VECTORS = {"search": 16000, "build": 1000}


def build(vectors, kept):
    # Only this side needs it.
    from usearch.index import Index

    index = Index(ndim=DIMENSIONS, metric="cos", dtype=kept, connectivity=16, expansion_add=64, expansion_search=64)
    index.add(numpy.arange(len(vectors)), vectors, threads=1)
    return index


def search(index, queries):
    return index.search(queries, NEAREST, threads=1).keys


class Python:
    """One call searches for all queries, or adds all vectors, so that the calls of Python do not count."""

    def __init__(self, call, ops):
        self.call, self.ops = call, ops

    def sample(self, least_ns):
        ops, start, begin = 0, time.process_time_ns(), time.monotonic_ns()
        while time.monotonic_ns() - begin < least_ns:
            self.call()
            ops += self.ops
        return ops * 1e9 / (time.process_time_ns() - start)


def python(folder, kind, kept):
    vectors, queries = (numpy.fromfile(f"{folder}/{name}.f32", dtype="<f4").reshape(-1, DIMENSIONS) for name in ["vectors", "queries"])
    vectors = numpy.ascontiguousarray(vectors[: VECTORS[kind]])
    if kind == "build":
        return Python(lambda: build(vectors, kept), 1)
    nearest = numpy.fromfile(f"{folder}/nearest.u64", dtype="<u8").reshape(-1, NEAREST)
    index = build(vectors, kept)
    found = search(index, queries)
    recall = sum(len(set(a) & set(b)) for a, b in zip(found, nearest)) / nearest.size
    print(f"recall of Python's {kept}: {recall:.4f}, by {index.hardware_acceleration}")
    return Python(lambda: search(index, queries), len(queries))


def main():
    program, peer, folder, cpu, pairs, sample_ms, *rows = sys.argv[1:]
    cpu, pairs, least_ns = int(cpu), int(pairs), int(sample_ms) * 1_000_000
    os.sched_setaffinity(0, [cpu])
    for row in rows or ["search-f32", "search-i8", "build-f32"]:
        kind, kept = row.split("-")
        side = python(folder, kind, kept) if peer == "python" else Loop([peer, folder, kind, kept, str(VECTORS[kind])])
        worker = Worker(program, f"hnsw-{kind}/usearch", {"kept": kept, "vectors": VECTORS[kind]}, cpu)
        ratio, ops_per_s = pair(worker, side, pairs, least_ns)
        print(f"{row}: worker ÷ {os.path.basename(peer)} {ratio}; {ops_per_s:.1f}/s of CPU time; {worker.ready['build']['paths']}", flush=True)
        worker.ask(request="finish")


main()
