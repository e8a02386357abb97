//! A run whose disk is full keeps what it has measured, shows it, and can be finished.

use crate::machine_faults::Way;
use crate::support::{NEVER, Place};

#[test]
fn a_run_whose_file_can_not_grow_shows_what_it_measured_and_how_to_go_on() {
    let place = Place::new().with_faults(&["none"], &[]);
    let more = ["--threads", "1", "--cpus", "0", "--precision", NEVER];
    // The header and some hundred samples. The system refuses to write more as it does on a full disk.
    let limited = Way::Shell("ulimit -f 150; exec \"$@\"");
    let answer = limited.run(&place, &Place::run_arguments(&["none/fake"], &more));
    let answer = answer.expect("a shell");
    assert_eq!(answer.status, 3, "{}", answer.stderr);
    let run = record::read(&place.path("out.jsonl")).expect("it is readable");
    let samples = run.samples.len();
    assert!(samples >= 8 && !run.is_complete(), "{samples} samples");
    let row = answer.stdout.lines().find(|line| line.starts_with("none ")).expect("a row");
    assert!(row.contains("/s"), "{row}");
    let command = "sizeup run --resume out.jsonl --with own";
    let advice = answer.stderr.lines().last().expect("it says something");
    assert!(advice.contains("cannot write the run file out.jsonl: File too large"), "{advice}");
    assert!(advice.contains(", larger than `ulimit -f` or the file system allows;"), "{advice}");
    assert!(advice.contains(&format!("it holds {samples} samples. Raise that limit")), "{advice}");
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
