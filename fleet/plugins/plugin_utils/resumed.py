"""Arguments of `sizeup run` for a run that goes on."""

from __future__ import annotations

# These take a value.
VALUED = ("--variant", "--answer-timeout", "--power", "--idle", "--sensors")
AGAIN = (*VALUED, "--no-telemetry")


def resumed(arguments):
    """Flags of AGAIN with their values, however these are attached. The run file holds all others, and sizeup refuses these."""
    kept, is_value = [], False
    for argument in arguments:
        if is_value or argument.split("=", 1)[0] in AGAIN:
            kept.append(argument)
        is_value = not is_value and argument in VALUED
    return kept
