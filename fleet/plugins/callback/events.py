"""Writes what happens to hosts as JSON Lines, for `sizeup fleet`."""

from __future__ import annotations

DOCUMENTATION = r"""
name: events
type: notification
short_description: Writes what happens to hosts as JSON Lines
description:
  - Appends a JSON object a line to the file that the environment variable E(SIZEUP_FLEET_EVENTS) names.
  - A task whose variables hold C(sizeup_event) says its message under that name; failed tasks and unreachable hosts do
    so under C(failed). Of plays whose variables hold C(sizeup_is_controller) no host is named.
author:
  - The authors of sizeup
requirements:
  - enabled by C(callbacks_enabled = sizeup.fleet.events)
"""

from ansible.plugins.callback import CallbackBase
from ansible_collections.sizeup.fleet.plugins.plugin_utils.events import emit
from ansible_collections.sizeup.fleet.plugins.plugin_utils.texts import last_line, of_connection, plain


class CallbackModule(CallbackBase):
    """Passes on Ansible's events of hosts."""

    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "notification"
    CALLBACK_NAME = "sizeup.fleet.events"
    CALLBACK_NEEDS_ENABLED = True

    def __init__(self):
        super().__init__()
        self._is_controller = False

    def v2_playbook_on_play_start(self, play):
        self._is_controller = bool(play.vars.get("sizeup_is_controller"))
        if not self._is_controller:
            hosts = play.get_variable_manager().get_vars(play=play).get("ansible_play_hosts_all", [])
            emit("hosts", hosts=[str(host) for host in hosts])

    def v2_runner_on_ok(self, result):
        event = result._task.vars.get("sizeup_event")
        if event:
            self._emit(event, result, str(result._result.get("msg", "")))

    def v2_runner_on_failed(self, result, ignore_errors=False):
        if not ignore_errors:
            self._emit("failed", result, reason(result._result))

    def v2_runner_on_unreachable(self, result):
        self._emit("failed", result, of_connection(str(result._result.get("msg", ""))))

    def _emit(self, event, result, text):
        host = {} if self._is_controller else {"host": result._host.get_name()}
        emit(event, text=plain(text), **host)


def reason(result):
    """Why a task failed, of a loop its first item that failed: its message, or the last line that its program printed."""
    result = next((item for item in result.get("results", []) if item.get("failed")), result)
    message = str(result.get("msg") or "")
    if message in ("", "non-zero return code"):
        said = last_line(str(result.get("stderr") or "")) or last_line(str(result.get("stdout") or ""))
        message = said or "exit status {0}".format(result.get("rc"))
    return message
