//! Suspect and invalid runs are labelled in every output that people may copy.

use crate::support::Place;
use std::fs;
use std::path::{Path, PathBuf};

/// Two copies of the shipped reference under other names: the first without its end, the second as its text is changed.
fn runs(place: &Place, change: impl Fn(String) -> String) -> [String; 2] {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reference");
    let files = folder.read_dir().expect("the folder").map(|entry| entry.expect("an entry").path());
    let is_run = |file: &PathBuf| file.to_string_lossy().ends_with(".run.jsonl");
    let text = fs::read_to_string(files.into_iter().find(is_run).expect("a run")).expect("text");
    fs::create_dir_all(place.path("runs")).expect("a folder");
    let label = text.split("\"label\":\"").nth(1).and_then(|rest| rest.split('"').next());
    let named = |name: &str| {
        let label = format!("\"label\":\"{}\"", label.expect("a label"));
        text.replacen(&label, &format!("\"label\":\"{name}\""), 1)
    };
    place.write("runs/first.run.jsonl", open(named("first")));
    place.write("runs/second.run.jsonl", change(named("second")));
    ["runs/first.run.jsonl".to_owned(), "runs/second.run.jsonl".to_owned()]
}

/// A run that was killed, for it has no end.
fn open(text: String) -> String {
    let lines = text.lines().filter(|line| !line.contains("\"record\":\"close\""));
    lines.map(|line| format!("{line}\n")).collect()
}

/// Every way to have the two judged, each with what it says: stdout and the files that it writes.
fn outputs(place: &Place, runs: &[String; 2], more: &[&str]) -> Vec<(String, i32, String)> {
    let [first, second] = runs.each_ref().map(String::as_str);
    let prices = ["--price", "first=1", "--price", "second=2"];
    let ways: [(&[&str], &[&str]); 15] = [
        (&["compare", first, second], &[]),
        (&["compare", first, second, "-q"], &[]),
        (&["compare", first, second, "--json"], &[]),
        (&["compare", first, second, "--fail-if", "slower:50%"], &[]),
        (&["score", first, second], &[]),
        (&["score", first, second, "--json"], &[]),
        (&["cost", first, second], &prices),
        (&["cost", first, second, "-q"], &prices),
        (&["explain", first, second, "-q"], &[]),
        (&["explain", first, second, "--json"], &[]),
        (&["implementations", first, second], &[]),
        (&["report", first, second, "--format", "md", "-o", "-"], &[]),
        (&["report", first, second, "-o", "it.html", "--charts", "charts", "--force"], &[]),
        (&["report", first, second, "-o", "-"], &[]),
        (&["site", "runs", "-o", "site", "--force"], &[]),
    ];
    let said = ways.into_iter().map(|(way, behind)| {
        let answer = place.sizeup(&[way, behind, more].concat());
        let status = answer.status;
        let mut said = answer.prose();
        // The share card is a picture of sentences.
        for file in ["charts/share-card.svg", "site/index.html"] {
            said += &fs::read_to_string(place.path(file)).unwrap_or_default();
            drop(fs::remove_file(place.path(file)));
        }
        (way.join(" "), status, said)
    });
    said.collect()
}

#[test]
fn a_suspect_run_is_called_so_in_every_output() {
    let place = Place::new();
    let runs = runs(&place, open);
    for (way, _, said) in outputs(&place, &runs, &[]) {
        assert!(said.to_lowercase().contains("suspect data of"), "{way}: {said}");
    }
}

#[test]
fn an_invalid_run_has_no_answer_in_any_output() {
    let place = Place::new();
    // Under another name its digest, which is of all, is not the one at its end.
    let runs = runs(&place, |text| text);
    for (way, status, said) in outputs(&place, &runs, &[]) {
        assert_eq!(status, 1, "{way}: {said}");
        assert!(said.contains("No answer: second"), "{way}: {said}");
        assert!(!said.contains("faster") && !said.contains("slower"), "{way}: {said}");
    }
    for (way, status, said) in outputs(&place, &runs, &["--allow", "invalid"]) {
        assert_eq!(status, 1, "{way}: {said}");
        assert!(said.contains("Invalid data of second"), "{way}: {said}");
    }
}
