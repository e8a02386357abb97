//! Processes that sizeup starts and leaves behind, and its behaviour where none can be started.

use crate::machine_faults::Way;
use crate::support::{
    Answer, NEVER, Place, fake_worker, not_tested, processes_in, send, wait_until,
};
use nix::sys::signal::Signal;
use std::fs;

const TABLE: &str = "machine,workload,threads,value,unit
a,sum/c,1,100,MB/s\na,sum/c,2,200,MB/s\nb,sum/c,1,80,MB/s\nb,sum/c,2,160,MB/s\n";
const A: &str = "a-imported.run.jsonl";
const B: &str = "b-imported.run.jsonl";

fn imported() -> Place {
    let place = Place::new();
    place.write("table.csv", TABLE);
    place.write("mix.toml", "[[demand]]\nworkload = \"sum/c\"\nrate = \"1 MB/s\"\n");
    let answer = place.sizeup(&["import", "csv", "table.csv", "--folder", "."]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    place
}

#[test]
fn one_thread_does_all_where_no_other_can_be_started() {
    let place = imported();
    for command in [
        &["compare", A, B][..],
        &["compare", "--group", "a=a-*", B],
        &["score", A, B],
        &["scaling", A, B],
        &["implementations", A, B],
        &["explain", A, B],
        &["cost", A, B, "--price", "a=1", "--price", "b=1"],
        &["capacity", "mix.toml", A, B],
        &["runs", "."],
        &["export", "csv", A, B],
        &["export", "parquet", A, B, "-o", "out.parquet"],
    ] {
        let free = place.sizeup(command);
        let _ = fs::remove_file(place.path("out.parquet"));
        let way = Way::Ordinary("umask 0; ulimit -u 1; exec \"$@\"");
        let bound = match way.run(&place, command) {
            Ok(answer) => answer,
            Err(why) => return not_tested(why),
        };
        let both = format!("{command:?}: {}{}", bound.stderr, free.stderr);
        assert!(!bound.stderr.contains("panicked"), "{both}");
        assert_eq!((bound.status, &bound.stdout), (free.status, &free.stdout), "{both}");
    }
    // The report's program needs a thread for its stack, and says so.
    let report = Way::Ordinary("ulimit -u 1; exec \"$@\"").run(&place, &["report", A, B]);
    report.expect("it can be brought about").refuses(2, "no thread can be started");
}

#[test]
fn workers_go_first_when_memory_is_short_and_the_harness_does_not() {
    let place = Place::new().with_faults(&["none"], &[]);
    let more = ["--threads", "1", "--cpus", "0", "--precision", NEVER];
    let arguments = Place::run_arguments(&["none/fake"], &more);
    let child = place.command(&arguments).spawn().expect("sizeup can be started");
    wait_until("a sample", || place.path("none.log").exists());
    let score = |pid: &str| fs::read_to_string(format!("/proc/{pid}/oom_score_adj"));
    let harness = child.id().to_string();
    // One that is just being started may not have it yet.
    wait_until("a worker that goes first", || {
        let children = fs::read_to_string(format!("/proc/{harness}/task/{harness}/children"));
        let children = children.expect("the kernel tells children");
        children.split_whitespace().any(|pid| score(pid).is_ok_and(|score| score == "1000\n"))
    });
    assert_eq!(score(&harness).expect("it runs"), score("self").expect("so do we"));
    send(Signal::SIGINT, &child);
    child.wait_with_output().expect("it ends");
}

#[test]
fn a_worker_larger_than_the_memory_to_spare_is_identified() {
    let place = Place::new();
    // Its script is sparse on the disk; read at once it would need all of it.
    let script = fs::File::create(place.path("own/large")).expect("a file");
    script.set_len(1 << 30).expect("a sparse file");
    let run = [fake_worker().display().to_string(), "--library".to_owned(), "large".to_owned()];
    place.write("own/t.toml", table(&run, "large"));
    let arguments = Place::run_arguments(&["large/fake"], &["--threads", "1"]);
    let bound = Way::Shell("ulimit -d 500000; exec \"$@\"").run(&place, &arguments);
    let bound = bound.expect("a shell");
    assert_eq!(bound.status, 0, "{}", bound.stderr);
}

fn table(run: &[String], name: &str) -> String {
    format!(
        "worker = {{ run = {run:?} }}\n[[workload]]\nid = \"{name}/fake\"\noperation = \"misbehave\"\nfamily = \"http\"\n\
         about = \"nothing\"\nparameters = {{ fault = \"{name}\", client = \"loopback\" }}\n"
    )
}

#[test]
fn list_starts_programs_of_tables_only_when_asked_to() {
    let place = Place::new();
    let worker = fake_worker().display().to_string();
    let script = format!("touch started; exec {worker} \"$@\"");
    let run = ["sh".to_owned(), "-c".to_owned(), script, "sh".to_owned()];
    place.write("own/t.toml", table(&run, "none"));
    let started = place.path("own/started");
    for what in [&["list", "workloads", "--with", "own"][..], &["list", "--with", "own"]] {
        let answer = place.sizeup(what);
        assert_eq!(answer.status, 0, "{}", answer.stderr);
        assert!(!started.exists(), "{what:?} started a program");
    }
    let list = ["list", "workloads", "--with", "own"];
    let answer = place.sizeup(&list);
    assert!(answer.prose().contains("1 not checked"), "{}", answer.stdout);
    assert!(answer.prose().contains("--check"), "{}", answer.stdout);
    let listed = |more: &[&str]| place.sizeup(&[&list, more].concat()).data()[0].clone();
    assert_eq!(listed(&["--json"])["is_checked"], false);
    assert_eq!(listed(&["--json", "--check"])["is_checked"], true);
    assert!(started.exists(), "--check did not start it");
    // A table that names another operation than its program has.
    let table = table(&run, "none").replace("misbehave", "behave");
    place.write("own/t.toml", table);
    assert!(listed(&["--json"])["why_not"].is_null());
    assert!(listed(&["--json", "--check"])["why_not"].is_string());
}

#[test]
fn what_a_worker_says_of_its_client_gets_into_no_run_file() {
    let place = Place::new();
    place.write("own/t.toml", table(&[fake_worker().display().to_string()], "tell-client"));
    let client = ["--threads", "1", "--client", "someone@Box7.example.org:/opt/x"];
    let answer = place.sizeup(&Place::run_arguments(&["tell-client/fake"], &client));
    assert_eq!(answer.status, 3, "{}", answer.stderr);
    let text = fs::read_to_string(place.path("out.jsonl")).expect("a run file");
    assert!(text.contains("connection refused"), "{text}");
    for name in ["someone", "Box7", "example.org"] {
        assert!(!text.contains(name), "{name}: {text}");
    }
}

/// The command failed because of a file size limit, named `ulimit -f`, and left no file.
#[track_caller]
fn assert_nothing_written(place: &Place, answer: &Answer, before: &[String]) {
    assert_eq!(answer.status, 2, "{}{}", answer.stdout, answer.stderr);
    assert!(answer.stderr.contains("`ulimit -f`"), "{}", answer.stderr);
    assert_eq!(names(place), before, "{}", answer.stderr);
}

fn names(place: &Place) -> Vec<String> {
    let folders = ["", "runs", "man"].map(|folder| fs::read_dir(place.path(folder)));
    let entries = folders.into_iter().flatten().flatten().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.path().display().to_string()).collect();
    names.sort();
    names
}

#[test]
fn what_is_written_is_there_whole_or_not_at_all() {
    let place = imported();
    for folder in ["runs", "man"] {
        fs::create_dir(place.path(folder)).expect("a folder");
    }
    let more: String = (0..2000).map(|n| format!("c,sum{n}/c,1,1{n},MB/s\n")).collect();
    place.write("large.csv", [TABLE, &more].concat());
    let large = place.sizeup(&["import", "csv", "large.csv", "--folder", "tmp"]);
    assert_eq!(large.status, 0, "{}", large.stderr);
    let large = "tmp/c-imported.run.jsonl";
    let before = names(&place);
    for command in [
        &["export", "csv", large, "-o", "out"][..],
        &["export", "parquet", large, "-o", "out"],
        &["export", "go-bench", large, "-o", "out"],
        &["export", "google-benchmark", large, "-o", "out"],
        &["import", "csv", "table.csv", "--folder", "runs"],
        &["report", A, B, "-o", "out"],
        &["man", "man"],
    ] {
        let answer = Way::Shell("ulimit -f 1; exec \"$@\"").run(&place, command);
        assert_nothing_written(&place, &answer.expect("a shell"), &before);
    }
    assert_eq!(processes_in(&place.path("own")), Vec::<String>::new());
}
