"""Waits for a detached measurement, over connections that come and go."""

from __future__ import annotations

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
        heard, was_lost, text = time.monotonic(), False, ""
        while True:
            try:
                state = self._ask(probe)
            except AnsibleConnectionFailure as error:
                reason, lost = of_connection(str(error)), time.monotonic() - heard
                # Failed, not unreachable: what rescues a host must see it.
                if seconds == 0:
                    return {**result, "failed": True, "msg": reason}
                reason = reason.removeprefix("unreachable: ")
                if lost > lost_seconds:
                    where = "; it was at: " + text if text else ""
                    reason = "connection lost for {0:.0f} s: {1}{2}".format(lost, reason, where)
                    return {**result, "failed": True, "msg": reason}
                if not was_lost:
                    self._say("stage", "connection lost: " + reason)
                was_lost = True
                self._connection.close()
            else:
                if was_lost:
                    self._say("stage", "connected again")
                heard, was_lost, text = time.monotonic(), False, state.get("text", "").removeprefix("sizeup: ")
                if seconds == 0 or state["state"] != "running":
                    return {**result, **state, "text": text, "changed": False}
                self._say("progress", text or "starting")
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

    def _say(self, event, text):
        if is_heard():
            emit(event, host=self._host, text=text)
        else:
            self._display.display("{0}: {1}".format(self._host, text))
