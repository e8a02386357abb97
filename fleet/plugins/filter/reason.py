"""Why a task failed, in a line."""

from __future__ import annotations

DOCUMENTATION = r"""
name: reason
short_description: Why a task failed, in a line
description:
  - The message of a task, or the last line that its program printed.
options:
  _input:
    description: The result of a failed task.
    type: dict
    required: true
author:
  - The authors of sizeup
"""

EXAMPLES = r"""
why: "{{ ansible_failed_result | sizeup.fleet.reason }}"
"""

RETURN = r"""
_value:
  description: The reason.
  type: str
"""

from ansible_collections.sizeup.fleet.plugins.plugin_utils.reasons import of_task


class FilterModule:
    """What Ansible loads."""

    def filters(self):
        return {"reason": of_task}
