"""Arguments and results of the action plugin of this name, which does all the work."""

from __future__ import annotations

DOCUMENTATION = r"""
module: host
short_description: Does a step of a fleet on a host that may be hostile
description:
  - Uses the connection's shell alone, without Python on the host, so that it disturbs a measurement little, and so that no
    answer of a host is the result of a module.
  - Each question to the host has a limit of time and of bytes. A host that fails is named by an event, and does not fail the task.
options:
  step:
    description: What to do.
    required: true
    type: str
    choices: [measure, client, release, status, fetch, clean]
  controller:
    description: What all hosts share, as the role's tasks on the controller made it.
    required: true
    type: dict
  folder:
    description: The folder for all that sizeup needs on the host, which it must not have, or which this made.
    required: true
    type: str
  doctor:
    description: What to do with what sizeup doctor finds.
    default: report
    type: str
    choices: [report, require, skip]
  doctor_seconds:
    description: How long sizeup doctor observes the host.
    default: 20
    type: int
  poll_seconds:
    description: Seconds between two questions how far the host is.
    default: 30
    type: int
  answer_seconds:
    description: How long an answer is awaited.
    default: 60
    type: int
  transfer_seconds:
    description: How long pushing a release, or fetching a run file, may take.
    default: 1800
    type: int
  lost_seconds:
    description: How long a host that measures may be unreachable before it counts as failed.
    default: 600
    type: int
  longest_seconds:
    description: How long a host may measure before it is left alone.
    default: 86400
    type: int
  keep:
    description: Whether the host keeps release and run file.
    default: false
    type: bool
  discard:
    description: Whether a partial run on the host is discarded instead of resumed.
    default: false
    type: bool
  label:
    description: The label of the host in its run file.
    default: ""
    type: str
  group:
    description: The group that the host is of in comparisons.
    default: ""
    type: str
  name:
    description: The name of the host in its run file. By default one that does not say which host it is.
    default: ""
    type: str
  facts:
    description: Facts that no file of the host says, by name.
    default: {}
    type: dict
  client:
    description: The host that loads this host's servers, as C(name), C(login) for ssh, and C(release), its folder there.
    default: {}
    type: dict
author:
  - The authors of sizeup
"""

EXAMPLES = r"""
- name: Say how far hosts are
  sizeup.fleet.host:
    step: status
    controller: "{{ hostvars.localhost.sizeup_controller }}"
    folder: ~/.sizeup-fleet
"""

RETURN = r"""
is_done:
  description: Whether the step came to its end.
  type: bool
  returned: always
release:
  description: The folder of the release on a client.
  type: str
  returned: for the step C(client), if it came to its end
"""
