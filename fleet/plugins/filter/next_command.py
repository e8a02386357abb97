"""The next command for the run files of a fleet."""

from __future__ import annotations

DOCUMENTATION = r"""
name: next_command
short_description: The command that compares the run files of a fleet
description:
  - Hosts are grouped by the labels of their run files, or by sizeup_group where a host has one that is not its label.
options:
  _input:
    description: The variables of the hosts that have a run file.
    type: list
    elements: dict
    required: true
  runs:
    description: The folder of run files.
    type: str
    required: true
author:
  - The authors of sizeup
"""

EXAMPLES = r"""
next: "{{ groups['all'] | map('extract', hostvars) | sizeup.fleet.next_command('runs') }}"
"""

RETURN = r"""
_value:
  description: A command for a shell.
  type: str
"""

import shlex

from ansible_collections.sizeup.fleet.plugins.plugin_utils.facts import trusted


def next_command(hosts, runs):
    """`sizeup compare` of all, or `sizeup show` of one."""
    files = {host["inventory_hostname"]: "{0}/{1}.run.jsonl".format(runs, host["inventory_hostname"]) for host in hosts}
    if len(files) == 1:
        return "sizeup show " + " ".join(map(shlex.quote, files.values()))
    groups = {host["inventory_hostname"]: host.get("sizeup_group") for host in trusted(hosts)}
    labels = {host["inventory_hostname"]: host.get("sizeup_label") for host in trusted(hosts)}
    if all(groups.get(name) in (None, "", labels.get(name)) for name in files):
        return "sizeup compare --by-label {0}/*.run.jsonl".format(shlex.quote(runs))
    named = ["--group=" + shlex.quote("{0}={1}".format(groups.get(name) or labels.get(name) or name, file)) for name, file in files.items()]
    return "sizeup compare " + " ".join(named)


class FilterModule:
    """Loaded by Ansible."""

    def filters(self):
        return {"next_command": next_command}
