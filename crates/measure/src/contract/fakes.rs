//! Proof that the runner sees what it is there to see: shell scripts that pass for workers.

use super::play::{TestedWorker, play};
use super::transcript::Transcript;
use super::variables::Variables;
use catalog::Program;
use std::collections::BTreeMap;
use std::time::Duration;

/// A launch in which nothing was prepared.
const TRANSCRIPT: &str = r#"# finish at once
$ run
> {"request":"finish"}
< {"answer":"done","verified":"nothing was prepared","samples":0,"ops":0}
$ exit 0
"#;

const DONE: &str = r#"{"answer":"done","verified":"nothing was prepared","samples":0,"ops":0}"#;

/// Plays the transcript to a worker that is this script. Nothing is written that is then started: the kernel refuses to start a
/// file that the child of another thread still holds open for writing.
fn fate_of(script: &str, patience: Duration) -> Vec<String> {
    let run = ["/bin/sh", "-c", script].map(str::to_owned).to_vec();
    let (folder, environment) = (".".into(), BTreeMap::new());
    let subject = TestedWorker {
        program: Program { name: "fake".to_owned(), run, folder, environment },
        patience,
    };
    let steps = Transcript::parse("finish", TRANSCRIPT)
        .and_then(|transcript| transcript.steps(&Variables::of_nothing()))
        .expect("the transcript can be read");
    play(&subject, "finish", &steps)
}

fn fate(script: &str) -> Vec<String> {
    fate_of(script, Duration::from_secs(120))
}

fn assert_caught(script: &str, parts: &[&str]) {
    assert_told(&fate(script), parts);
}

/// With patience for a worker that never answers.
fn assert_caught_waiting(script: &str, parts: &[&str]) {
    assert_told(&fate_of(script, Duration::from_secs(5)), parts);
}

fn assert_told(fate: &[String], parts: &[&str]) {
    let told = fate.join("\n");
    for part in parts {
        assert!(told.contains(part), "{part:?} is not in:\n{told}");
    }
}

#[test]
fn a_worker_that_does_what_the_transcript_says_passes() {
    assert_eq!(fate(&format!("read line; echo '{DONE}'")), Vec::<String>::new());
}

#[test]
fn a_worker_gets_no_other_environment_than_in_a_run() {
    for (name, is_given) in [("CARGO_MANIFEST_DIR", false), ("PATH", true)] {
        assert!(std::env::var_os(name).is_some(), "cargo sets {name} for tests");
        let is_set = fate(&format!("read line; test \"${name}\" && echo '{DONE}'")).is_empty();
        assert_eq!(is_set, is_given, "{name}");
    }
}

#[test]
fn a_wrong_answer_is_told_with_worker_transcript_line_and_both_sides() {
    let answer = DONE.replace("\"ops\":0", "\"ops\":1");
    let parts = [
        "worker fake, transcript finish, line 4:",
        &format!("expected: < {DONE}"),
        &format!("got:      {answer}"),
        ".ops is 1, not 0",
        "stderr:   on purpose",
    ];
    assert_caught(&format!("read line; echo on purpose >&2; echo '{answer}'"), &parts);
}

#[test]
fn a_second_answer_is_caught() {
    let script = format!("read line; echo '{DONE}'; echo '{{}}'");
    assert_caught(&script, &["line 5", "what nobody had asked for: {}"]);
}

#[test]
fn a_wrong_exit_status_is_caught() {
    let script = format!("read line; echo '{DONE}'; exit 3");
    assert_caught(&script, &["line 5", "exit status 3"]);
}

#[test]
fn a_worker_that_says_nothing_is_not_waited_for_forever() {
    assert_caught_waiting("sleep 600", &["line 4", "no answer: waited 5.0 s in vain"]);
}

#[test]
fn a_worker_that_does_not_end_is_not_waited_for_forever() {
    let script = format!("read line; echo '{DONE}'; sleep 600");
    assert_caught_waiting(&script, &["line 5", "a worker that lives on"]);
}

#[test]
fn a_worker_that_dies_is_told() {
    assert_caught("exit 1", &["line 4", "the end of stdout"]);
    assert_caught("read line; kill -9 $$", &["line 4", "the end of stdout"]);
    let script = format!("read line; echo '{DONE}'; kill -9 $$");
    assert_caught(&script, &["line 5", "an end by signal 9"]);
}

#[test]
fn an_answer_that_is_no_json_or_no_whole_line_is_told() {
    assert_caught("read line; echo done", &["line 4", "it is no JSON"]);
    let script = format!("read line; printf '%s' '{DONE}'");
    assert_caught(&script, &["line 4", "in the middle of a line"]);
}
