#!/usr/bin/env python3
"""Scores of suites over one run with variants, and how each suite predicts the last one.

usage: suite_scores.py SIZEUP RUN[,RUN...] SUITE ... WHOLE
SIZEUP is the program. The runs have rows of all the suites in the same variants; of a row that several have, the last one's is taken.
A score is the mean over a suite's categories of the mean over their rows, of logarithms of each row's ratio to the first variant; rows
without an interval are left out. Margins (95 %) combine those of the rows as independent ones.
"""

import json
import math
import subprocess
import sys


def printed(*command):
    """The `data` of a command with `--json`, whatever its exit status."""
    done = subprocess.run([*command, "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return json.loads(done.stdout)["data"]


def weights(categories, rows):
    """The weight of each row that has a ratio."""
    kinds = [[row for row in category["workloads"] if row in rows] for category in categories]
    kinds = [kind for kind in kinds if kind]
    return {row: 1 / len(kinds) / len(kind) for kind in kinds for row in kind}


def percent(part):
    """A logarithm as a difference in per cent."""
    return f"{100 * math.expm1(part):+.1f} %"


def weighted(ratios, parts):
    """The sum of logarithms by weight, and its margin."""
    middle = sum(part * ratios[row][0] for row, part in parts.items())
    return middle, math.sqrt(sum((part * ratios[row][1]) ** 2 for row, part in parts.items()))


program, runs, *names = sys.argv[1:]
suites = {suite["name"]: suite["category"] for suite in printed(program, "list", "suites") if suite["name"] in names}
variants = {}
for run in runs.split(","):
    for row in printed(program, "compare", run)["rows"]:
        ratio = row["ratio"]
        if ratio and ratio["low"] and ratio["high"]:
            margin = math.log(ratio["high"] / ratio["low"]) / 2
            variants.setdefault(row["variant"], {})[row["workload"]] = (math.log(ratio["centre"]), margin)
for variant, ratios in variants.items():
    whole = weights(suites[names[-1]], ratios)
    for name in names:
        parts = weights(suites[name], ratios)
        middle, margin = weighted(ratios, parts)
        line = f"{variant:12} {name:18} {len(parts):3} rows  {math.exp(middle):.3f} ({math.exp(middle - margin):.3f} to {math.exp(middle + margin):.3f})"
        if name != names[-1]:
            # Rows that both have add no error for the part of their weights that is equal.
            error = {row: parts.get(row, 0) - whole.get(row, 0) for row in {**parts, **whole}}
            middle, margin = weighted(ratios, error)
            line += f"  error {percent(middle)} ({percent(middle - margin)} to {percent(middle + margin)})"
        print(line)
