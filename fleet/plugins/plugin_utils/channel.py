"""Questions to a host that may be hostile: each has a limit of time and of bytes, and its answer is text and nothing else."""

from __future__ import annotations

import contextlib
import os
import re
import resource
import secrets
import shlex
import signal

from ansible.errors import AnsibleConnectionFailure, AnsibleError
from ansible_collections.sizeup.fleet.plugins.plugin_utils.texts import last_line, of_connection, plain

# Limit for an answer, unless the question says otherwise.
MOST_CHARACTERS = 64 << 10
# Connections keep all that a host prints in memory, in several copies, before anybody sees it.
MOST_MEMORY = 128 << 20


class Refusal(Exception):
    """Why a host is left behind: one harmless line."""


class ConnectionLost(Refusal):
    """The host was not reached, or went away before it had answered."""


class _TimeIsUp(BaseException):
    """Not an Exception: connections catch these and try again."""


class Channel:
    """A host's shell, by way of Ansible's connection.

    execute(command, bytes) runs a command with these bytes as its stdin, as ActionBase._low_level_execute_command does.
    """

    def __init__(self, execute, script):
        self._execute = execute
        self._script = script

    def ask(self, verb, *arguments, seconds, most=MOST_CHARACTERS, stdin=b"\n"):
        """Output of a verb of the script. Raises Refusal with its last line if it ends with
        another status than 0."""
        status, text = self.status_of(verb, *arguments, seconds=seconds, most=most, stdin=stdin)
        if status != 0:
            raise Refusal(last_line(text) or "{0} ended with status {1}".format(verb, status))
        return text

    def status_of(self, verb, *arguments, seconds, most=MOST_CHARACTERS, stdin=b"\n"):
        """How a verb of the script ended, and what it printed on stdout and stderr."""
        # A login shell may print something first, and something may print last.
        mark = secrets.token_hex(8)
        words = ["sh", "-c", self._script, "host", verb, *arguments]
        command = "exec 2>&1; echo; echo {0}; {1}; set -- $?; echo; echo {0} $1".format(mark, " ".join(map(shlex.quote, words)))
        try:
            with _limits(seconds):
                answer = self._execute(command, stdin)
        except _TimeIsUp:
            raise ConnectionLost("unreachable: no answer in {0:.0f} s".format(seconds)) from None
        except MemoryError:
            raise Refusal("its answer has no end: it was not awaited") from None
        except AnsibleConnectionFailure as error:
            raise ConnectionLost(of_connection(str(error))) from None
        except AnsibleError as error:
            raise Refusal(plain(error)) from None
        except Exception as error:
            # A pipe that the other side closed, and whatever else a host may bring a connection to.
            raise ConnectionLost("unreachable: " + plain(error)) from None
        said = answer["stdout"].replace("\r\n", "\n")
        _, begun, rest = said.partition("\n{0}\n".format(mark))
        text, ended, status = rest.rpartition("\n{0} ".format(mark))
        status = status.strip()
        if not begun or not ended or not re.fullmatch("[0-9]{1,3}", status, re.ASCII):
            # The mark of a connection that broke in the middle.
            raise ConnectionLost("unreachable: " + (last_line(answer["stderr"]) or "no answer"))
        if len(text) > most:
            raise Refusal("its answer has {0} characters; {1} were expected at most".format(len(text), most))
        return int(status), text


@contextlib.contextmanager
def _limits(seconds):
    """Ends what is inside after some seconds, or beyond so much more memory, with all processes that it started."""

    def time_is_up(_signal, _frame):
        raise _TimeIsUp

    size = _address_space()
    before, most = resource.getrlimit(resource.RLIMIT_AS)
    limit = size + MOST_MEMORY
    if most != resource.RLIM_INFINITY:
        limit = min(limit, most)
    handler = signal.signal(signal.SIGALRM, time_is_up)
    resource.setrlimit(resource.RLIMIT_AS, (limit, most))
    # Again and again: an exception that is raised while Python destroys an object is lost.
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.5)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        resource.setrlimit(resource.RLIMIT_AS, (before, most))
        _end_children()


def _address_space():
    """The bytes of this process's address space."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def _end_children():
    """Kills what a question left running, such as an ssh whose host says nothing."""
    thread = "/proc/self/task/{0}/children".format(os.getpid())
    with open(thread, encoding="ascii") as file:
        children = [int(child) for child in file.read().split()]
    for child in children:
        with contextlib.suppress(OSError):
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
