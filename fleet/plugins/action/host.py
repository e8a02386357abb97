"""Runs sizeup on a host: nothing of a host's answers leaves this file but harmless lines of text
and checked run files."""

from __future__ import annotations

import base64
import binascii
import contextlib
import hashlib
import json
import os
import re
import resource
import subprocess
import time
import zlib

from ansible.plugins.action import ActionBase
from ansible_collections.sizeup.fleet.plugins.plugin_utils.channel import Channel, ConnectionLost, Refusal
from ansible_collections.sizeup.fleet.plugins.plugin_utils.events import emit, is_heard
from ansible_collections.sizeup.fleet.plugins.plugin_utils.facts import names_of_ours
from ansible_collections.sizeup.fleet.plugins.plugin_utils.resumed import resumed
from ansible_collections.sizeup.fleet.plugins.plugin_utils.texts import check_folder, check_host_name, last_line, plain

ARCHITECTURES = {"x86_64": "x86_64", "aarch64": "aarch64", "arm64": "aarch64"}
STATES = ("absent", "running", "ended", "gone")
# A piece of a release or of a run file.
PIECE_BYTES = 1 << 20
# Base64 of a piece that gzip could not make smaller, with line ends.
PIECE_CHARACTERS = 3 << 19
# Run files of an hour have some megabytes.
MOST_RUN_BYTES = 512 << 20
# `sizeup show` of a large run file takes seconds.
SHOW_SECONDS = 300
MOST_SHOW_MEMORY = 4 << 30
# sizeup run ends with 3 if a row has no figure, or if it was stopped, which its file shows.
MEASURED = (0, 3)

ARGUMENTS = {
    "step": {"type": "str", "required": True, "choices": ["measure", "client", "release", "status", "fetch", "clean"]},
    "controller": {"type": "dict", "required": True},
    "folder": {"type": "str", "required": True},
    "doctor": {"type": "str", "default": "report", "choices": ["report", "require", "skip"]},
    "doctor_seconds": {"type": "int", "default": 20},
    "poll_seconds": {"type": "int", "default": 30},
    "answer_seconds": {"type": "int", "default": 60},
    "transfer_seconds": {"type": "int", "default": 1800},
    "lost_seconds": {"type": "int", "default": 600},
    "longest_seconds": {"type": "int", "default": 86400},
    "keep": {"type": "bool", "default": False},
    "discard": {"type": "bool", "default": False},
    "label": {"type": "str", "default": ""},
    "group": {"type": "str", "default": ""},
    "name": {"type": "str", "default": ""},
    "facts": {"type": "dict", "default": {}},
    "client": {"type": "dict", "default": {}},
}


class ActionModule(ActionBase):
    """A step of a fleet on one host."""

    _supports_check_mode = False
    _requires_connection = True
    TRANSFERS_FILES = False
    _VALID_ARGS = frozenset(ARGUMENTS)

    def run(self, tmp=None, task_vars=None):
        result = super().run(tmp, task_vars)
        _validation, arguments = self.validate_argument_spec(argument_spec=ARGUMENTS)
        name = task_vars["inventory_hostname"]
        outcome = {"is_done": False}
        try:
            if names := names_of_ours(task_vars.get("ansible_facts")):
                raise Refusal("it has facts with names of ours, {0}: a host must not choose these".format(", ".join(names)))
            channel = Channel(self._execute, _text_of(arguments["controller"]["role"], "host"))
            outcome.update(getattr(Host(name, arguments, channel, self._say), arguments["step"])() or {}, is_done=True)
        except Exception as error:
            # Not a failure of the task: Ansible ends all plays when all hosts of one have failed.
            self._say("failed", name, error)
        return {**result, "changed": True, **outcome}

    def _execute(self, command, stdin):
        # Connections show what hosts print as it is, and a queue that a limit interrupts while they do is broken.
        self._display.verbosity = self._display.log_verbosity = 0
        return self._low_level_execute_command(command, in_data=stdin)

    def _say(self, event, host, text):
        text = plain(text)
        if is_heard():
            emit(event, host=host, text=text)
        else:
            self._display.display("{0}: {1}: {2}".format(plain(host), event, text))


def _text_of(role, script):
    with open(os.path.join(role, "files", script), encoding="utf-8") as file:
        return file.read()


class Host:
    """A host, whose answers may be anything. Each step raises Refusal with the reason why it is left behind."""

    def __init__(self, name, arguments, channel, say):
        check_host_name(name)
        check_folder(arguments["folder"])
        self._name = name
        self._given = arguments
        self._channel = channel
        self._say_event = say
        self._controller = arguments["controller"]
        self._run_file = os.path.join(self._controller["runs"], name + ".run.jsonl")
        digest = hashlib.sha256((self._controller["campaign"] + name).encode()).hexdigest()
        # Always equal for one host, and useless to anybody who has only the run file.
        self._name_in_file = arguments["name"] or "host-" + digest[:8]

    def measure(self):
        """From nothing to its run file, or from wherever an earlier attempt left it."""
        if self._is_fetched():
            return
        try:
            state, architecture = self._begin()
            if state["state"] in ("absent", "gone"):
                release = self._push(architecture)
                self._reach_client()
                self._examine(release)
                self._start(release, state)
            if state["state"] != "ended":
                state = self._await()
            self._collect(state)
        except Refusal:
            self._sweep()
            raise

    def client(self):
        """Makes it ready to load servers of others."""
        try:
            _state, architecture = self._begin()
            release = self._push(architecture)
        except Refusal:
            self._sweep()
            raise
        self._say("stage", "ready to load servers")
        return {"release": self._given["folder"] + "/" + release}

    def release(self):
        """Removes what a client was given."""
        if not self._given["keep"]:
            self._ask("remove")
        self._say("done", "was a client")

    def status(self):
        """Says how far it is. Changes nothing."""
        if not self._is_fetched():
            self._say_state(self._state())

    def fetch(self):
        """Fetches its run file if it has finished."""
        if self._is_fetched():
            return
        state = self._state()
        if state["state"] == "ended":
            self._collect(state)
        else:
            self._say_state(state)

    def clean(self):
        """Ends what is measured, and removes what is left. Run files on the controller stay."""
        self._end(self._state())
        self._ask("remove")
        self._say("done", "nothing is left")

    def _begin(self):
        """Makes its folder. Returns its state and its architecture."""
        self._say("stage", "connecting")
        state = self._state()
        if self._given["discard"] and (state["has_run"] or state["state"] != "absent"):
            self._end(state)
            self._ask("discard")
            state = self._state()
        machine = self._ask("begin").split()[-1:]
        if machine[0:1] == [] or machine[0] not in ARCHITECTURES:
            raise Refusal("its architecture is not one of {0}".format(", ".join(ARCHITECTURES)))
        if state["state"] == "ended" and (state["status"] not in MEASURED or not state["has_run"]):
            self._ask("forget")
            state = {**state, "state": "gone"}
        return state, ARCHITECTURES[machine[0]]

    def _push(self, architecture):
        """Has it unpack the release of its architecture. Returns the name of its folder."""
        packs = [pack for pack in self._controller["packed"] if pack["architecture"] == architecture]
        if not packs:
            raise Refusal("no release for {0}: name one in sizeup_releases (sizeup fleet run --release)".format(architecture))
        file, digest = packs[0]["file"], packs[0]["sha256"]
        release = "release-" + digest[:16]
        if self._ask("has_release", release).split()[-1:] == ["yes"]:
            return release
        self._say("stage", "pushing the release")
        seconds_left = self._limit("pushing the release")
        with open(file, "rb") as opened:
            offset = 0
            while piece := opened.read(PIECE_BYTES):
                seconds_left()
                self._ask("receive", release, str(offset), stdin=piece)
                offset += len(piece)
        self._ask("unpack", release, digest, seconds=seconds_left())
        return release

    def _reach_client(self):
        client = self._given["client"]
        if not client:
            return
        if not client.get("release"):
            raise Refusal("its client {0} is not ready".format(client["name"]))
        self._ask("reach", client["login"], client["release"])

    def _examine(self, release):
        """Says what sizeup doctor finds."""
        demand, seconds = self._given["doctor"], self._given["doctor_seconds"]
        if demand == "skip":
            return
        self._say("stage", "checking the host")
        limit = self._given["answer_seconds"] + 2 * seconds
        status, text = self._channel.status_of("doctor", *self._place(), release, str(seconds), seconds=limit)
        if status == 3:
            found = plain(text).removeprefix("! ")
            if demand == "require":
                raise Refusal("not measured, for sizeup doctor found: " + found)
            self._say("note", found)
        elif status != 0:
            raise Refusal(last_line(text))

    def _start(self, release, state):
        """Starts sizeup run, or goes on with the run that an earlier attempt left."""
        controller, given = self._controller, self._given
        if state["has_run"]:
            words = ["--resume", "run.jsonl", *resumed(controller["arguments"])]
        else:
            words = ["--output", "run.jsonl", "--host", self._name_in_file]
            if given["label"]:
                words += ["--label", given["label"]]
            words += ["--fact={0}={1}".format(name, fact) for name, fact in given["facts"].items()]
            words += controller["arguments"]
        if given["client"]:
            words += ["--client", "{login}:{release}".format(**given["client"])]
        self._say("stage", "going on where it was" if state["has_run"] else "starting")
        self._ask("start", _text_of(controller["role"], "measure"), release, *words)

    def _await(self):
        """Its state when the measurement has ended, however often the connection was lost."""
        began = heard = time.monotonic()
        was_lost, text = False, ""
        while True:
            try:
                state = self._state()
            except ConnectionLost as lost:
                reason = str(lost).removeprefix("unreachable: ")
                if not was_lost:
                    self._say("stage", "connection lost: " + reason)
                was_lost = True
                seconds = time.monotonic() - heard
                if seconds > self._given["lost_seconds"]:
                    where = "; it was at: " + text if text else ""
                    raise ConnectionLost("connection lost for {0:.0f} s: {1}{2}".format(seconds, reason, where)) from None
            else:
                if was_lost:
                    self._say("stage", "connected again")
                heard, was_lost, text = time.monotonic(), False, state["text"]
                if state["state"] == "ended":
                    return state
                if state["state"] != "running":
                    raise Refusal("the measurement was killed; it was at: " + (text or "its start"))
                self._say("progress", text or "starting")
            longest = self._given["longest_seconds"]
            if time.monotonic() - began > longest:
                raise Refusal("still measuring after {0} s (sizeup_longest_seconds): left alone; fetch it later".format(longest))
            time.sleep(self._given["poll_seconds"])

    def _collect(self, state):
        """Fetches the run file, checks it, gives it its name, and leaves nothing on the host."""
        if state["status"] not in MEASURED:
            raise Refusal("sizeup run ended with status {0}: {1}".format(state["status"], state["text"] or "no diagnostics"))
        self._say("stage", "fetching the run file")
        part = self._run_file + ".part"
        try:
            self._download(part)
            try:
                answer = self._read(part)
            except Refusal:
                # The next attempt goes on with it.
                self._ask("forget")
                raise
            os.rename(part, self._run_file)
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.remove(part)
        self._say_done("measured", answer)
        if not self._given["keep"]:
            try:
                self._ask("remove")
            except Refusal as error:
                self._say("note", "its files are still there: {0}".format(error))

    def _download(self, path):
        """Writes the host's run file into a new file."""
        size = self._ask("size").strip()
        if not re.fullmatch("[0-9]{1,12}", size, re.ASCII) or int(size) > MOST_RUN_BYTES:
            raise Refusal("its run file has {0} bytes, it says; {1} are fetched at most".format(plain(size), MOST_RUN_BYTES))
        size, offset, seconds_left = int(size), 0, self._limit("fetching the run file")
        with contextlib.suppress(FileNotFoundError):
            os.remove(path)
        with open(path, "xb") as file:
            while offset < size:
                expected = min(PIECE_BYTES, size - offset)
                seconds_left()
                text = self._ask("piece", str(offset), str(expected), most=PIECE_CHARACTERS)
                file.write(_unpacked(text, expected))
                offset += expected

    def _is_fetched(self):
        """Whether the run file is on the controller and whole."""
        if not os.path.lexists(self._run_file):
            return False
        self._say_done("measured before", self._read(self._run_file))
        return True

    def _read(self, path):
        """The one line of a run file's answer, whose digest is right and whose run is complete."""
        command = [self._controller["program"], "show", "--json", path]
        try:
            shown = subprocess.run(
                command,
                cwd=self._controller["started_in"],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=SHOW_SECONDS,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MOST_SHOW_MEMORY, MOST_SHOW_MEMORY)),
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise Refusal("sizeup show took more than {0} s for its run file".format(SHOW_SECONDS)) from None
        except OSError as error:
            raise Refusal("{0} can't be started: {1}".format(command[0], error.strerror)) from None
        try:
            shown_data = json.loads(shown.stdout)
            data, answer = shown_data["data"], shown_data["answer"][-1]
            ended, named, label = data["ended"], data.get("host"), data["label"]
        except (ValueError, LookupError, TypeError):
            raise Refusal(last_line(shown.stderr.decode("utf-8", "replace")) or "sizeup show can't read its run file") from None
        if ended not in ("precision", "budget"):
            raise Refusal("the run is not complete")
        if named != self._name_in_file:
            # It would pass for another of the machines that are compared.
            raise Refusal("its run file is of the host {0}, not {1}".format(plain(named), self._name_in_file))
        if self._given["label"] not in ("", label):
            # It would be compared with machines of another type.
            raise Refusal("its run file has the label {0}, not {1}".format(plain(label), self._given["label"]))
        return answer

    def _say_done(self, origin, answer):
        if self._given["group"]:
            self._say("group", self._given["group"])
        self._say("done", "{0}: {1}".format(origin, answer))

    def _end(self, state):
        """Ends a measurement that runs, and waits until it has."""
        if state["state"] != "running":
            return
        self._ask("end")
        end = time.monotonic() + self._given["answer_seconds"]
        while self._state()["state"] == "running":
            if time.monotonic() > end:
                raise Refusal("its measurement does not end")
            time.sleep(1)

    def _sweep(self):
        """After a failure: what the next attempt can go on with stays, all else goes."""
        if self._given["keep"]:
            return
        # Nothing can be removed from a host that can't be reached, and the first reason is the one to say.
        with contextlib.suppress(Refusal):
            state = self._state()
            if not state["has_run"] and state["state"] != "running":
                self._ask("remove")

    def _state(self):
        """state, status, has_run and text: of a host's words only the text is kept as it is."""
        found = {}
        for line in self._ask("state").splitlines():
            key, _, value = line.partition("=")
            found.setdefault(key, value)
        state, status = found.get("state"), found.get("status", "")
        if state not in STATES:
            raise Refusal("the state of its measurement is none that is known")
        return {
            "state": state,
            "status": int(status) if re.fullmatch("[0-9]{1,3}", status, re.ASCII) else None,
            "has_run": found.get("has_run") == "yes",
            "text": plain(found.get("text", "")).removeprefix("sizeup: "),
        }

    def _say_state(self, state):
        sentence = {
            "absent": "not measured",
            "running": "measuring",
            "ended": "finished, not fetched" if state["status"] in MEASURED else "failed",
            "gone": "killed; the next run resumes it" if state["has_run"] else "killed before its run file was begun",
        }[state["state"]]
        self._say("stage", sentence + (": " + state["text"] if state["text"] else ""))

    def _place(self):
        return self._given["folder"], self._controller["campaign"]

    def _ask(self, verb, *arguments, seconds=None, **limits):
        seconds = seconds or self._given["answer_seconds"]
        return self._channel.ask(verb, *self._place(), *arguments, seconds=seconds, **limits)

    def _limit(self, what):
        """A function that returns how many seconds are left for it, and raises Refusal if none are."""
        longest = self._given["transfer_seconds"]
        end = time.monotonic() + longest

        def seconds_left():
            seconds = end - time.monotonic()
            if seconds <= 0:
                raise Refusal("{0} took more than {1} s (sizeup_transfer_seconds)".format(what, longest))
            return max(seconds, 1)

        return seconds_left

    def _say(self, event, text):
        self._say_event(event, self._name, text)


def _unpacked(text, expected):
    """The bytes of a piece, whose number is known."""
    try:
        stream = zlib.decompressobj(wbits=31)
        piece = stream.decompress(base64.b64decode("".join(text.split()), validate=True), expected + 1)
    except (binascii.Error, zlib.error, ValueError):
        piece = b""
    if len(piece) != expected:
        raise Refusal("a piece of its run file is not what was asked for")
    return piece
