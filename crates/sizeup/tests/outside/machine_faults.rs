//! A small run on a machine in trouble. Whatever happens, it ends with a clear outcome; its file is readable and its table
//! shown; `--resume` completes it; no process and no file is left. What a worker does wrong by itself is in `faults.rs`.

mod killed_anywhere;
mod table;
mod ways;

use crate::support::{Answer, Place, not_tested, processes_in, seal, wait_until};
use record::Run;
use regex::Regex;
use std::collections::BTreeSet;
use std::fs;
use table::Fault;
pub use ways::Way;

#[test]
fn every_fault_of_processes_ends_clearly_and_loses_nothing() {
    table::of_processes().iter().for_each(bring_about);
}

#[test]
fn every_fault_of_disks_and_clocks_ends_clearly_and_loses_nothing() {
    table::of_disks().iter().chain(&table::of_clocks()).for_each(bring_about);
}

/// Has a small run go on under a fault, and looks at what it leaves.
fn bring_about(fault: &Fault) {
    let place = Place::new().with_faults(fault.rows, &[]);
    let before = files(&place);
    let ids: Vec<String> = fault.rows.iter().map(|row| format!("{row}/fake")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let more = ["--threads", "1,2", "--cpus", "0", "--precision", fault.precision];
    let mut arguments =
        Place::run_arguments(&ids, &[&more[..], &["--answer-timeout", "12s"]].concat());
    for argument in arguments.iter_mut().filter(|argument| **argument == "out.jsonl") {
        *argument = fault.output;
    }
    match fault.way.run(&place, &arguments) {
        Err(why) => not_tested(format_args!("{}: {why}", fault.name)),
        Ok(answer) => {
            let kept = holds(&place, fault, &answer);
            assert_nothing_left(&place, &before);
            println!("{}: exit status {}, {kept}", fault.name, answer.status);
        }
    }
}

/// Checks what a fault ended with. Returns what was kept, in words.
#[track_caller]
fn holds(place: &Place, fault: &Fault, answer: &Answer) -> String {
    let Fault { name, statuses, says, .. } = fault;
    let all = format!("{name}: {}\n{}", answer.stdout, answer.stderr);
    assert!(statuses.contains(&answer.status), "exit status {}: {all}", answer.status);
    assert!(!all.contains("panicked"), "{all}");
    let said = [answer.prose(), answer.stderr.clone()].concat();
    assert!(said.contains(says), "{says:?} is not said: {all}");
    if !place.path("out.jsonl").exists() {
        assert_eq!(answer.status, 2, "a run was begun and has no file: {all}");
        return "no file".to_owned();
    }
    assert!(answer.prose().contains("good fake"), "the table is not shown: {all}");
    go_on(place, name)
}

/// Reads what a run left, shows it, and completes it. Returns what was kept, in words.
#[track_caller]
fn go_on(place: &Place, name: &str) -> String {
    let run = read(place, name);
    let shown = place.sizeup(&["show", "out.jsonl"]);
    assert!([0, 1].contains(&shown.status), "{name}: {}{}", shown.stdout, shown.stderr);
    assert!(shown.prose().contains("good fake"), "{name}: {}", shown.stdout);
    let kept = run.samples.len();
    let resume = ["run", "--with", "own", "--resume", "out.jsonl"];
    if run.is_complete() {
        let answer = place.sizeup(&resume);
        assert!(answer.stderr.contains("already complete"), "{name}: {}", answer.stderr);
        return format!("complete, {kept} samples");
    }
    ease(place);
    let answer = place.sizeup(&resume);
    let failed = !run.outcomes.is_empty();
    assert_eq!(answer.status, if failed { 3 } else { 0 }, "{name}: {}", answer.stderr);
    let resumed = read(place, name);
    assert!(resumed.is_complete(), "{name}: {:?}", resumed.notes);
    assert_eq!(resumed.samples[..kept], run.samples[..], "{name}");
    format!("{kept} samples, {} after it was resumed", resumed.samples.len())
}

#[track_caller]
fn read(place: &Place, name: &str) -> Run {
    record::read(&place.path("out.jsonl")).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Has the run ask for little, which it soon has. One that was closed, as it was interrupted, is closed again.
fn ease(place: &Place) {
    let path = place.path("out.jsonl");
    let text = fs::read_to_string(&path).expect("a run file");
    let precision = Regex::new("\"precision_ppm\":[0-9]+,").expect("a pattern");
    let text = precision.replace(&text, "\"precision_ppm\":500000,");
    fs::write(&path, &*text).expect("written");
    if text.lines().any(|line| line.starts_with("{\"record\":\"close\"")) {
        let records = text.lines().map(|line| serde_json::from_str(line).expect("JSON"));
        seal(place, "out.jsonl", &records.collect::<Vec<_>>());
    }
}

/// Names of files in the place, without those that tests themselves leave there.
fn files(place: &Place) -> BTreeSet<String> {
    let names = fs::read_dir(place.path("")).expect("a folder").flatten();
    let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| !name.ends_with(".log") && name != "shim.so").collect()
}

#[track_caller]
fn assert_nothing_left(place: &Place, before: &BTreeSet<String>) {
    let own = place.path("own");
    wait_until("its processes end", || processes_in(&own).is_empty());
    let mut after = files(place);
    after.remove("out.jsonl");
    assert_eq!(after, *before);
    let temporary = fs::read_dir(place.path("tmp")).expect("a folder").count();
    assert_eq!(temporary, 0, "temporary files");
}
