"""Arguments of `sizeup run` for a run that goes on."""

from __future__ import annotations

DOCUMENTATION = r"""
name: resumed
short_description: What of the arguments of sizeup run must be given again with --resume
description:
  - The run file holds all others, and sizeup refuses to be given them twice.
options:
  _input:
    description: The arguments.
    type: list
    elements: str
    required: true
author:
  - The authors of sizeup
"""

EXAMPLES = r"""
again: "{{ ['--suite', 'edge', '--variant', 'thp'] | sizeup.fleet.resumed }}"
"""

RETURN = r"""
_value:
  description: Those to give again.
  type: list
  elements: str
"""

# These take a value.
VALUED = ("--variant", "--answer-timeout", "--power", "--idle", "--sensors")
AGAIN = (*VALUED, "--no-telemetry")


def resumed(arguments):
    """Flags of AGAIN with their values, however these are attached."""
    kept, is_value = [], False
    for argument in arguments:
        if is_value or argument.split("=", 1)[0] in AGAIN:
            kept.append(argument)
        is_value = not is_value and argument in VALUED
    return kept


class FilterModule:
    """What Ansible loads."""

    def filters(self):
        return {"resumed": resumed}
