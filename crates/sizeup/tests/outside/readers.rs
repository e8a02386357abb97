//! Other programs read what sizeup writes: the command lines of `docs/judging.md`, as they stand there.

use crate::support::{Answer, FINE, Place, not_tested};
use std::path::Path;
use std::process::Command;

/// The command lines of the page's last chapter.
fn documented() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/judging.md");
    let page = std::fs::read_to_string(path).expect("the page is there");
    let (_, chapter) = page.split_once("## For other programs").expect("the chapter is there");
    let blocks = chapter.split("```").skip(1).step_by(2);
    let lines = blocks.flat_map(|block| block.lines().skip(1));
    lines.map(str::to_owned).collect()
}

/// Runs of two machines, in the folder and in `runs/`.
fn place() -> Place {
    let place = Place::new().with_faults(&["none", "served"], &[]);
    std::fs::create_dir(place.path("runs")).expect("a folder");
    for label in ["xeon", "altra"] {
        let run = ["--threads", "1", "--precision", FINE, "--label", label];
        let answer = place.sizeup(&Place::run_arguments(&["none/fake", "served/fake"], &run));
        assert_eq!(answer.status, 0, "{}", answer.stderr);
        let name = format!("{label}.run.jsonl");
        std::fs::rename(place.path("out.jsonl"), place.path(&name)).expect("the run file");
        std::fs::copy(place.path(&name), place.path("runs").join(&name)).expect("a copy");
    }
    place
}

fn bash(place: &Place, line: &str) -> Answer {
    let sizeup = Path::new(env!("CARGO_BIN_EXE_sizeup")).parent().expect("a folder");
    let path = std::env::var("PATH").expect("a path");
    let mut command = Command::new("bash");
    command.args(["-c", line]).current_dir(place.path(""));
    command.env("PATH", format!("{}:{path}", sizeup.display()));
    Answer::of(command.output().expect("bash can be started"))
}

/// Whether a program can be had here.
fn is_there(place: &Place, program: &str) -> bool {
    let is_there = match program {
        "python3" => "python3 -c 'import pandas'".to_owned(),
        _ => format!("command -v {program}"),
    };
    bash(place, &is_there).status == 0
}

#[test]
fn what_the_page_says_that_other_programs_read_they_read() {
    let place = place();
    let samples = |name: &str| {
        let text = std::fs::read_to_string(place.path(name)).expect("a run file");
        text.lines().filter(|line| line.starts_with("{\"record\":\"sample\"")).count().to_string()
    };
    let mut lines = 0;
    for line in documented() {
        let program = line.split_whitespace().next().expect("a program");
        if !is_there(&place, program) {
            not_tested(&line);
            continue;
        }
        let answer = bash(&place, &line);
        assert_eq!(answer.status, 0, "{line}: {}{}", answer.stdout, answer.stderr);
        let told: Vec<&str> = match program {
            "sizeup" => Vec::new(),
            "benchstat" => {
                // Side by side: each is compared to the first.
                vec!["altra.txt", "vs base", "sec/op", "None/impl=fake/threads=1", "geomean"]
            }
            "compare.py" => vec!["none/fake", "served/fake"],
            "duckdb" if line.contains("count(*)") => vec![],
            "duckdb" => vec!["none/fake", "served/fake"],
            "python3" => vec!["xeon", "altra", "[4 rows"],
            other => panic!("{other} is no program that is known here"),
        };
        for text in told {
            assert!(answer.stdout.contains(text), "{line}: {text:?} is not in {}", answer.stdout);
        }
        if line.contains("count(*)") {
            let count = samples("altra.run.jsonl");
            assert!(answer.stdout.contains(&count), "{line}: not {count}: {}", answer.stdout);
        }
        lines += 1;
    }
    assert!(lines >= 6, "the exports at least");
}
