//! The reference run that is shipped: it is whole, of today's definitions, and single runs are compared with it.

use crate::support::Place;
use catalog::{Catalog, Home};
use record::{Ended, Run};
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reference")
}

fn file() -> PathBuf {
    let entries =
        folder().read_dir().expect("the folder").map(|entry| entry.expect("an entry").path());
    let mut files = entries.filter(|file| file.to_string_lossy().ends_with(".run.jsonl"));
    let file = files.next().expect("a run");
    assert!(files.next().is_none(), "there is one reference");
    file
}

fn reference() -> Run {
    record::read(&file()).expect("it can be read")
}

#[test]
fn it_is_complete_and_every_row_of_it_may_be_used() {
    let run = reference();
    assert_eq!(run.notes, []);
    assert!(run.close.is_some_and(|close| close.ended != Ended::Interrupted));
    assert!(run.outcomes.is_empty());
}

#[test]
fn its_definitions_are_todays() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let home = tempfile::TempDir::new().expect("a folder");
    let share = home.path().join("share/sizeup");
    fs::create_dir_all(&share).expect("a folder");
    for part in ["workloads", "suites", "inputs"] {
        std::os::unix::fs::symlink(root.join(part), share.join(part)).expect("a link");
    }
    let catalog = Catalog::load(&Home::at(home.path()), &[]).expect("the tables");
    for (id, definition) in &reference().header.workloads {
        let mut now = catalog.workloads[id].definition.clone();
        // Which program of a release does it need not match (`judge/src/compare/identity.rs`).
        now.worker.clone_from(&definition.worker);
        assert_eq!(*definition, now, "{id} has changed: measure the reference anew");
    }
}

#[test]
fn a_single_run_is_compared_to_it() {
    let place = Place::new();
    let home = place.path("home/share/sizeup/reference");
    fs::create_dir(&home).expect("a folder");
    fs::copy(file(), home.join("it.run.jsonl")).expect("a copy");
    // A copy with another label stands for a second run of the machine.
    let text = fs::read_to_string(file()).expect("text");
    let label = reference().header.label;
    let again = text.replacen(&format!("\"label\":\"{label}\""), "\"label\":\"mine\"", 1);
    let open: Vec<&str> =
        again.lines().filter(|line| !line.contains("\"record\":\"close\"")).collect();
    place.write("mine.run.jsonl", open.join("\n") + "\n");
    let answer = place.sizeup(&["compare", "mine.run.jsonl"]);
    let text = answer.prose();
    let says = format!("than {label} on all 2 threads: can't tell (");
    assert!(text.contains(&says), "{text}");
}

#[test]
fn a_run_of_other_rows_is_reported_for_what_it_is() {
    let place = Place::new().with_faults(&["none"], &[]);
    let home = place.path("home/share/sizeup/reference");
    fs::create_dir(&home).expect("a folder");
    fs::copy(file(), home.join("it.run.jsonl")).expect("a copy");
    let of_fake = Place::run_arguments(&["none/fake"], &["--threads", "1", "--label", "mine"]);
    assert_eq!(place.sizeup(&of_fake).status, 0);
    let report = place.sizeup(&["report", "out.jsonl", "--format", "md", "-o", "-"]);
    let title = report.stdout.lines().find(|line| line.starts_with("# ")).unwrap_or_default();
    assert!(title.contains("mine: 1 workload measured"), "{}", report.stdout);
    let label = reference().header.label;
    assert!(!report.stdout.contains(&label), "{}", report.stdout);
    place.sizeup(&["compare", "out.jsonl"]).refuses(
        2,
        "no reference applies to it: name a second run file, or measure with --suite quick",
    );
}
