"""Checks what the collection is made of, on this machine alone: `python units.py`, with ansible-core installed and
ansible_collections in PYTHONPATH. tests/hostile shows the whole."""

import json
import os
import subprocess
import tempfile
import unittest
from base64 import b64encode
from gzip import compress
from pathlib import Path

from ansible_collections.sizeup.fleet.plugins.action.host import Host, _unpacked
from ansible_collections.sizeup.fleet.plugins.callback.events import reason
from ansible_collections.sizeup.fleet.plugins.filter.next_command import next_command
from ansible_collections.sizeup.fleet.plugins.filter.prices import prices
from ansible_collections.sizeup.fleet.plugins.filter.shared_clients import shared_clients
from ansible_collections.sizeup.fleet.plugins.plugin_utils.channel import Channel, ConnectionLost, Refusal
from ansible_collections.sizeup.fleet.plugins.plugin_utils.resumed import resumed
from ansible_collections.sizeup.fleet.plugins.plugin_utils.texts import check_folder, check_host_name, plain
from ansible.errors import AnsibleFilterError

FILES = Path(__file__).parent.parent / "roles/sizeup/files"
CAMPAIGN = "0123456789ab"


def execute(command, stdin):
    """Runs a command here, as a connection does on a host."""
    ended = subprocess.run(["sh", "-c", command], input=stdin, capture_output=True, check=False)
    return {"stdout": ended.stdout.decode("utf-8", "replace"), "stderr": ended.stderr.decode("utf-8", "replace")}


class OnAHost(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        self.addCleanup(self.home.cleanup)
        self.home_before = os.environ["HOME"]
        self.addCleanup(lambda: os.environ.update(HOME=self.home_before))
        os.environ["HOME"] = self.home.name
        self.channel = Channel(execute, (FILES / "host").read_text())

    def ask(self, verb, *arguments, folder="~/fleet", **limits):
        return self.channel.ask(verb, folder, CAMPAIGN, *arguments, seconds=30, **limits)

    def path(self, name):
        return Path(self.home.name) / name


class TheFolder(OnAHost):
    def test_it_is_made_marked_and_removed(self):
        self.assertEqual(self.ask("begin").split(), [os.uname().machine])
        self.assertEqual(sorted(os.listdir(self.path("fleet"))), [".made-by-sizeup-fleet", "campaign-" + CAMPAIGN])
        self.assertEqual(self.path("fleet").stat().st_mode & 0o777, 0o700)
        self.ask("begin")
        self.ask("remove")
        self.assertFalse(self.path("fleet").exists())
        self.ask("remove")

    def test_one_that_is_there_is_refused_and_keeps_what_it_has(self):
        for name in ("tmp", "release-" + "0" * 16, "campaign-" + CAMPAIGN):
            (self.path("mine") / name).mkdir(parents=True)
        for folder in ("~/mine", self.path("mine").as_posix()):
            for verb in ("begin", "remove", "discard", "has_release"):
                with self.assertRaisesRegex(Refusal, "not a folder that sizeup fleet made"):
                    self.ask(verb, "release-" + "0" * 16, folder=folder)
        self.assertEqual(len(os.listdir(self.path("mine"))), 3)

    def test_what_others_put_into_it_stays(self):
        self.ask("begin")
        for name in ("tmp", "release-mine", "release-" + "a" * 16, "release-" + "b" * 16 + ".tar.gz"):
            (self.path("fleet") / name).mkdir()
        with self.assertRaisesRegex(Refusal, "left alone"):
            self.ask("remove")
        self.assertEqual(sorted(os.listdir(self.path("fleet"))), ["release-mine", "tmp"])

    def test_a_mark_that_somebody_else_may_have_made_is_none(self):
        self.ask("begin")
        (self.path("fleet") / ".made-by-sizeup-fleet").unlink()
        (self.path("fleet") / ".made-by-sizeup-fleet").symlink_to("/etc/passwd")
        for verb in ("begin", "state", "remove"):
            with self.assertRaisesRegex(Refusal, "not a folder that sizeup fleet made"):
                self.ask(verb)

    def test_another_campaign_keeps_the_releases(self):
        self.ask("begin")
        for name in ("release-" + "a" * 16, "campaign-" + "f" * 12):
            (self.path("fleet") / name).mkdir()
        self.ask("remove")
        kept = [".made-by-sizeup-fleet", "campaign-" + "f" * 12, "release-" + "a" * 16]
        self.assertEqual(sorted(os.listdir(self.path("fleet"))), kept)

    def test_only_folders_below_home_or_the_root_can_be_named(self):
        for folder in ("~/a", "~/.sizeup-fleet", "/a", "/var/tmp/a-b_c.d/e"):
            check_folder(folder)
        for folder in ("", "~", "~/", "/", "a", "~/..", "/a/../b", "/a/./b", "~/a/", "~me/a", "/a b", "/a;b", "/a\n", "~/$(id)", "//a"):
            with self.assertRaises(ValueError, msg=folder):
                check_folder(folder)

    def test_only_hosts_whose_names_can_be_files_are_worked_on(self):
        for name in ("a", "m8g-1.example.org", "2001:db8::1", "10.0.0.1"):
            check_host_name(name)
        for name in ("", "..", "../x", "a/b", "-a", "a b", "a\n", "a" * 201, "ä", "a;b"):
            with self.assertRaises(ValueError, msg=name):
                check_host_name(name)
            with self.assertRaises(ValueError, msg=name):
                Host(name, {"folder": "~/a", "controller": {"runs": "/x"}}, None, None)


class Measuring(OnAHost):
    def state(self):
        return self.ask("state").splitlines()

    def test_the_state_is_that_of_the_files_and_the_process(self):
        self.assertEqual(self.state(), ["state=absent", "has_run=no"])
        self.ask("begin")
        folder = self.path("fleet/campaign-" + CAMPAIGN)
        release = self.path("fleet/release-x/bin")
        release.mkdir(parents=True)
        (release / "sizeup").write_text('#!/bin/sh\necho "$@" > words; echo "last words" >&2; exit 3\n')
        (release / "sizeup").chmod(0o755)
        self.ask("start", (FILES / "measure").read_text(), "release-x", "--label", "it's $(id)")
        for _try in range(300):
            if (folder / "status").exists():
                break
            subprocess.run(["sleep", "0.1"], check=True)
        self.assertEqual(self.state(), ["state=ended", "status=3", "has_run=no", "text=last words"])
        self.assertEqual((folder / "words").read_text(), "run --label it's $(id)\n")
        (folder / "run.jsonl").write_bytes(b"x" * 3000)
        self.ask("forget")
        self.assertEqual(self.state(), ["state=gone", "has_run=yes", "text=last words"])
        self.assertEqual(self.ask("size").strip(), "3000")
        self.assertEqual(_unpacked(self.ask("piece", "2990", "100"), 10), b"x" * 10)
        with subprocess.Popen(["sh", "-c", "sleep 600; :", str(folder)], start_new_session=True) as process:
            (folder / "pid").write_text(str(process.pid))
            self.assertEqual(self.state(), ["state=running", "has_run=yes", "text=last words"])
            os.killpg(process.pid, 9)

    def test_a_measurement_that_ends_while_its_state_is_asked_for_was_not_killed(self):
        self.ask("begin")
        folder = self.path("fleet/campaign-" + CAMPAIGN)
        (folder / "pid").write_text("0")
        # Whether its process is there is looked up by grep. It ends at that moment.
        grep = self.path("programs/grep")
        grep.parent.mkdir()
        grep.write_text("#!/bin/sh\necho 0 > status\nexit 1\n")
        grep.chmod(0o755)
        path_before = os.environ["PATH"]
        self.addCleanup(lambda: os.environ.update(PATH=path_before))
        os.environ["PATH"] = f"{grep.parent}:{path_before}"
        self.assertEqual(self.state(), ["state=ended", "status=0", "has_run=no"])

    def test_a_release_arrives_in_pieces_and_is_unpacked_if_it_is_whole(self):
        self.ask("begin")
        tar = subprocess.run(["tar", "-cz", "--transform=s,^,r/,", "-C", str(FILES), "host"], capture_output=True, check=True).stdout
        digest = subprocess.run(["sha256sum"], input=tar, capture_output=True, check=True).stdout.decode().split()[0]
        release = "release-" + digest[:16]
        self.assertEqual(self.ask("has_release", release).strip(), "no")
        self.ask("receive", release, "0", stdin=tar[:100])
        with self.assertRaisesRegex(Refusal, "does not have 101 bytes"):
            self.ask("receive", release, "101", stdin=tar[101:])
        self.ask("receive", release, "100", stdin=tar[100:])
        with self.assertRaisesRegex(Refusal, "arrived with the SHA-256 " + digest):
            self.ask("unpack", release, "0" * 64)
        self.ask("unpack", release, digest)
        self.assertEqual(self.ask("has_release", release).strip(), "yes")
        self.assertTrue((self.path("fleet") / release / "host").is_file())

    def test_doctor_finds_something_or_nothing_or_fails(self):
        self.ask("begin")
        release = self.path("fleet/release-x/bin")
        release.mkdir(parents=True)
        for script, status, text in (
            ('echo measuring >&2; echo "! busy"; exit 1', 3, "! busy"),
            ("echo measuring >&2", 0, ""),
            ('echo "no library" >&2; exit 1', 1, "sizeup doctor ended with status 1: no library"),
            ("echo begun; echo why >&2; exit 3", 1, "sizeup doctor ended with status 3: why"),
        ):
            (release / "sizeup").write_text("#!/bin/sh\n" + script + "\n")
            (release / "sizeup").chmod(0o755)
            answer = self.channel.status_of("doctor", "~/fleet", CAMPAIGN, "release-x", "1", seconds=30)
            self.assertEqual((answer[0], answer[1].strip()), (status, text))


class AChannel(unittest.TestCase):
    def ask(self, script, **limits):
        return Channel(execute, script).ask("verb", **{"seconds": 30, **limits})

    def test_an_answer_is_what_stands_between_its_marks(self):
        self.assertEqual(self.ask("echo a; echo b >&2").split(), ["a", "b"])
        with self.assertRaisesRegex(Refusal, "^why$"):
            self.ask("echo begun; echo why; exit 4")
        with self.assertRaisesRegex(Refusal, "^verb ended with status 4$"):
            self.ask("exit 4")
        with self.assertRaisesRegex(Refusal, "21 characters; 3 were"):
            self.ask("echo 12345678901234567890", most=3)

    def test_an_answer_without_its_marks_is_a_lost_connection(self):
        for stdout in ("", "state=ended", "\nMARK\nstate=ended", "\nMARK\na\n\nMARK x", "\nMARK\na\n\nMARK 1234", "\nMARK 0"):

            def lie(command, _stdin, stdout=stdout):
                mark = command.partition("echo; echo ")[2][:16]
                return {"stdout": stdout.replace("MARK", mark), "stderr": "one\nwhy\x1b[2J\n"}

            with self.assertRaisesRegex(ConnectionLost, r"^unreachable: why \[2J$", msg=stdout):
                Channel(lie, "").ask("verb", seconds=30)

    def test_whatever_a_connection_fails_with_is_a_lost_connection(self):
        def broken(_command, _stdin):
            raise BrokenPipeError(32, "Broken pipe")

        with self.assertRaisesRegex(ConnectionLost, "Broken pipe"):
            Channel(broken, "").ask("verb", seconds=30)

    def test_silence_and_endless_answers_end(self):
        with self.assertRaisesRegex(ConnectionLost, "no answer in 1 s"):
            self.ask("sleep 600", seconds=1)
        with self.assertRaisesRegex(Refusal, "no end|no answer in"):
            self.ask("cat /dev/zero", seconds=20)
        children = Path("/proc/self/task/{0}/children".format(os.getpid())).read_text()
        self.assertEqual(children, "")


class RunFiles(unittest.TestCase):
    """With a program that says of a file what the file says."""

    def read(self, label="", **shown):
        with tempfile.TemporaryDirectory() as folder:
            program, file = Path(folder) / "sizeup", Path(folder) / "a.run.jsonl"
            program.write_text('#!/bin/sh\ncat "$3"\n')
            program.chmod(0o700)
            data = {"ended": "budget", "host": "mine", "label": "t3-type", **shown}
            file.write_text(json.dumps({"data": data, "answer": ["an answer"]}))
            controller = {"campaign": CAMPAIGN, "runs": folder, "program": str(program), "started_in": folder}
            given = {"folder": "~/fleet", "controller": controller, "name": "mine", "label": label}
            return Host("a", given, None, None)._read(str(file))

    def test_one_that_is_complete_and_says_what_it_was_told_to_is_believed(self):
        self.assertEqual(self.read(), "an answer")
        self.assertEqual(self.read(label="t3-type"), "an answer")

    def test_one_of_another_host_or_type_or_that_is_not_complete_is_refused(self):
        for given in ({"host": "yours"}, {"host": None}, {"label": "t3-type", "ended": None}, {"ended": "stopped"}):
            with self.assertRaises(Refusal):
                self.read(**given)
        with self.assertRaisesRegex(Refusal, "has the label t3-type, not t9-type"):
            self.read(label="t9-type")


class Texts(unittest.TestCase):
    def test_nothing_of_them_rewrites_a_screen(self):
        self.assertEqual(plain("a\x1b[2J\r\nb\u202e\0\udcffc"), "a [2J b c")
        self.assertEqual(len(plain("x" * 10**7)), 300)

    def test_the_reason_of_a_failed_task_is_its_message_or_the_last_line_that_was_printed(self):
        self.assertEqual(reason({"msg": "non-zero return code", "stderr": "one\ntwo\n"}), "two")
        self.assertEqual(reason({"rc": 1, "stdout": "no room"}), "no room")
        self.assertEqual(reason({"msg": "One or more", "results": [{}, {"failed": True, "msg": "why"}]}), "why")

    def test_a_piece_is_refused_unless_it_is_what_was_asked_for(self):
        self.assertEqual(_unpacked(b64encode(compress(b"abc")).decode() + "\n", 3), b"abc")
        for text in ("", "abc", "ö", b64encode(b"abc").decode(), b64encode(compress(b"abcd")).decode(), b64encode(compress(bytes(10**8))).decode()):
            with self.assertRaises(Refusal):
                _unpacked(text, 3)

    def test_flags_that_a_resumed_run_needs_again_are_kept_with_their_values(self):
        given = ["--suite", "edge", "--variant", "thp", "--power=ipmi", "--no-telemetry", "--budget", "1m"]
        self.assertEqual(resumed(given), ["--variant", "thp", "--power=ipmi", "--no-telemetry"])
        self.assertEqual(resumed(["--variant", "--power", "--seed", "1"]), ["--variant", "--power"])


class Filters(unittest.TestCase):
    server = {"inventory_hostname": "a", "sizeup_label": "x", "sizeup_price": {"per_hour": 2, "currency": "USD"}, "sizeup_watts": 90}
    other = {**server, "inventory_hostname": "b"}

    def test_a_group_has_one_price(self):
        table = '[[price]]\nlabel = "x"\nper_hour = 2.0\ncurrency = "USD"\nwatts = 90.0\n'
        self.assertEqual(prices([self.server, self.other]), table)
        self.assertEqual(prices([{"inventory_hostname": "c"}]), "")
        with self.assertRaises(AnsibleFilterError):
            prices([self.server, {**self.other, "sizeup_watts": 91}])

    def test_a_client_of_two_servers_is_named(self):
        self.assertEqual(shared_clients([{"sizeup_client": "l"}, {"sizeup_client": "l"}, {"sizeup_client": "m"}, {}]), ["l"])

    def test_run_files_are_compared_by_label_or_by_group(self):
        self.assertEqual(next_command([self.server], "my runs"), "sizeup show 'my runs/a.run.jsonl'")
        self.assertEqual(next_command([self.server, self.other], "r"), "sizeup compare --by-label r/*.run.jsonl")
        grouped = {**self.other, "sizeup_group": "y"}
        self.assertEqual(next_command([self.server, grouped], "r"), "sizeup compare --group=x=r/a.run.jsonl --group=y=r/b.run.jsonl")

    def test_what_a_host_says_of_itself_is_no_price_and_no_client(self):
        liar = {**self.server, "ansible_facts": {"sizeup_price": {}}, "sizeup_client": "l"}
        self.assertEqual(prices([liar]), "")
        self.assertEqual(shared_clients([liar, liar]), [])


class Releases(unittest.TestCase):
    def pack(self, *arguments):
        return subprocess.run(["sh", str(FILES / "pack"), *map(str, arguments)], capture_output=True, text=True, check=False)

    def test_what_is_no_release_or_has_another_digest_is_refused(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            self.assertIn("not a release folder", self.pack(folder, folder).stderr)
            (folder / "r.tar.gz").write_text("changed")
            (folder / "SHA256SUMS").write_text("0" * 64 + "  ./r.tar.gz\n")
            self.assertIn("its SHA-256 is not the one in", self.pack(folder / "r.tar.gz", folder).stderr)


if __name__ == "__main__":
    unittest.main()
