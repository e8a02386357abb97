"""Events of hosts, as JSON Lines: one object a line, with `event` and mostly `host` and `text`."""

from __future__ import annotations

import json
import os

# Names the file that lines are appended to; without it nobody listens.
FILE = "SIZEUP_FLEET_EVENTS"


def is_heard() -> bool:
    """Whether somebody reads events."""
    return bool(os.environ.get(FILE))


def emit(event: str, **fields: object) -> None:
    """Appends a line in one write, for several processes do so at once."""
    if not is_heard():
        return
    line = json.dumps({"event": event, **fields}, ensure_ascii=False) + "\n"
    handle = os.open(os.environ[FILE], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        # Bytes of a host that are no UTF-8 are lone surrogates here, which no reader of JSON need take.
        os.write(handle, line.encode("utf-8", "replace"))
    finally:
        os.close(handle)
