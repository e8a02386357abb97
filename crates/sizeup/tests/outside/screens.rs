//! Output on terminals of any size: the answer comes first, no line is wider and no command longer than the screen.

use crate::support::{LONG, Place};
use nix::pty::{Winsize, openpty};
use std::fmt::Write;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::process::Stdio;
use unicode_width::UnicodeWidthStr;

/// Columns and lines.
const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 50)];
/// Longest output in lines without --all.
const MOST_LINES: usize = 40;

/// A command's lines on a terminal of so many columns and rows.
fn shown(place: &Place, arguments: &[&str], (columns, rows): (u16, u16)) -> Vec<String> {
    let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    let terminal = openpty(&size, None).expect("a pseudo-terminal");
    let mut command = place.command(arguments);
    let mut child = command
        .stdout(Stdio::from(terminal.slave))
        .stderr(Stdio::null())
        .spawn()
        .expect("sizeup can be started");
    // The slave's last copy goes with it: what is read then ends.
    drop(command);
    let mut master = File::from(terminal.master);
    let (mut text, mut piece) = (Vec::new(), [0; 4096]);
    // Linux ends what the last writer has left with EIO.
    while let Ok(count @ 1..) = master.read(&mut piece) {
        text.extend_from_slice(&piece[..count]);
    }
    child.wait().expect("it ended");
    let text = String::from_utf8(text).expect("text");
    text.lines().map(|line| without_colours(line.trim_end_matches('\r'))).collect()
}

/// A line without what colours it.
fn without_colours(line: &str) -> String {
    let mut parts = line.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(part.split_once('m').map_or("", |(_, rest)| rest));
    }
    plain
}

fn assert_fits(place: &Place, arguments: &[&str]) {
    SIZES.into_iter().for_each(|size| assert_fits_at(place, arguments, size));
}

fn assert_fits_at(place: &Place, arguments: &[&str], size: (u16, u16)) {
    let lines = shown(place, arguments, size);
    assert!(!lines.is_empty() && !lines[0].is_empty(), "{arguments:?} says nothing: {lines:#?}");
    let answer: Vec<&String> = lines.iter().take_while(|line| !line.is_empty()).collect();
    let has_scrolled = lines.len() >= usize::from(size.1);
    let is_last = lines.len() > answer.len()
        && lines.iter().rev().zip(answer.iter().rev()).all(|(a, b)| a == *b);
    assert_eq!(has_scrolled, is_last, "{arguments:?} at {size:?}: {lines:#?}");
    let repeated = if is_last { answer.len() + 1 } else { 0 };
    let count = lines.len() - repeated;
    assert!(count <= MOST_LINES, "{arguments:?}: {count} lines: {lines:#?}");
    for line in &lines {
        // Commands to type next stay on one line.
        let is_command = line.starts_with("Next: ") || line.starts_with("      sizeup ");
        let width = line.width();
        assert!(is_command || width <= size.0.into(), "{arguments:?}: {width} of {size:?}: {line}");
    }
}

/// Imported runs of some machines: on one thread, many and all, each row measured three times.
fn imported(place: &Place, machines: usize, workloads: usize) -> Vec<String> {
    let mut table = "machine,workload,threads,value,unit,cpus\n".to_owned();
    for machine in 0..machines {
        for workload in 0..workloads {
            for threads in [1, 2, 4, 8, 16, 32, 64] {
                for noise in 0..3 {
                    let value =
                        1000 * threads * (10 + machine + workload % 3) + 9 * noise * threads;
                    let name = format!(
                        "operation-{}-of-a-long-name-16KiB/library-{}",
                        workload / 2,
                        workload % 2
                    );
                    let _ = writeln!(
                        table,
                        "machine-{machine}.16xlarge,{name},{threads},{value},ops/s,64"
                    );
                }
            }
        }
    }
    place.write("table.csv", table);
    let answer = place.sizeup(&["import", "csv", "table.csv", "--folder", "runs"]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    let file = |machine| format!("runs/machine-{machine}-16xlarge-imported.run.jsonl");
    (0..machines).map(file).collect()
}

fn all_commands<'a>(files: &[&'a str]) -> Vec<Vec<&'a str>> {
    let prices = ["--price", "machine-0.16xlarge=2", "--price", "machine-1.16xlarge=3"];
    let mut commands: Vec<Vec<&str>> = ["compare", "score", "scaling", "implementations"]
        .iter()
        .map(|command| [&[*command], files].concat())
        .collect();
    commands.push([&["show", "--grid"], files].concat());
    commands.push([&["capacity", "mix.toml"], files].concat());
    if files.len() == 2 {
        commands.push([&["cost"], files, &prices].concat());
        commands.push([&["explain"], files].concat());
    }
    commands
}

#[test]
fn every_judging_command_fits_any_terminal_on_two_machines_and_on_nineteen() {
    let place = Place::new();
    place.write(
        "mix.toml",
        "[[demand]]\nworkload = \"operation-0-of-a-long-name-16KiB/library-0\"\nrate = \"90000 ops/s\"\n",
    );
    let files = imported(&place, 19, 12);
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    for some in [&files[..2], &files[..]] {
        for command in all_commands(some) {
            assert_fits(&place, &command);
        }
    }
    assert_fits(&place, &["show", files[0]]);
    assert_fits(&place, &["runs"]);
}

#[test]
fn what_needs_no_file_fits_any_terminal() {
    let home = std::env::var_os("SIZEUP_HOME").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../dist"),
        PathBuf::from,
    );
    let place = Place::new();
    std::fs::remove_dir_all(place.path("home")).expect("a folder");
    std::os::unix::fs::symlink(home, place.path("home")).expect("a link");
    for command in [
        &["list"][..],
        &["list", "workloads"],
        &["list", "mixes"],
        &["list", "dcperf-1.0-like"],
        &["machine"],
        &["doctor", "--seconds", "1"],
    ] {
        assert_fits(&place, command);
    }
    // It measures for ten seconds of CPU time.
    assert_fits_at(&place, &["machine", "--measure"], SIZES[0]);
}

#[test]
fn a_run_its_variants_and_what_failed_fit_any_terminal() {
    let place = Place::new().with_faults(&["none", "wrong-answer", "die-measure"], &[]);
    let run = |ids: &[&str], more: &[&str]| place.sizeup(&Place::run_arguments(ids, more)).status;
    let variants = ["--variant", "base", "--variant", "slow=FAKE_OPS_PERCENT=70", "--budget", LONG];
    assert_eq!(run(&["none/fake"], &variants), 0);
    for command in
        [&["show", "out.jsonl"][..], &["compare", "out.jsonl"], &["explain", "out.jsonl"]]
    {
        assert_fits(&place, command);
    }
    std::fs::rename(place.path("out.jsonl"), place.path("variants.jsonl")).expect("a file");
    assert_eq!(run(&["none/fake", "die-measure/fake"], &["--threads", "1,2"]), 3);
    for command in [&["show", "out.jsonl"][..], &["compare", "out.jsonl", "variants.jsonl"]] {
        assert_fits(&place, command);
    }
}

#[test]
fn colours_are_for_terminals_only_and_the_answer_alone_is_one_line() {
    let place = Place::new();
    let files = imported(&place, 2, 3);
    let compare = ["compare", &files[0], &files[1]];
    assert!(!place.sizeup(&compare).stdout.contains('\u{1b}'));
    let always = place.sizeup(&[&compare[..], &["--color", "always"]].concat());
    assert!(always.stdout.contains('\u{1b}'), "{}", always.stdout);
    let quiet = place.sizeup(&[&compare[..], &["-q"]].concat()).prose();
    let says = "machine-1.16xlarge is 9.1 % faster than machine-0.16xlarge on all 64 threads (95 % CI 9.0–9.2 %), 9.1 % faster on 1 thread";
    assert!(quiet.starts_with(says) && !quiet.contains("Next"), "{quiet}");
}

#[test]
fn all_rows_come_with_how_many_columns_the_terminal_has_no_room_for() {
    let place = Place::new();
    let files = imported(&place, 19, 1);
    let compare: Vec<&str> =
        ["compare", "--all"].into_iter().chain(files.iter().map(String::as_str)).collect();
    let columns = |text: &str| text.matches("machine-1").count();
    let narrow = place.sizeup(&compare).stdout;
    assert!(narrow.contains("more columns (--details)"), "{narrow}");
    let whole = place.sizeup(&[&compare[..], &["--details"]].concat()).stdout;
    assert!(!whole.contains("more column"), "{whole}");
    assert!(columns(&whole) > columns(&narrow), "{whole}");
}

#[test]
fn runs_are_listed_the_newest_first_and_the_last_two_are_compared() {
    let place = Place::new();
    place.sizeup(&["compare"]).refuses(2, "hold only 0 runs that finished");
    place.sizeup(&["list", "suites", "nothing"]).refuses(2, "no suite has \"nothing\" in its name");
    imported(&place, 3, 2);
    let listed = place.sizeup(&["runs", "--json"]);
    assert_eq!(listed.status, 0, "{}", listed.stderr);
    let runs = listed.data().as_array().expect("runs").clone();
    let started: Vec<&str> =
        runs.iter().map(|run| run["started"].as_str().expect("a time")).collect();
    assert!(started.is_sorted_by(|a, b| a >= b) && runs.len() == 3, "{runs:?}");
    let compared = place.sizeup(&["compare", "--json"]).json();
    let label = |side: &str| compared["data"][side].as_str().map(str::to_owned);
    let last: Vec<Option<String>> =
        runs[..2].iter().map(|run| run["label"].as_str().map(str::to_owned)).collect();
    assert_eq!([label("other"), label("baseline")], last[..], "{compared}");
    // An unreadable file is named, and all others are listed.
    place.write("runs/broken.run.jsonl", "nothing");
    let listed = place.sizeup(&["runs"]);
    assert_eq!(listed.status, 1, "{}", listed.stdout);
    assert_eq!(listed.prose().matches("runs/broken.run.jsonl").count(), 1, "{}", listed.stdout);
}
