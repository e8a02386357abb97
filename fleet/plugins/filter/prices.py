"""Prices of a fleet, as a price file."""

from __future__ import annotations

DOCUMENTATION = r"""
name: prices
short_description: Prices of a fleet, as a price file of sizeup
description:
  - Hosts of a group have one price. A host with a price or watts needs a group or a label, and watts need a price.
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
content: "{{ groups['all'] | map('extract', hostvars) | sizeup.fleet.prices }}"
"""

RETURN = r"""
_value:
  description: TOML; empty if no host has a price.
  type: str
"""

import json

from ansible.errors import AnsibleFilterError
from ansible_collections.sizeup.fleet.plugins.plugin_utils.facts import trusted

FIELDS = ("per_hour", "currency", "region", "date", "commitment", "watts")


def price_of(host):
    """Price and watts of a host, by the names of a price file; empty if it states neither."""
    price = {key: str(value) for key, value in (host.get("sizeup_price") or {}).items() if value}
    name = host["inventory_hostname"]
    unknown = sorted(set(price) - set(FIELDS))
    if unknown:
        raise AnsibleFilterError("sizeup_price of {0} has no field {1}".format(name, ", ".join(unknown)))
    if host.get("sizeup_watts"):
        price["watts"] = str(host["sizeup_watts"])
    if price and "per_hour" not in price:
        raise AnsibleFilterError("{0} has watts or a price without per_hour: a price file needs it".format(name))
    for key in ("per_hour", "watts"):
        if key in price:
            try:
                price[key] = float(price[key])
            except ValueError:
                raise AnsibleFilterError("{0} of {1} is {2!r}, not a number".format(key, name, price[key])) from None
    return price


def prices(hosts):
    """A table for each group."""
    found = {}
    for host in trusted(hosts):
        price = price_of(host)
        if not price:
            continue
        name = host["inventory_hostname"]
        group = host.get("sizeup_group") or host.get("sizeup_label")
        if not group:
            raise AnsibleFilterError("{0} has a price, but neither sizeup_group nor sizeup_label".format(name))
        first, known = found.setdefault(group, (name, price))
        if known != price:
            raise AnsibleFilterError("{0} and {1} are of the group {2}, but have different prices".format(first, name, group))
    lines = []
    for group, (_first, price) in sorted(found.items()):
        lines += ["[[price]]", "label = " + json.dumps(str(group), ensure_ascii=False)]
        lines += [
            "{0} = {1}".format(key, json.dumps(price[key], ensure_ascii=False)) for key in FIELDS if key in price
        ]
        lines.append("")
    return "\n".join(lines)


class FilterModule:
    """Loaded by Ansible."""

    def filters(self):
        return {"prices": prices}
