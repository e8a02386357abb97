//! Files of 4 MB of every kind of record: no command takes longer than their size explains.
//!
//! Time is the processor's, which the kernel limits: how long a busy machine lets a command wait does not count, and one that
//! would take minutes is ended. No command takes more than a second and a half; the limit is far above it, since siblings and caches
//! that others use stretch CPU time, too, by a factor of two or three at most.

use crate::support::{Answer, Place};
use crowds::{CROWDS, Crowd};
use nix::sys::resource::{Resource, setrlimit};
use record::{Ended, Writer};
use std::os::unix::process::CommandExt;
use std::thread;

mod crowds;

/// CPU time that a command may take. Without optimisation everything takes ten times as long.
const MOST_CPU_S: u64 = if cfg!(debug_assertions) { 50 } else { 5 };
/// A report's pictures and words are an interpreter's work.
const REPORTS_FACTOR: u64 = 3;

/// Commands that may find nothing in a file for them to show, and what they then say. Any other refusal would be fast without
/// a cause.
const REFUSALS: [(&str, &str); 2] = [
    ("scaling", "no workload was measured at two thread counts"),
    ("implementations", "no operation has two implementations"),
];

/// Address space for a command that reads no file: its program, its threads' stacks and arenas.
const ROOM_BYTES: u64 = 1 << 30;

/// Every command that reads run files.
const COMMANDS: [&[&str]; 13] = [
    &["show", "a.jsonl"],
    &["show", "a.jsonl", "--json"],
    &["show", "a.jsonl", "--details", "--all"],
    &["compare", "a.jsonl", "b.jsonl", "--json"],
    &["score", "a.jsonl", "b.jsonl"],
    &["scaling", "a.jsonl", "--json"],
    &["explain", "a.jsonl", "--json"],
    &["implementations", "a.jsonl", "--json"],
    &["export", "csv", "a.jsonl"],
    &["export", "csv", "--rows", "samples", "a.jsonl"],
    &["export", "go-bench", "a.jsonl"],
    &["export", "google-benchmark", "a.jsonl"],
    &["report", "a.jsonl", "-o", "a.html"],
];

fn limited(place: &Place, arguments: &[&str]) -> Answer {
    let mut command = place.command(arguments);
    let most_s = MOST_CPU_S * if arguments[0] == "report" { REPORTS_FACTOR } else { 1 };
    // SAFETY: it makes a system call and allocates nothing.
    unsafe {
        command.pre_exec(move || Ok(setrlimit(Resource::RLIMIT_CPU, most_s, most_s)?));
    }
    Answer::of(command.output().expect("sizeup can be started"))
}

/// Writes it for two machines.
fn write(place: &Place, crowd: &Crowd) {
    let (mut header, records, end_ns) = (crowd.make)();
    for file in ["a.jsonl", "b.jsonl"] {
        header.label = file.to_owned();
        let mut writer = Writer::create(&place.path(file), &header).expect("a file");
        records.iter().for_each(|record| writer.write(record).expect("room"));
        writer.close(Ended::Budget, end_ns).expect("room");
    }
}

fn check(crowd: &Crowd) {
    let place = Place::new();
    write(&place, crowd);
    let bytes = std::fs::metadata(place.path("a.jsonl")).expect("a file").len();
    assert!((2_000_000..8_000_000).contains(&bytes), "{}: {bytes} bytes", crowd.name);
    for command in COMMANDS {
        let answer = limited(&place, command);
        let what = format!("{}: {command:?}: {}", crowd.name, answer.stderr);
        assert!((0..=3).contains(&answer.status), "{what}");
        assert!(!answer.stderr.contains("panicked"), "{what}");
        let says = |(name, why): &(&str, &str)| command[0] == *name && answer.stderr.contains(why);
        assert!(answer.status != 2 || REFUSALS.iter().any(says), "{what}");
    }
}

/// Files that are read whole: imports of 150,000 lines, a price for each of 100,000 machines.
#[test]
fn imports_and_price_files_take_no_longer_than_their_size_explains() {
    let lines = |head: &str, count: usize, line: &dyn Fn(usize) -> String| -> String {
        let lines = (0..count).map(line);
        [head.to_owned()].into_iter().chain(lines).collect()
    };
    let head = "machine,workload,threads,value,unit\n";
    let (many, figure) = (150_000, |at: usize| 100 + at % 97);
    let place = Place::new();
    let same = lines(head, many, &|at| format!("a,w,1,{},ops/s\n", figure(at)));
    let rows = lines(head, 40_000, &|at| format!("a,w{at},1,{},ops/s\n", figure(at)));
    let kinds = lines("+H:16\n+F:0:md5:9\n", many, &|at| format!("+F{}:1:2\n", 1_000 + at));
    let prices = lines("", 100_000, &|at| format!("[[price]]\nlabel = \"m{at}\"\nper_hour = 1\n"));
    let prices = format!("{prices}[[price]]\nlabel = \"a\"\nper_hour = 1\n");
    for (name, text) in
        [("same.csv", same), ("rows.csv", rows), ("kinds.txt", kinds), ("prices.toml", prices)]
    {
        place.write(name, text);
    }
    let commands: [&[&str]; 5] = [
        &["import", "csv", "same.csv", "-o", "same.jsonl"],
        &["import", "csv", "rows.csv", "-o", "rows.jsonl"],
        &["import", "openssl-speed", "kinds.txt", "-o", "kinds.jsonl"],
        &["show", "rows.jsonl"],
        &["cost", "same.jsonl", "--prices", "prices.toml"],
    ];
    for command in commands {
        let answer = limited(&place, command);
        assert_eq!(answer.status, 0, "{command:?}: {}", answer.stderr);
    }
}

/// Whatever is read whole is refused by its size, which takes no time and no memory.
#[test]
fn files_of_any_size_are_refused_with_the_limit() {
    let place = Place::new();
    let huge = place.path("huge");
    let file = std::fs::File::create(&huge).expect("a file");
    // Takes no room on the disk.
    file.set_len(3 << 30).expect("room");
    for name in ["own/huge.toml", "huge.csv"] {
        std::fs::hard_link(&huge, place.path(name)).expect("a link");
    }
    let commands: [(&[&str], &str); 5] = [
        (&["show", "huge"], "its first line is too long"),
        (&["list", "--with", "own"], "at most 8388608 are read"),
        (&["capacity", "huge", "huge"], "at most 8388608 are read"),
        (&["run", "--mix", "huge"], "at most 8388608 are read"),
        (&["import", "csv", "huge.csv"], "no benchmark's output has more"),
    ];
    for (command, says) in commands {
        let mut limited = place.command(command);
        // SAFETY: it makes a system call and allocates nothing.
        unsafe {
            limited.pre_exec(|| Ok(setrlimit(Resource::RLIMIT_AS, ROOM_BYTES, ROOM_BYTES)?));
        }
        Answer::of(limited.output().expect("sizeup can be started")).refuses(2, says);
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
