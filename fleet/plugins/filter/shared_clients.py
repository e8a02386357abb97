"""Clients that several servers name."""

from __future__ import annotations

DOCUMENTATION = r"""
name: shared_clients
short_description: Clients that several servers name
description:
  - A client that loads several servers at once measures none of them.
options:
  _input:
    description: The variables of all hosts.
    type: list
    elements: dict
    required: true
author:
  - The authors of sizeup
"""

EXAMPLES = r"""
shared: "{{ groups['all'] | map('extract', hostvars) | sizeup.fleet.shared_clients }}"
"""

RETURN = r"""
_value:
  description: Their names.
  type: list
  elements: str
"""

from collections import Counter

from ansible_collections.sizeup.fleet.plugins.plugin_utils.facts import trusted


def shared_clients(hosts):
    """Names that occur twice."""
    taken = Counter(host["sizeup_client"] for host in trusted(hosts) if host.get("sizeup_client"))
    return sorted(name for name, count in taken.items() if count > 1)


class FilterModule:
    """Loaded by Ansible."""

    def filters(self):
        return {"shared_clients": shared_clients}
