"""Waits for a detached measurement, over connections that come and go."""

from __future__ import annotations

DOCUMENTATION = r"""
name: wait
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

import time

from ansible.errors import AnsibleConnectionFailure
from ansible.plugins.action import ActionBase
from ansible_collections.sizeup.fleet.plugins.plugin_utils.events import emit, is_heard
from ansible_collections.sizeup.fleet.plugins.plugin_utils.reasons import of_connection


class ActionModule(ActionBase):
    """Asks until the measurement has ended."""

    _supports_check_mode = False
    _requires_connection = True
    TRANSFERS_FILES = False
    _VALID_ARGS = frozenset(("probe", "seconds", "lost_seconds"))

    def run(self, tmp=None, task_vars=None):
        result = super().run(tmp, task_vars)
        self._host = task_vars["inventory_hostname"]
        probe = self._task.args["probe"]
        seconds = int(self._task.args.get("seconds", 30))
        lost_seconds = int(self._task.args.get("lost_seconds", 600))
        heard = time.monotonic()
        while True:
            try:
                state = self._ask(probe)
                heard = time.monotonic()
            except AnsibleConnectionFailure as error:
                if seconds == 0 or time.monotonic() - heard > lost_seconds:
                    # Failed, not unreachable: what rescues a host must see it.
                    return {**result, "failed": True, "msg": of_connection(str(error))}
                self._say("connection lost: " + of_connection(str(error)))
                self._connection.close()
            else:
                if seconds == 0 or state["state"] != "running":
                    return {**result, **state, "changed": False}
                self._say(state.get("text") or "starting")
            time.sleep(seconds)

    def _ask(self, probe):
        """The state of the measurement, by name."""
        answer = self._low_level_execute_command(probe)
        pairs = (line.split("=", 1) for line in answer["stdout"].splitlines() if "=" in line)
        state = dict(pairs)
        if "state" not in state:
            # ssh itself ended: what a connection that breaks in the middle looks like.
            raise AnsibleConnectionFailure(answer["stderr"].strip() or "no answer")
        return state

    def _say(self, text):
        if is_heard():
            emit("progress", host=self._host, text=text)
        else:
            self._display.display("{0}: {1}".format(self._host, text))
