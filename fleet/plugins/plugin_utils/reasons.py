"""Why something failed, in a line."""

from __future__ import annotations


def last_line(text: str) -> str:
    """The last line that holds something, which is where programs say why they ended."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    # What ssh says at the end of every command on a terminal is of no cause.
    lines = [line for line in lines if not (line.startswith("Shared connection to ") and line.endswith(" closed."))]
    return lines[-1] if lines else ""


def of_connection(message: str) -> str:
    """What ssh said about a host that can't be reached."""
    if "REMOTE HOST IDENTIFICATION HAS CHANGED" in message:
        return (
            "its host key has changed; ssh refuses it. If the host was set up anew, remove the old key from known_hosts "
            "(ssh-keygen -R HOST) and add the new one"
        )
    if "Host key verification failed" in message:
        return "its host key is unknown; add it to known_hosts after comparing it with the host's own"
    return "unreachable: " + last_line(message).split("Failed to connect to the host via ssh: ")[-1]


def of_task(result: dict) -> str:
    """What a failed task says, of a loop its first item that failed."""
    result = next((item for item in result.get("results", []) if item.get("failed")), result)
    message = str(result.get("msg") or "")
    if message in ("", "non-zero return code"):
        said = last_line(str(result.get("stderr") or "")) or last_line(str(result.get("stdout") or ""))
        message = said or "exit status {0}".format(result.get("rc"))
    return message
