//! A run that is killed is a valid shorter file, and can be finished.

use crate::support::{
    Answer, NEVER, Place, installed_command, not_tested, processes_in, send, wait_until,
};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use record::{Note, Run};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use tempfile::TempDir;

const IDS: [&str; 1] = ["none/fake"];
/// One round is one sample on 1 thread and one on 2.
const THREADS: [&str; 2] = ["--threads", "1,2"];

/// Starts a run that never is as narrow as asked.
fn start(place: &Place) -> Child {
    let mut more = THREADS.to_vec();
    more.extend(["--cpus", "0", "--precision", NEVER]);
    place.command(&Place::run_arguments(&IDS, &more)).spawn().expect("sizeup can be started")
}

fn wait_for_first_sample(place: &Place) {
    wait_until("a sample", || {
        let text = fs::read_to_string(place.path("out.jsonl")).unwrap_or_default();
        text.contains("\"record\":\"sample\"")
    });
}

/// Has the run ask for less, and takes its end away: when it is resumed, it soon has all that it asks for.
fn ease(place: &Place) {
    let text = fs::read_to_string(place.path("out.jsonl")).expect("a file");
    let eased = text.replacen("\"precision_ppm\":100,", "\"precision_ppm\":300000,", 1);
    assert_ne!(eased, text);
    let lines: Vec<&str> =
        eased.split_inclusive('\n').filter(|l| !l.contains("\"close\"")).collect();
    place.write("out.jsonl", lines.concat());
}

fn read(place: &Place) -> Run {
    let mut run = record::read(&place.path("out.jsonl")).expect("the file is readable");
    // The samples of these tests are short on purpose.
    run.notes.retain(|note| *note != Note::ShortSamples);
    run
}

/// How many samples the fake worker has given, as it noted itself.
fn samples_given(place: &Place) -> usize {
    fs::read_to_string(place.path("none.log")).unwrap_or_default().lines().count()
}

#[test]
fn a_run_that_still_goes_on_is_not_resumed_and_loses_nothing_to_the_one_who_tried() {
    let place = Place::new().with_faults(&["none"], &[]);
    let first = start(&place);
    wait_for_first_sample(&place);
    // It is refused before anything is started: a manifest would never come.
    let place = place.with_faults(&["none"], &["--manifest", "hang"]);
    let resume = ["run", "--with", "own", "--resume", "out.jsonl"];
    place.sizeup(&resume).refuses(3, "another sizeup process is writing it");
    send(Signal::SIGINT, &first);
    let first = Answer::of(first.wait_with_output().expect("the run ended"));
    assert_eq!(first.status, 3, "{}", first.stderr);
    let run = read(&place);
    assert_eq!(run.notes, [Note::Interrupted]);
    assert_eq!(run.samples.len(), samples_given(&place));
}

#[test]
fn no_worker_outlives_a_killed_run() {
    let place = Place::new().with_faults(&["none"], &[]);
    let mut child = start(&place);
    wait_for_first_sample(&place);
    let workers = format!("/proc/{}/task/{0}/children", child.id());
    let workers = fs::read_to_string(workers).expect("the kernel tells children");
    assert!(!workers.trim().is_empty());
    send(Signal::SIGKILL, &child);
    child.wait().expect("the run ended");
    wait_until("workers end", || !workers.split_whitespace().any(is_alive));
}

fn is_alive(pid: &str) -> bool {
    fs::read_to_string(format!("/proc/{pid}/cmdline"))
        .is_ok_and(|line| line.contains("fake-worker"))
}

#[test]
fn ctrl_c_ends_the_file_cleanly_and_the_run_can_be_finished() {
    let place = Place::new().with_faults(&["none"], &[]);
    let child = start(&place);
    wait_for_first_sample(&place);
    send(Signal::SIGINT, &child);
    let answer = Answer::of(child.wait_with_output().expect("the run ended"));
    assert_eq!(answer.status, 3, "{}", answer.stderr);
    assert!(answer.prose().contains("none fake"), "the table is printed: {}", answer.stdout);
    let run = read(&place);
    assert_eq!(run.notes, [Note::Interrupted]);
    let launches = run.launches.len();
    assert_eq!(run.verified.len(), launches, "every launch passed its final verification");

    ease(&place);
    let answer = place.sizeup(&["run", "--with", "own", "--resume", "out.jsonl"]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    assert!(read(&place).is_complete());
}

#[test]
fn a_pilot_that_is_stopped_is_an_incomplete_run_and_no_wrong_usage() {
    let place = Place::new().with_faults(&["none"], &[]);
    let asked =
        ["run", "--with", "own", "--workload", "none/fake", "--budget", "60s", "--estimate"];
    let mut command = place.command(&asked);
    let child =
        command.args(["--sample-time", "2ms", "--threads", "1"]).spawn().expect("it starts");
    wait_until("a sample", || samples_given(&place) > 0);
    send(Signal::SIGINT, &child);
    let answer = Answer::of(child.wait_with_output().expect("the run ended"));
    answer.refuses(3, "the pilot was stopped: no estimate");
    assert_eq!(answer.stdout, "");
}

/// A run of a worker that hangs, ended by a user who insists.
fn insist(fault: &str) -> Place {
    let place = Place::new().with_faults(&[fault], &[]);
    let more = ["--threads", "1", "--cpus", "0", "--precision", NEVER];
    let id = format!("{fault}/fake");
    let mut child =
        place.command(&Place::run_arguments(&[&id], &more)).spawn().expect("sizeup can be started");
    wait_for_first_sample(&place);
    wait_until("a worker that is seen", || !processes_in(&place.path("own")).is_empty());
    send(Signal::SIGINT, &child);
    // Two at once are one to a process that had no time for the first; and a third ends it before it has closed its file.
    let mut told = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let heard = told.find(|line| line.as_ref().is_ok_and(|line| line.contains("again")));
    assert!(heard.is_some(), "it ended at the first Ctrl-C");
    send(Signal::SIGINT, &child);
    told.for_each(drop);
    assert_eq!(child.wait().expect("the run ended").code(), Some(3));
    place
}

#[test]
fn ctrl_c_twice_does_not_wait_for_a_worker_that_hangs() {
    let place = insist("hang-measure");
    assert_eq!(read(&place).notes, [Note::Interrupted]);
    assert_eq!(processes_in(&place.path("own")), Vec::<String>::new());
}

#[test]
fn ctrl_c_twice_while_a_worker_ends_leaves_its_case_without_an_outcome() {
    // It has said that it is done, and does not end.
    let run = read(&insist("hang-end"));
    assert_eq!((&run.notes[..], &run.outcomes[..]), (&[Note::Interrupted][..], &[][..]));
}

#[test]
fn a_run_is_not_resumed_with_another_build_another_definition_or_when_it_is_complete() {
    let place = Place::new().with_faults(&["none"], &[]);
    let mut child = start(&place);
    wait_for_first_sample(&place);
    send(Signal::SIGKILL, &child);
    child.wait().expect("the run ended");
    let resume = ["run", "--with", "own", "--resume", "out.jsonl"];

    let table = fs::read_to_string(place.path("own/fake.toml")).expect("a table");
    place.write("own/fake.toml", table.replace("fault = \"none\"", "fault = \"\""));
    place
        .sizeup(&resume)
        .refuses(2, "the definition of \"none/fake\" has changed since the run started");
    place.write("own/fake.toml", table.replace("none/fake", "some/fake"));
    place.sizeup(&resume).refuses(2, "unknown workload \"none/fake\"");
    place.write("own/fake.toml", &table);

    let text = fs::read_to_string(place.path("out.jsonl")).expect("a file");
    let build = text.find("\"sha256\":\"").expect("a manifest") + 10;
    let other = format!("{}{}{}", &text[..build], "0".repeat(64), &text[build + 64..]);
    place.write("out.jsonl", other);
    place.sizeup(&resume).refuses(2, "is not the build that started the run");
    let other = text.replacen("\"release\":\"", "\"release\":\"9.", 1);
    place.write("out.jsonl", other);
    place.sizeup(&resume).refuses(2, "a different machine");

    let arguments = Place::run_arguments(&IDS, &[]);
    let arguments: Vec<&str> =
        arguments.into_iter().map(|a| if a == "out.jsonl" { "whole.jsonl" } else { a }).collect();
    assert_eq!(place.sizeup(&arguments).status, 0);
    let answer = place.sizeup(&["run", "--with", "own", "--resume", "whole.jsonl"]);
    assert_eq!(answer.status, 0);
    assert!(answer.stderr.contains("already complete"), "{}", answer.stderr);
    // How it is made longer all the same.
    assert!(answer.stderr.contains("--group NAME=whole.jsonl"), "{}", answer.stderr);
}

/// Children of all its threads.
fn children(pid: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let pids = threads
        .map(|thread| fs::read_to_string(thread.path().join("children")).unwrap_or_default());
    pids.collect::<String>().split_whitespace().filter_map(|child| child.parse().ok()).collect()
}

/// The worker of a run that has a database, and the folder of that.
fn database_of(run: &Child) -> Option<(u32, PathBuf)> {
    children(run.id()).into_iter().find_map(|worker| {
        let mut servers = children(worker).into_iter().flat_map(children);
        let place = servers.find_map(|server| fs::read_link(format!("/proc/{server}/cwd")).ok())?;
        // The server itself works in a folder in it.
        let is_its = |folder: &&Path| folder.to_string_lossy().contains("/sizeup-postgresql-");
        let folder = place.ancestors().filter(is_its).last()?;
        Some((worker, folder.to_owned()))
    })
}

/// A tenth of the accounts that rows have: they would take most of the test's time to fill in.
const SMALL_DATABASE: &str = r#"
worker = "serve"
[[workload]]
id = "small/postgresql"
operation = "sql"
family = "database"
about = "SELECT of a balance"
parameters = { script = "select", scale_per_server_cpu = 1, connections_per_server_cpu = 1, server_percent = 50, client = "loopback", load = "closed" }
starts_threads = true
"#;

/// The process that removes a server's files outlives the worker; the harness must not kill it first.
#[test]
fn a_worker_that_is_killed_leaves_no_database() {
    let folder = TempDir::new().expect("a temporary folder");
    fs::create_dir(folder.path().join("own")).expect("a folder");
    fs::write(folder.path().join("own/small.toml"), SMALL_DATABASE).expect("a file");
    let run = "run --with own --workload small/postgresql --threads 1 --budget 2m";
    let mut command = installed_command(&folder, &run.split(' ').collect::<Vec<_>>());
    command.args(["--precision", NEVER]).stdout(Stdio::null()).stderr(Stdio::null());
    let mut run = command.spawn().expect("sizeup can be started");
    let mut found = None;
    wait_until("a database, or the run's end", || {
        found = database_of(&run);
        found.is_some() || run.try_wait().expect("it is ours").is_some()
    });
    let Some((worker, database)) = found else {
        let all = std::env::var_os("SIZEUP_TEST_ALL_SERVERS");
        assert_eq!(all, None, "the run ended without a database");
        return not_tested("no PostgreSQL: the run ended without one");
    };
    let worker = Pid::from_raw(i32::try_from(worker).expect("a process number"));
    kill(worker, Signal::SIGKILL).expect("it runs");
    wait_until("the database is removed", || !database.exists());
    send(Signal::SIGINT, &run);
    run.wait().expect("the run ended");
}
