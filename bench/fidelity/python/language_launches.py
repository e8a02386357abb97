#!/usr/bin/env python3
"""Launches of a row in Node, Java or Python: how they differ, and what warm-up and collections take.

usage: language_launches.py HOME CPUS LAUNCHES SAMPLES SAMPLE_MS WORKLOAD ...
HOME is a release folder, CPUS a list such as 0,1: a thread on each. Rates are per second of the process's CPU time, with its compilers
and collector.
"""

import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import time

WORKERS = {
    "react": "node", "terser": "node", "node": "node", "jvm": "jvm", "jackson": "jvm", "lucene": "jvm", "cpython": "python", "jinja": "python",
}
TICKS_PER_S = os.sysconf("SC_CLK_TCK")


def cpu_s(pid):
    """CPU time of a process so far, without its children's."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_S


def launch(program, prepare, samples, sample_ms):
    """Measures one launch: time and CPU time of set-up with warm-up, ops per second of CPU time,
    and the shares of collections and compilers."""
    pipe = subprocess.PIPE
    worker = subprocess.Popen([program], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)

    def ask(line):
        worker.stdin.write(line + "\n")
        worker.stdin.flush()
        return json.loads(worker.stdout.readline())

    start = time.monotonic()
    ask(prepare)
    ready_s, ready_cpu_s = time.monotonic() - start, cpu_s(worker.pid)
    measure = json.dumps({"request": "measure", "warmup_ns": 5_000_000, "sample_ns": sample_ms * 1_000_000})
    answers = [ask(measure) for _ in range(samples)]
    worker.stdin.close()
    worker.wait()
    threads = [thread for answer in answers for thread in answer["threads"]]
    elapsed_ns = sum(thread["elapsed_ns"] for thread in threads)
    # NaN where a runtime does not report it.
    share = lambda name: sum(thread.get(name, math.nan) for thread in threads) / elapsed_ns
    rate = sum(thread["ops"] for thread in threads) * 1e9 / sum(answer["process_cpu_ns"] for answer in answers)
    return ready_s, ready_cpu_s, rate, share("gc_ns"), share("jit_ns")


def main():
    home, cpus, launches, samples, sample_ms, *workloads = sys.argv[1:]
    home, cpus = pathlib.Path(home), [int(cpu) for cpu in cpus.split(",")]
    os.sched_setaffinity(0, cpus)
    for workload in workloads:
        request = [home / "bin/sizeup", "request", workload, "--samples", "1"]
        prepare = json.loads(subprocess.run(request, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()[0])
        prepare = json.dumps({**prepare, "threads": len(cpus), "cpus": cpus})
        program = home / "libexec/sizeup" / WORKERS[workload.partition("/")[2]]
        all_launches = [launch(program, prepare, int(samples), int(sample_ms)) for _ in range(int(launches))]
        ready_s, ready_cpu_s, rates, collections, compilation = zip(*all_launches)
        spread = 100 * statistics.stdev(map(math.log, rates))
        between = lambda values, form: f"{statistics.median(values):{form}} ({min(values):{form}} to {max(values):{form}})"
        percent = lambda shares: "unknown" if math.isnan(sum(shares)) else between([100 * share for share in shares], ".1f") + " %"
        print(
            f"{workload} on CPUs {cpus}, {launches} launches: ready after {between(ready_s, '.1f')} s, "
            f"{between(ready_cpu_s, '.1f')} s of CPU time; {between(rates, '.4g')} per s of CPU time, launches differ by {spread:.1f} %; "
            f"in GC {percent(collections)}, in JIT {percent(compilation)}",
            flush=True,
        )


main()
