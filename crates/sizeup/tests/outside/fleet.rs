//! `sizeup fleet`: what it says of what Ansible does. Here a script stands for `ansible-playbook`; `fleet/tests/four-hosts` has
//! the real one and hosts.

use crate::support::{Answer, Place, not_tested};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A place whose release folder has the collection, and an `ansible-playbook` that is this script.
fn place(script: &str) -> Place {
    let place = Place::new();
    fs::create_dir_all(place.path("home/share/sizeup/ansible_collections/sizeup/fleet")).unwrap();
    fs::create_dir(place.path("bin")).unwrap();
    place.write("inventory", "");
    let program = place.write("bin/ansible-playbook", format!("#!/bin/sh\n{script}\n"));
    fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
    place
}

fn fleet(place: &Place, arguments: &[&str]) -> Answer {
    let path = format!("{}:{}", place.path("bin").display(), env::var("PATH").unwrap());
    let mut command = place.command(&[&["fleet"], arguments].concat());
    Answer::of(command.env("PATH", path).output().expect("sizeup can be started"))
}

const TWO_HOSTS: &str = r#"
cat >> "$SIZEUP_FLEET_EVENTS" <<EVENTS
{"event": "hosts", "hosts": ["a", "b"]}
{"event": "stage", "host": "a", "text": "starting"}
{"event": "note", "host": "a", "text": "Machine busy"}
{"event": "failed", "host": "b", "text": "unreachable: No route to host"}
{"event": "done", "host": "a", "text": "measured: 4 rows"}
{"event": "next", "text": "sizeup show runs/a.run.jsonl"}
EVENTS
exit 2"#;

#[test]
fn a_fleet_says_of_each_host_how_it_ended_and_what_to_do() {
    let answer = fleet(&place(TWO_HOSTS), &["run", "-i", "a,b,", "--suite", "edge"]);
    assert_eq!(answer.status, 3, "{}", answer.stderr);
    let prose = answer.prose();
    assert!(prose.starts_with("1 of 2 hosts done; 1 failed. Run files: runs."), "{prose}");
    for text in [
        "a done measured: 4 rows",
        "b failed unreachable: No route to host",
        "! a: Machine busy",
        "Run the same command again",
        "Next: sizeup show runs/a.run.jsonl",
    ] {
        assert!(prose.contains(text), "{text:?} is not in {prose}");
    }
    for line in ["sizeup: a: starting", "sizeup: b: failed: unreachable: No route to host"] {
        assert!(answer.stderr.contains(line), "{}", answer.stderr);
    }
}

#[test]
fn ansible_is_told_what_to_measure_and_checks_host_keys() {
    let place = place(
        r#"echo "$@" > arguments
echo "$ANSIBLE_HOST_KEY_CHECKING $ANSIBLE_CALLBACKS_ENABLED $ANSIBLE_INJECT_FACT_VARS $ANSIBLE_CACHE_PLUGIN" > environment
cat > "$SIZEUP_FLEET_EVENTS" <<EVENTS
{"event": "hosts", "hosts": ["m8g-1"]}
{"event": "done", "host": "m8g-1", "text": "measured: 4 rows"}
EVENTS"#,
    );
    let answer = fleet(
        &place,
        &[
            "run",
            "-i",
            "inventory",
            "--release",
            "r.tar.gz",
            "--hosts",
            "m8g*",
            "--",
            "--budget",
            "9s",
        ],
    );
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    let arguments = fs::read_to_string(place.path("arguments")).unwrap();
    let release = place.path("r.tar.gz");
    for text in [
        "--inventory inventory",
        r#""sizeup_arguments":["--budget","9s"]"#,
        r#""sizeup_hosts":"m8g*""#,
        r#""sizeup_doctor":"report""#,
        &format!(r#""sizeup_releases":["{}"]"#, release.display()),
        "sizeup.fleet.run",
    ] {
        assert!(arguments.contains(text), "{text} is not in {arguments}");
    }
    let environment = fs::read_to_string(place.path("environment")).unwrap();
    assert_eq!(environment, "True sizeup.fleet.events False memory\n");
}

#[test]
fn a_problem_of_all_hosts_is_all_that_is_said() {
    let script = r#"echo '{"event": "failed", "text": "r.tar.gz: no such file or folder"}' > "$SIZEUP_FLEET_EVENTS"; exit 2"#;
    fleet(&place(script), &["run", "-i", "a,"])
        .refuses(2, "sizeup: r.tar.gz: no such file or folder");
    let script = "echo 'ERROR! the inventory is no YAML'; exit 4";
    fleet(&place(script), &["status", "-i", "a,"]).refuses(2, "ERROR! the inventory is no YAML");
}

/// Events of hosts that are done: one is of another group than its label says, and the last is a client, which has no run.
const TWO_TYPES: &str = r#"
cat > "$SIZEUP_FLEET_EVENTS" <<EVENTS
{"event": "hosts", "hosts": ["old-1", "old-2", "new-1", "new-2", "load"]}
{"event": "done", "host": "old-1", "text": "measured before"}
{"event": "done", "host": "old-2", "text": "measured before"}
{"event": "done", "host": "new-1", "text": "measured before"}
{"event": "group", "host": "new-2", "text": "new"}
{"event": "done", "host": "new-2", "text": "measured before"}
{"event": "done", "host": "load", "text": "ready to load servers"}
EVENTS"#;

#[test]
fn a_fleet_of_two_types_is_told_how_many_more_hosts_would_settle_which_is_faster() {
    let place = place(TWO_TYPES);
    for (host, label, value) in [
        ("old-1", "old", 970),
        ("old-2", "old", 1030),
        ("new-1", "new", 1010),
        ("new-2", "newer", 1090),
    ] {
        let table = format!("machine,workload,threads,value,unit\n{label},sum,1,{value},MB/s\n");
        place.write("table.csv", table);
        let file = format!("runs/{host}.run.jsonl");
        assert_eq!(place.sizeup(&["import", "csv", "table.csv", "-o", &file]).status, 0);
    }
    for command in ["run", "status", "fetch"] {
        let answer = fleet(&place, &[command, "-i", "inventory"]);
        let prose = answer.prose();
        assert_eq!(answer.status, 0, "{}{prose}", answer.stderr);
        assert!(prose.starts_with("5 of 5 hosts done. Run files: runs. new and old on"), "{prose}");
        assert!(prose.contains("of each) would settle it if the ratio stays 1.05×"), "{prose}");
    }
    let cleaned = fleet(&place, &["clean", "-i", "inventory"]);
    assert!(!cleaned.prose().contains("settle"), "{}", cleaned.stdout);
    place.write("runs/old-1.run.jsonl", "no run");
    let answer = fleet(&place, &["status", "-i", "inventory"]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    let says = "How many hosts would settle which type is faster is unknown: runs/old-1.run.jsonl";
    assert!(answer.prose().contains(says), "{}", answer.stdout);
}

#[test]
fn a_playbook_that_finds_no_host_is_no_success() {
    let place = place(
        r#"echo '{"event": "hosts", "hosts": []}' > "$SIZEUP_FLEET_EVENTS"
echo '[WARNING]: Could not match supplied host pattern'"#,
    );
    for command in ["run", "status", "fetch", "clean"] {
        let answer = fleet(&place, &[command, "-i", "inventory"]);
        answer.refuses(2, "no host in inventory: [WARNING]: Could not match");
        fleet(&place, &[command, "-i", "inventroy"]).refuses(2, "inventroy: no such inventory");
    }
    fleet(&place, &["run", "-i", "inventory", "--hosts", "m9g*"])
        .refuses(2, "no host matches m9g* in inventory");
}

#[test]
fn a_path_that_is_not_utf_8_is_refused() {
    let place = place("exit 0");
    for arguments in [["-o", "runs-"], ["--release", "release-"]] {
        let [option, name] = arguments.map(str::as_bytes);
        let path = [name, b"\xff"].concat();
        let mut command = place.command(&["fleet", "run", "-i", "a,"]);
        command.args([option, &path].map(OsStr::from_bytes)).env("PATH", place.path("bin"));
        let answer = Answer::of(command.output().expect("sizeup can be started"));
        answer.refuses(2, "-\u{fffd}: not UTF-8");
    }
}

/// Writes hostile texts of a host with the collection's own code: bytes that are no UTF-8, line ends, escapes.
const HOSTILE: &str = r#"
import os, sys
sys.path.insert(0, sys.argv[1])
import events
text = os.fsdecode(b"caf\xe9 \xff \"one\"\n{\"event\": \"dance\"}\0\x1b[31m \xe2\x80\xae \xf0\x9f\x90\xa2")
events.emit("hosts", hosts=["a", "b\udcff"])
events.emit("note", host="a", text=text)
events.emit("failed", host="b\udcff", text=text)
events.emit("done", host="a", text="measured: 4 rows")
"#;

#[test]
fn what_a_host_says_in_no_encoding_does_not_end_the_fleet() {
    if Command::new("python3").arg("--version").output().is_err() {
        return not_tested("what hosts say in no encoding: python3 is not in PATH");
    }
    let code = sources().join("plugins/plugin_utils");
    let place = place(&format!("exec python3 hostile.py '{}'", code.display()));
    place.write("hostile.py", HOSTILE);
    let answer = fleet(&place, &["run", "-i", "a,b,"]);
    assert_eq!(answer.status, 3, "{}", answer.stderr);
    let prose = answer.prose();
    assert!(prose.starts_with("1 of 2 hosts done; 1 failed."), "{prose}");
    for text in ["a done measured: 4 rows", "b? failed caf? ? \"one\"", "! a: caf? ?", "🐢"] {
        assert!(prose.contains(text), "{text:?} is not in {prose}");
    }
    for said in [&answer.stdout, &answer.stderr] {
        assert!(!said.contains(['\0', '\x1b', '\u{202e}']), "{said:?}");
    }
}

#[test]
fn a_playbook_that_is_not_understood_is_interrupted_then_killed() {
    let place = place(
        r#"trap 'echo interrupted >> interrupted' INT
echo $$ > pid
echo '{"event": "dance"}' > "$SIZEUP_FLEET_EVENTS"
while :; do sleep 1; done"#,
    );
    let answer = fleet(&place, &["run", "-i", "a,"]);
    let pid = fs::read_to_string(place.path("pid")).unwrap();
    let is_left = Path::new("/proc").join(pid.trim()).exists();
    if is_left {
        let group = Pid::from_raw(pid.trim().parse().unwrap());
        killpg(group, Signal::SIGKILL).unwrap();
    }
    answer.refuses(2, "the collection wrote an event that sizeup does not know");
    assert!(!is_left, "ansible-playbook was left running");
    assert_eq!(fs::read_to_string(place.path("interrupted")).unwrap(), "interrupted\n");
}

#[test]
fn without_ansible_a_fleet_says_how_to_install_it() {
    let place = place("exit 0");
    let mut command = place.command(&["fleet", "run", "-i", "a,"]);
    let answer = command.env("PATH", "").env("XDG_DATA_HOME", place.path("data")).output().unwrap();
    let answer = Answer::of(answer);
    answer.refuses(2, "ansible-playbook is not in PATH. Install Ansible, or: python3 -m venv");
    assert!(answer.stderr.contains("requirements.txt"), "{}", answer.stderr);
}

/// `ansible-playbook` of PATH, where it really is: its Python lies beside it.
fn ansible() -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let mut programs = env::split_paths(&path).map(|folder| folder.join("ansible-playbook"));
    programs.find(|program| program.is_file())?.canonicalize().ok()
}

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fleet").canonicalize().unwrap()
}

#[track_caller]
fn assert_passes(command: &mut Command) {
    let output = command.output().expect("the command can be started");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_collections_playbooks_and_plugins_are_what_ansible_takes() {
    let Some(program) = ansible() else {
        return not_tested("the collection: ansible-playbook is not in PATH");
    };
    let place = Place::new();
    let collections = place.path("collections");
    fs::create_dir_all(collections.join("ansible_collections/sizeup")).unwrap();
    let link = collections.join("ansible_collections/sizeup/fleet");
    std::os::unix::fs::symlink(sources(), link).unwrap();
    let in_collections = |program: &Path| {
        let mut command = Command::new(program);
        command
            .env("ANSIBLE_COLLECTIONS_PATH", &collections)
            .env("ANSIBLE_LOCAL_TEMP", place.path("local"))
            .env("PYTHONPATH", &collections)
            .env("PYTHONDONTWRITEBYTECODE", "1");
        command
    };
    let playbooks = ["run", "status", "fetch", "clean"].map(|name| format!("sizeup.fleet.{name}"));
    let arguments = ["--inventory", "localhost,", "--syntax-check"];
    assert_passes(in_collections(&program).args(arguments).args(playbooks));
    let python = program.with_file_name("python3");
    assert_passes(in_collections(&python).arg(sources().join("tests/units.py")));
}

#[test]
fn hostile_hosts_lose_their_own_figures_and_nothing_else_happens() {
    if ansible().is_none() {
        return not_tested("hostile hosts: ansible-playbook is not in PATH");
    }
    assert_passes(&mut Command::new(sources().join("tests/hostile")));
}
