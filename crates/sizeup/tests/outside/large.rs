//! Files of 8 MB of every kind of record: no command takes longer than their size explains.
//!
//! Time is the processor's, which the kernel limits: how long a busy machine lets a command wait does not count, and one that
//! would take minutes is ended. A second is enough for each command; the limit is far above it, since siblings and caches that
//! others use stretch CPU time, too, by a factor of two or three at most. What took time by the square of such a file's records
//! took 10 s and more.

use crate::support::{Answer, Place};
use crowds::{CROWDS, Crowd};
use nix::sys::resource::{Resource, setrlimit};
use record::{Ended, Writer};
use std::os::unix::process::CommandExt;
use std::thread;

mod crowds;

/// CPU time that a command may take. Without optimisation everything takes ten times as long.
const MOST_CPU_S: u64 = if cfg!(debug_assertions) { 60 } else { 6 };

/// What reads one run file.
const COMMANDS: [&[&str]; 12] = [
    &["show", "a.jsonl"],
    &["show", "a.jsonl", "--json"],
    &["show", "a.jsonl", "--details", "--all"],
    &["compare", "a.jsonl", "a.jsonl", "--json"],
    &["score", "a.jsonl", "a.jsonl"],
    &["scaling", "a.jsonl", "--json"],
    &["explain", "a.jsonl", "--json"],
    &["implementations", "a.jsonl", "--json"],
    &["export", "csv", "a.jsonl"],
    &["export", "csv", "--rows", "samples", "a.jsonl"],
    &["export", "go-bench", "a.jsonl"],
    &["export", "google-benchmark", "a.jsonl"],
];

fn limited(place: &Place, arguments: &[&str]) -> Answer {
    let mut command = place.command(arguments);
    // SAFETY: it makes a system call and allocates nothing.
    unsafe {
        command.pre_exec(|| Ok(setrlimit(Resource::RLIMIT_CPU, MOST_CPU_S, MOST_CPU_S)?));
    }
    Answer::of(command.output().expect("sizeup can be started"))
}

fn write(place: &Place, crowd: &Crowd) {
    let (header, records, end_ns) = (crowd.make)();
    let mut writer = Writer::create(&place.path("a.jsonl"), &header).expect("a file");
    records.iter().for_each(|record| writer.write(record).expect("room"));
    writer.close(Ended::Budget, end_ns).expect("room");
}

fn check(crowd: &Crowd) {
    let place = Place::new();
    write(&place, crowd);
    let bytes = std::fs::metadata(place.path("a.jsonl")).expect("a file").len();
    assert!((6_000_000..16_000_000).contains(&bytes), "{}: {bytes} bytes", crowd.name);
    for command in COMMANDS.iter().chain([&["report", "a.jsonl", "-o", "a.html"].as_slice()]) {
        let answer = limited(&place, command);
        let what = format!("{}: {command:?}: {}", crowd.name, answer.stderr);
        assert!((0..=3).contains(&answer.status), "{what}");
        assert!(!answer.stderr.contains("panicked"), "{what}");
        // Not refused for what is in it, which would be fast, too.
        assert!(!answer.stderr.contains("a.jsonl: line "), "{what}");
    }
}

#[test]
fn commands_take_no_longer_than_the_size_of_a_file_explains() {
    let halves = CROWDS.split_at(CROWDS.len() / 2);
    thread::scope(|scope| {
        for half in [halves.0, halves.1] {
            scope.spawn(|| half.iter().for_each(check));
        }
    });
}
