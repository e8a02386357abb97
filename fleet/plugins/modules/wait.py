"""What the action plugin of this name takes and returns; all it does is done there."""

from __future__ import annotations

DOCUMENTATION = r"""
module: wait
short_description: Waits for a detached measurement
description:
  - Runs a shell command on the host again and again, which prints the state of a measurement as C(KEY=VALUE) lines, until
    its C(state) is no longer C(running).
  - A lost connection is no failure until it was lost for C(lost_seconds).
  - The command is run by the connection alone, without Python on the host, so that asking disturbs the measurement little.
options:
  probe:
    description: The command.
    required: true
    type: str
  seconds:
    description: Seconds between two questions; 0 asks once.
    default: 30
    type: int
  lost_seconds:
    description: For how many seconds in a row the host may be unreachable.
    default: 600
    type: int
author:
  - The authors of sizeup
"""

EXAMPLES = r"""
- name: Wait for a measurement
  sizeup.fleet.wait:
    probe: echo state=ended; echo status=0
"""

RETURN = r"""
state:
  description: What the command printed as C(state).
  type: str
  returned: if the host answered
text:
  description: How far the measurement is, or was.
  type: str
  returned: if the host answered
"""
