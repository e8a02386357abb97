"""The op of json-parse-api/cpython without sizeup. usage: python3 json_loop.py DOCUMENT < NANOSECONDS_OF_EACH_SAMPLE"""

import json
import pathlib
import sys
import time


def sample(text, least_ns):
    start, before, ops = time.monotonic_ns(), time.process_time_ns(), 0
    while ops == 0 or time.monotonic_ns() - start < least_ns:
        json.loads(text)
        ops += 1
    return f"{ops} {time.process_time_ns() - before}"


text = pathlib.Path(sys.argv[1]).read_bytes()
for line in sys.stdin:
    print(sample(text, int(line)), flush=True)
