"""Texts from hosts, and names that become part of a path or a command."""

from __future__ import annotations

import re

# More of a host's text than this is of no use to anybody.
MOST_CHARACTERS = 300

# Begins with no dash, holds nothing that a shell or a path obeys. Addresses have colons.
HOST_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:@%+-]{0,199}")
FOLDER = re.compile(r"(~|/[A-Za-z0-9_.-]+)(/[A-Za-z0-9_.-]+)+|/[A-Za-z0-9_.-]+")


def plain(text: object) -> str:
    """A text on one line, without controls and other characters that change how the rest is shown."""
    # Anything may be in it, and there may be much of it.
    words = "".join(c if c.isprintable() else " " for c in str(text)[: 20 * MOST_CHARACTERS]).split()
    line = " ".join(words)
    return line if len(line) <= MOST_CHARACTERS else line[: MOST_CHARACTERS - 1] + "…"


def last_line(text: str) -> str:
    """The last line that holds something, which is where programs say why they ended."""
    lines = [line for line in text[-20 * MOST_CHARACTERS :].splitlines() if line.strip()]
    return plain(lines[-1]) if lines else ""


def check_host_name(name: str) -> None:
    """Raises ValueError for a name that can't be part of a file's name."""
    if not HOST_NAME.fullmatch(name):
        raise ValueError(
            "its name in the inventory can't be a file's name: at most 200 letters, digits and . _ - : @ % +. "
            "Name it otherwise and give its address as ansible_host"
        )


def check_folder(folder: str) -> None:
    """Raises ValueError for a folder on hosts that is not one of ours for sure."""
    parts = folder.split("/")
    if not FOLDER.fullmatch(folder) or ".." in parts or "." in parts:
        raise ValueError(
            "sizeup_folder {0} is not ~/ or / with names of letters, digits and . _ - behind it".format(plain(folder))
        )


def of_connection(message: str) -> str:
    """Explains ssh's message about a host that can't be reached, or about another host in its
    place."""
    message = message[-(64 << 10) :]
    if "REMOTE HOST IDENTIFICATION HAS CHANGED" in message:
        return (
            "its host key has changed, ssh says, or a host in its place. Compare the key with the host's own before you change "
            "known_hosts"
        )
    if "Host key verification failed" in message:
        return "its host key is unknown; add it to known_hosts after comparing it with the host's own"
    return "unreachable: " + last_line(message).split("Failed to connect to the host via ssh: ")[-1]
