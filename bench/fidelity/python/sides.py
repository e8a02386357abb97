"""Both sides of pairs, in processes that live as long as the pairs, and the ratio of their throughput. Rates are ops per second of CPU time."""

import json
import math
import random
import statistics
import subprocess
import sys

# Student's t, 97.5 %, of many degrees of freedom.
T = 2.0


class Process:
    def __init__(self, arguments):
        self.process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def write(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()


class Worker(Process):
    """A worker on one thread; `ready` is its answer to the first request."""

    def __init__(self, program, operation, parameters, cpu):
        super().__init__([program])
        request = {"operation": operation, "parameters": parameters, "threads": 1, "cpus": [cpu], "seed": 42, "inputs": {}}
        self.ready = self.ask(request="prepare", protocol=1, **request)

    def ask(self, **request):
        self.write(json.dumps(request))
        answer = json.loads(self.process.stdout.readline())
        if answer["answer"] == "error":
            sys.exit(f"the worker: {answer['message']}")
        return answer

    def sample(self, least_ns):
        [thread] = self.ask(request="measure", warmup_ns=1_000_000, sample_ns=least_ns)["threads"]
        return thread["ops"] * 1e9 / thread["cpu_ns"]


class Loop(Process):
    """A program that reads how long to work, in ns, and writes ops and the CPU time that they took."""

    def sample(self, least_ns):
        self.write(str(least_ns))
        ops, cpu_ns = map(int, self.process.stdout.readline().split())
        return ops * 1e9 / cpu_ns


def pair(worker, peer, pairs, least_ns):
    """The ratio worker ÷ peer with its 95 % interval, as a text, and the worker's median rate. The first samples of both are not used."""
    sides = [peer, worker]
    for side in sides:
        side.sample(least_ns)
    logs, rates = [], []
    for _ in range(pairs):
        rate = {side: side.sample(least_ns) for side in random.sample(sides, 2)}
        logs.append(math.log(rate[worker] / rate[peer]))
        rates.append(rate[worker])
    mean, error = statistics.mean(logs), T * statistics.stdev(logs) / math.sqrt(pairs)
    ratio = f"{math.exp(mean):.3f} ({math.exp(mean - error):.3f} to {math.exp(mean + error):.3f}), median {math.exp(statistics.median(logs)):.3f}, {pairs} pairs"
    return ratio, statistics.median(rates)
