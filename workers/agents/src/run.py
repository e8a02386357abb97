"""Tests modules, as an agent does after each change: reads their files and counts the words."""

import hashlib
import json
import os
import re
import sys

WORD = re.compile("[a-z]+")
digest = hashlib.sha256()
paths = sorted(os.path.join(folder, name) for folder in sys.argv[1:] for name in os.listdir(folder))
for path in paths:
    with open(path, encoding="ascii") as file:
        text = file.read()
    counts = {}
    for word in WORD.findall(text):
        counts[word] = counts.get(word, 0) + 1
    line = json.dumps(counts, sort_keys=True, separators=(",", ":"))
    assert json.loads(line) == counts
    digest.update(line.encode())
print("ran", len(paths), "tests:", digest.hexdigest())
