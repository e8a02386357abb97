//! `sizeup doctor`, and the disturbances that a run names: on this machine, with strangers that the test
//! starts itself.

use crate::support::{Answer, NEVER, Place, fake_worker};
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::{Pid, setsid};
use serde_json::Value;
use std::collections::BTreeSet;
use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use std::fs;

/// A process that takes all that it can get of the first CPU that may be used: with so many threads, in a session of its
/// own, that whoever else is busy there gets less. (The kernel may share a CPU out by session first.)
struct Stranger(Child);

impl Stranger {
    fn spin(program: &Path) -> Self {
        let allowed = sched_getaffinity(Pid::from_raw(0)).expect("an affinity");
        let first = (0..CpuSet::count()).find(|cpu| allowed.is_set(*cpu) == Ok(true));
        let mut set = CpuSet::new();
        set.set(first.expect("a CPU")).expect("a CPU");
        let mut command = Command::new(program);
        command.args(["--spin", "16"]).stdin(Stdio::null());
        // SAFETY: only system calls between fork and exec.
        unsafe {
            command.pre_exec(move || {
                setsid()?;
                Ok(sched_setaffinity(Pid::from_raw(0), &set)?)
            });
        }
        Self(command.spawn().expect("it can be started"))
    }

    /// Whether a text names it. On a machine that is busy without it, five others may be busier, and the text name these.
    fn is_named(&self, text: &str) -> bool {
        let pid = |rest: &str| rest.split_once(':')?.0.trim().parse().ok();
        let named: BTreeSet<u32> = text.split("pid").skip(1).filter_map(pid).collect();
        named.contains(&self.0.id()) || named.len() >= 5
    }
}

impl Drop for Stranger {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A place whose pulses the fake worker takes.
fn place(fault: &str) -> Place {
    let place = Place::new().with_faults(&["none"], &[]);
    let table = fs::read_to_string(place.path("own/fake.toml")).expect("a table");
    let (head, _) = table.split_once("[[workload]]").expect("a workload");
    let pulse = format!(
        "{table}[[workload]]\nid = \"issue-width/control\"\nfamily = \"control\"\n\
         about = \"nothing\"\nparameters = {{ fault = \"{fault}\" }}\n"
    );
    assert!(head.contains("worker"));
    place.write("own/fake.toml", pulse);
    place
}

fn doctor(place: &Place, more: &[&str]) -> Answer {
    doctor_of("2", place, more)
}

fn doctor_of(seconds: &str, place: &Place, more: &[&str]) -> Answer {
    let mut arguments = vec!["doctor", "--with", "own", "--seconds", seconds];
    arguments.extend(more);
    place.sizeup(&arguments)
}

fn finding(view: &Value, id: &str) -> Value {
    let findings = view["findings"].as_array().expect("findings");
    let found = findings.iter().find(|finding| finding["id"] == id);
    found.unwrap_or_else(|| panic!("no {id} in {view}")).clone()
}

#[test]
fn every_rule_says_something_and_the_exit_status_says_whether_the_machine_is_fit() {
    // Where others have the CPUs, two seconds can be too short for a pulse of each worker.
    let answer = doctor_of("10", &place("none"), &["--json"]);
    let view = answer.data();
    let told: Vec<&str> =
        view["findings"].as_array().unwrap().iter().map(|f| f["id"].as_str().unwrap()).collect();
    let rules: Vec<&str> = doctor::RULES.iter().map(|rule| rule.id).collect();
    assert_eq!(told, rules);
    let is_bad = |f: &Value| ["warning", "unfit"].contains(&f["severity"].as_str().unwrap());
    let is_fit = !view["findings"].as_array().unwrap().iter().any(is_bad);
    assert_eq!((view["fit"].as_bool(), answer.status), (Some(is_fit), i32::from(!is_fit)));
    assert!(view["seconds"].as_f64().unwrap() >= 10.0, "{}", view["seconds"]);
    // The fake worker tells 3 GHz and 4 instructions a clock, always.
    assert_eq!(finding(&view, "clock")["severity"], "fine", "{}", answer.stdout);
    let neighbour = finding(&view, "neighbour")["seen"].to_string();
    assert!(neighbour.contains("no neighbour detected (6.0"), "{neighbour}");
    assert!(answer.stderr.contains("measuring this machine for 10 s"), "{}", answer.stderr);
}

#[test]
fn a_process_that_competes_is_named_by_the_doctor_and_by_the_run() {
    let place = place("none");
    let stranger = Stranger::spin(&fake_worker());
    let answer = doctor(&place, &["--json"]);
    let others = finding(&answer.data(), "others");
    assert!(stranger.is_named(others["seen"].as_str().unwrap()), "{others}");
    assert!(others["remedy"].as_str().unwrap().contains("kill -STOP"), "{others}");
    assert!(["warning", "unfit"].contains(&others["severity"].as_str().unwrap()), "{others}");
    assert_eq!(answer.status, 1);

    let more = ["--threads", "1", "--budget", "15s", "--precision", NEVER];
    let run = || {
        let _ = fs::remove_file(place.path("out.jsonl"));
        let run = place.sizeup(&Place::run_arguments(&["none/fake"], &more));
        assert_eq!(run.status, 0, "{}", run.stderr);
        run
    };
    // It is named at the start, at the end, and when the file is shown again. The look at the start takes a fifth of a second:
    // where other tests have both CPUs, it may pass without a turn of the stranger's.
    let is_named_at_start = |run: &Answer| stranger.is_named(&run.stderr);
    let run = (0..10).map(|_| run()).find(is_named_at_start).expect("named at the start of a run");
    assert!(run.prose().contains("Suspect: other processes used"), "{}", run.stdout);
    assert!(stranger.is_named(&place.sizeup(&["show", "out.jsonl", "-v"]).prose()));
    let file = fs::read_to_string(place.path("out.jsonl")).expect("a run file");
    let header: Value = serde_json::from_str(file.lines().next().unwrap()).expect("JSON");
    assert!(stranger.is_named(&finding(&header, "others")["seen"].to_string()), "{header}");
    assert!(file.contains("\"record\":\"activity\""));
}

#[test]
fn a_hostile_process_does_no_harm_on_the_terminal() {
    let place = place("none");
    let shell = place.path("\u{1b}[2J\u{202e}evil");
    // A copy could not be started while the child of another test still holds it open for writing.
    symlink(fake_worker(), &shell).expect("a link");
    let stranger = Stranger::spin(&shell);
    // Long enough for it to have had its share of a CPU.
    let more = ["--threads", "1", "--budget", "10s", "--precision", NEVER];
    for answer in [
        doctor(&place, &[]),
        doctor(&place, &["--json"]),
        place.sizeup(&Place::run_arguments(&["none/fake"], &[&more[..], &["-v"]].concat())),
    ] {
        assert!(stranger.is_named(&answer.prose()), "{}", answer.stdout);
        for harmful in ['\u{1b}', '\u{202e}'] {
            assert!(!answer.stdout.contains(harmful) && !answer.stderr.contains(harmful));
        }
    }
    // Nor does one that someone wrote into a run file.
    let file = fs::read_to_string(place.path("out.jsonl")).expect("a run file");
    let hostile = file.replace("\"command\":\"", "\"command\":\"\\u001b[2Jevil ");
    let open: Vec<&str> = hostile.lines().filter(|line| !line.contains("\"close\"")).collect();
    place.write("hostile.jsonl", open.join("\n") + "\n");
    let answer = place.sizeup(&["show", "hostile.jsonl", "-v"]);
    let stdout = &answer.stdout;
    assert!(stdout.contains("evil") && !stdout.contains('\u{1b}'), "{stdout}");
}

#[test]
fn the_verdict_comes_first_and_no_line_is_wider_than_a_pipes_100_columns() {
    let answer = doctor(&place("none"), &[]);
    for line in answer.stdout.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
    let first = answer.stdout.lines().next().unwrap_or_default();
    let verdicts = ["Fit to be measured: ", "Measure with care: ", "! Not fit to be measured: "];
    assert!(verdicts.iter().any(|verdict| first.starts_with(verdict)), "{first}");
}

#[test]
fn what_can_not_be_looked_at_does_not_keep_the_rest_from_being_told() {
    // No table has the work; or its worker breaks.
    let nothing = Place::new();
    let answer = nothing.sizeup(&["doctor", "--seconds", "1", "--json"]);
    let broken = doctor(&place("die-measure"), &["--json"]);
    for (answer, why) in
        [(answer, "no table defines the workload"), (broken, "was killed by SIGABRT")]
    {
        assert_eq!(answer.status, 1, "{}", answer.stderr);
        let view = answer.data();
        let pulse = finding(&view, "pulse");
        assert_eq!(pulse["severity"], "warning");
        assert!(pulse["seen"].as_str().unwrap().contains(why), "{pulse}");
        assert!(view["pulses"].is_null());
        finding(&view, "others");
    }
}

#[test]
fn wrong_flags_are_refused_by_name() {
    let place = Place::new();
    for (flag, message) in [
        ("--seconds=0", "--seconds"),
        ("--seconds=x", "--seconds"),
        ("--seconds=601", "--seconds"),
        ("--budget=1s", "--budget"),
        ("--with=nowhere", "nowhere: can't be read"),
    ] {
        place.sizeup(&["doctor", flag]).refuses(2, message);
    }
}
