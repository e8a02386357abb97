#!/usr/bin/env python3
"""Pairs of samples of the worker `ml` and of llama-loop over the same model and library, in random order.

usage: SIZEUP_APPS=… llama_pairs.py WORKER LOOP FOLDER KERNELS CPU PAIRS SAMPLE_MS [ROW…]
FOLDER is what llm-model wrote, KERNELS the library that the worker names as its path; a ROW is prompt-32-135m or generate-0.5b. Both are in
processes that live as long as the pairs, pinned to CPU; times are CPU time, so that a busy machine does not count.
"""

import sys

from sides import Loop, Worker, pair

ROWS = [f"{kind}-{model}" for model in ["135m", "0.5b"] for kind in ["prompt-32", "prompt-128", "generate"]]


def main():
    program, loop, folder, kernels, cpu, pairs, sample_ms, *rows = sys.argv[1:]
    cpu, pairs, least_ns = int(cpu), int(pairs), int(sample_ms) * 1_000_000
    for row in rows or ROWS:
        kind, model = row.rsplit("-", 1)
        name, _, tokens = kind.partition("-")
        tokens = int(tokens or 128)
        worker = Worker(program, f"llm-{name}/llamacpp", {"model": model, "tokens": tokens}, cpu)
        loop_side = Loop(["taskset", "-c", str(cpu), loop, kernels, f"{folder}/{model}.gguf", name, str(tokens)])
        ratio, ops_per_s = pair(worker, loop_side, pairs, least_ns)
        tokens_per_s = ops_per_s * (tokens if name == "prompt" else 1)
        paths = worker.ready["build"]["paths"]
        print(f"{row}: worker ÷ loop {ratio}; {tokens_per_s:.1f} tokens/s of CPU time; {paths}", flush=True)
        worker.ask(request="finish")
        loop_side.process.stdin.close()


main()
