//! The action's step, with a script for sizeup: what it hands over, and what it leaves.

use crate::ci::step;
use crate::support::{Answer, Place};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

/// Prints a paragraph, and leaves what it was given as the run file.
const SIZEUP: &str = r#"#!/bin/sh
echo "**sizeup: no change.**"
while [ "$1" != --output ]; do shift; done
printf '%s\n' "$3" "$4" > "$2"
"#;

/// A runner, where the action lies in a folder with a blank in its name.
fn runner() -> Place {
    let place = Place::new();
    let program = place.write("sizeup", SIZEUP);
    fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
    let action = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../action");
    symlink(action.canonicalize().unwrap(), place.path("an action")).unwrap();
    place
}

fn measure(place: &Place, base: &str, new: &str) -> Answer {
    let program = place.path("sizeup").display().to_string();
    let (run, variables) = step(&[
        ("base", base),
        ("new", new),
        ("fail-if", "slower:3%"),
        ("precision", "1%"),
        ("budget", "8s"),
        ("sizeup", &program),
    ]);
    let mut command = Command::new("bash");
    command
        .args(["-e", "-c", &run])
        .envs(variables)
        .env("GITHUB_ACTION_PATH", place.path("an action"))
        .env("RUNNER_TEMP", place.path("tmp"))
        .env("GITHUB_STEP_SUMMARY", place.path("summary.md"))
        .env("GITHUB_OUTPUT", place.path("output"));
    Answer::of(command.output().expect("bash can be started"))
}

#[test]
fn a_job_that_measures_twice_has_two_run_files() {
    let place = runner();
    for base in ["first", "second"] {
        let answer = measure(&place, base, "new");
        assert_eq!(answer.status, 0, "{}", answer.stderr);
    }
    let output = fs::read_to_string(place.path("output")).unwrap();
    let files = output.lines().filter_map(|line| line.strip_prefix("run-file="));
    let runs: Vec<String> = files.map(|file| fs::read_to_string(file).unwrap()).collect();
    assert_eq!(runs, ["first\nnew\n", "second\nnew\n"]);
}

#[test]
fn a_command_that_begins_like_an_option_is_refused() {
    let place = runner();
    measure(&place, "--output=elsewhere", "new").refuses(2, "the input 'base' begins with -");
    measure(&place, "base", "-o").refuses(2, "the input 'new' begins with -");
    assert!(!place.path("output").exists());
}
