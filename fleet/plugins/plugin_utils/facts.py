"""Facts: what a host says of itself, which Ansible takes for variables, ahead of what the inventory says."""

from __future__ import annotations


def names_of_ours(facts):
    """Facts that pass for variables of this collection."""
    return sorted(str(name) for name in facts or {} if str(name).startswith("sizeup_"))


def trusted(hosts):
    """The variables of those hosts that have no such facts."""
    return [host for host in hosts if not names_of_ours(host.get("ansible_facts"))]
