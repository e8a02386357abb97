//! A run whose disk is full keeps what it has measured, shows it, and can be finished.

use crate::support::{Answer, NEVER, Place};
use std::process::{Command, Stdio};

/// Blocks of 512 bytes that a file may have: the header and some hundred samples.
const MOST_BLOCKS: u32 = 300;

/// sizeup where no file may become larger: the system refuses to write as it does on a full disk.
fn limited(place: &Place, arguments: &[&str]) -> Answer {
    let sizeup = place.command(arguments);
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &format!("trap '' XFSZ; ulimit -f {MOST_BLOCKS}; exec \"$0\" \"$@\"")])
        .arg(sizeup.get_program())
        .args(sizeup.get_args())
        .envs(sizeup.get_envs().filter_map(|(name, value)| Some((name, value?))))
        .stdin(Stdio::null())
        .current_dir(place.path(""));
    Answer::of(shell.output().expect("sh can be started"))
}

#[test]
fn a_run_whose_file_can_not_grow_shows_what_it_measured_and_how_to_go_on() {
    let place = Place::new().with_faults(&["none"], &[]);
    let more = ["--threads", "1", "--cpus", "0", "--precision", NEVER];
    let answer = limited(&place, &Place::run_arguments(&["none/fake"], &more));
    assert_eq!(answer.status, 3, "{}", answer.stderr);
    let run = record::read(&place.path("out.jsonl")).expect("it is readable");
    let samples = run.samples.len();
    assert!(samples >= 8 && !run.is_complete(), "{samples} samples");
    let row = answer.stdout.lines().find(|line| line.starts_with("none ")).expect("a row");
    assert!(row.contains("/s"), "{row}");
    let command = "sizeup run --resume out.jsonl --with own";
    let advice = answer.stderr.lines().last().expect("it says something");
    assert!(advice.contains("cannot write the run file out.jsonl: File too large"), "{advice}");
    assert!(advice.contains(&format!("it holds {samples} samples")), "{advice}");
    assert!(advice.ends_with(&format!("resume: {command}")), "{advice}");

    // With room again, and a precision that it soon reaches.
    let text = std::fs::read_to_string(place.path("out.jsonl")).expect("a file");
    place.write(
        "out.jsonl",
        text.replacen("\"precision_ppm\":100,", "\"precision_ppm\":500000,", 1),
    );
    let resumed = place.sizeup(&command.split(' ').skip(1).collect::<Vec<_>>());
    assert_eq!(resumed.status, 0, "{}", resumed.stderr);
    let run = record::read(&place.path("out.jsonl")).expect("it is readable");
    assert!(run.is_complete() && run.samples.len() >= samples);
}
