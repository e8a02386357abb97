"""The op of json-parse-api/cpython without sizeup. usage: python3 json_loop.py DOCUMENT WARM_UP_NS SAMPLE_NS"""

import json
import pathlib
import sys
import time


def stretch(text, least_ns):
    start, before, ops = time.monotonic_ns(), time.process_time_ns(), 0
    while ops == 0 or time.monotonic_ns() - start < least_ns:
        json.loads(text)
        ops += 1
    return f"ops {ops}\ncpu_ns {time.process_time_ns() - before}"


document, warm_up_ns, sample_ns = sys.argv[1:]
text = pathlib.Path(document).read_bytes()
stretch(text, int(warm_up_ns))
print(stretch(text, int(sample_ns)))
