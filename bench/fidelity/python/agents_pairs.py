#!/usr/bin/env python3
"""Pairs of the worker `agents` and of hyperfine over the same executions in the same folder, in random order on one CPU.

usage: agents_pairs.py HOME CPU PAIRS [OPERATION…]
HOME is a release folder. The executions of an op and their environment are those of a worker whose programs are scripts that note them. hyperfine
starts one program without a shell, two with a pipe by `sh`, whose start it subtracts, and the programs of a turn by a script of `sh`. CPU time is
of the programs only: the worker's own, by which it starts, reads and compares, is a share that is printed beside it.
"""

import json
import math
import os
import pathlib
import random
import shlex
import statistics
import subprocess
import sys
import tempfile

SAMPLE_NS, WARM_UP_NS = 200_000_000, 5_000_000
# Student's t, 97.5 %, of 29 degrees of freedom and more.
T = 2.05
TOOLS = ["git", "rg", "tar", "zstd", "python3", "node", "sqlite3", "sed", "cc"]
PIPE, TURN = "tar-zstd/tar", "agent-turn/tools"
OPERATIONS = [
    *("git-status/git", "git-grep/git", "git-log/git", "rg-search/ripgrep", PIPE),
    *("python-start/cpython", "node-start/node", "sqlite-query/sqlite3", TURN),
]
# An interpreter is asked outside of the worker's folder where it is: here.
NOTE = r"""#!/bin/sh
case "$PWD" in
*/sizeup-agents-*)
    at=$(date +%s%N)
    { printf '%s\0' REAL "$@"; printf '\0'; env -0; } > LOG/$at
    exec REAL "$@" ;;
*) REAL "$@" | /usr/bin/env PATH=/usr/bin:/bin sed "s|^/[^ ]*\$|$0|" ;;
esac
"""


class Worker:
    def __init__(self, program, cpu, operation, path=os.environ["PATH"]):
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={"PATH": path}
        )
        self.ask(request="prepare", protocol=1, operation=operation, parameters={}, threads=1, cpus=[cpu], seed=1, inputs={})
        [self.folder] = map(str, pathlib.Path("/dev/shm").glob(f"sizeup-agents-{self.process.pid}-*"))

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if answer["answer"] == "error":
            sys.exit(answer["message"])
        return answer

    def measure(self, sample_ns):
        [thread] = self.ask(request="measure", warmup_ns=WARM_UP_NS, sample_ns=sample_ns)["threads"]
        return thread

    def own_ns(self):
        tasks = pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks)

    def seconds(self):
        """Seconds of an op, CPU seconds of its programs, and the worker's own."""
        before_ns = self.own_ns()
        thread = self.measure(SAMPLE_NS)
        own_ns = self.own_ns() - before_ns
        for pulse in ["pulse_before", "pulse_after", "memory_before", "memory_after"]:
            own_ns -= sum(value for name, value in thread[pulse].items() if name.endswith("_ns"))
        op_ns = thread["elapsed_ns"] / thread["ops"]
        own_ns /= thread["ops"] + math.ceil(WARM_UP_NS / op_ns)
        return [ns / 1e9 for ns in (op_ns, thread["cpu_ns"] / thread["ops"] - own_ns, own_ns)]

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def executions(program, cpu, operation):
    """Arguments of each execution of an op in turn, and their environment; FOLDER is the worker's."""
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        log = place / "log"
        log.mkdir()
        for tool in TOOLS:
            real = subprocess.run(["which", tool], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
            script = place / tool
            script.write_text(NOTE.replace("REAL", real).replace("LOG", str(log)))
            script.chmod(0o755)
        worker = Worker(program, cpu, operation, f"{place}:{os.environ['PATH']}")
        before = set(log.iterdir())
        worker.measure(1_000_000)
        noted = [note.read_text().replace(worker.folder, "FOLDER") for note in sorted(set(log.iterdir()) - before)]
        worker.end()
    split = [[part.split("\0") for part in text.removesuffix("\0").split("\0\0")] for text in noted]
    # No op has the same execution twice.
    arguments = list(dict.fromkeys(tuple(arguments) for arguments, _ in split))
    variables = dict(variable.split("=", 1) for variable in split[0][1])
    return arguments, {name: value for name, value in variables.items() if name not in ["PWD", "OLDPWD", "SHLVL", "_"]}


def hyperfine(command, ops, folder, variables):
    """Seconds and CPU seconds of an execution, by hyperfine's means."""
    with tempfile.NamedTemporaryFile() as result:
        options = ["--style=none", "--output=pipe", "--warmup=1", f"--runs={ops}", f"--export-json={result.name}"]
        found = subprocess.run(["which", "hyperfine"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        subprocess.run([found, *options, *command], check=True, cwd=f"{folder}/0/tree", env=variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        [of] = json.load(result)["results"]
    return of["mean"], of["user"] + of["system"]


def in_words(logs):
    mean, error = statistics.mean(logs), T * statistics.stdev(logs) / math.sqrt(len(logs))
    return f"{math.exp(mean):.3f} ({math.exp(mean - error):.3f} to {math.exp(mean + error):.3f})"


def main():
    home, cpu, pairs, *operations = sys.argv[1:]
    program, cpu, pairs = pathlib.Path(home) / "libexec/sizeup/agents", int(cpu), int(pairs)
    os.sched_setaffinity(0, [cpu])
    for operation in operations or OPERATIONS:
        arguments, variables = executions(program, cpu, operation)
        worker = Worker(program, cpu, operation)
        lines = [shlex.join(execution).replace("FOLDER", worker.folder) for execution in arguments]
        variables = {name: value.replace("FOLDER", worker.folder) for name, value in variables.items()}
        command = ["--shell=none", lines[0]]
        if operation == PIPE:
            command = ["--shell=sh", " | ".join(sorted(lines))]
        elif operation == TURN:
            # The worker's op ends with that, too.
            script = pathlib.Path(worker.folder) / "turn.sh"
            script.write_text("\n".join(["set -e", *lines, "rm -r .git/objects/[0-9a-f][0-9a-f]\n"]))
            command = ["--shell=none", f"sh {script}"]
        ops = max(3, round(SAMPLE_NS / 1e9 / worker.seconds()[0]))
        times, cpu_times, means, own = [], [], [], []
        for _ in range(pairs):
            seconds = {}
            for side in random.sample(["worker", "hyperfine"], 2):
                if side == "hyperfine":
                    seconds[side] = hyperfine(command, ops, worker.folder, variables)
                else:
                    seconds[side] = worker.seconds()
            (ours, our_cpu, our_own), (theirs, their_cpu) = seconds["worker"], seconds["hyperfine"]
            times.append(math.log(theirs / ours))
            cpu_times.append(math.log(their_cpu / our_cpu))
            means.append(theirs)
            own.append(our_own / (our_cpu + our_own))
        worker.end()
        print(
            f"{operation}, {len(arguments)} executions: worker ÷ hyperfine {in_words(times)}, median "
            f"{math.exp(statistics.median(times)):.3f}; by CPU time {in_words(cpu_times)}, median "
            f"{math.exp(statistics.median(cpu_times)):.3f}; the worker's own {statistics.median(own):.1%}; {statistics.median(means) * 1e3:.2f} ms",
            flush=True,
        )


main()
