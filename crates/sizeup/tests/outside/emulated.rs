//! sizeup and its workers under emulation, from end to end. `make test-arm` runs this with a release folder
//! for another architecture, whose programs start an emulator.

use catalog::{Catalog, Home};
use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output};
use tempfile::TempDir;

fn home() -> PathBuf {
    std::env::var_os("SIZEUP_HOME").expect("SIZEUP_HOME names the emulated release folder").into()
}

/// The emulated sizeup in a folder of its own.
fn sizeup(folder: &TempDir, arguments: &[&str]) -> Output {
    Command::new(home().join("bin/sizeup"))
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .expect("the emulated sizeup can be started")
}

fn json(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes)
        .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(bytes)))
}

/// The target that a header's worker was built for.
fn targets(header: &Value) -> Vec<&str> {
    let workers = header["workers"].as_object().expect("workers");
    workers.values().map(|worker| worker["build"]["target"].as_str().expect("a target")).collect()
}

#[test]
#[ignore = "needs an emulated release folder: make test-arm"]
fn a_run_under_emulation_measures_every_row_and_says_that_it_proves_no_speed() {
    let folder = TempDir::new().expect("a temporary folder");
    let run = ["run", "--suite", "quick", "--budget", "240s", "--json", "--output", "a.jsonl"];
    let output = sizeup(&folder, &run);
    let talk = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{talk}");
    assert!(talk.contains("unfit: emulation: "), "{talk}");

    let text = std::fs::read_to_string(folder.path().join("a.jsonl")).expect("a run file");
    let header = json(text.lines().next().expect("a header").as_bytes());
    let finding = &header["findings"][0];
    assert_eq!((&finding["id"], &finding["severity"]), (&"emulation".into(), &"unfit".into()));
    let mut targets = targets(&header);
    targets.sort_unstable();
    let linux = "aarch64-unknown-linux-gnu";
    assert_eq!(targets, [linux, linux, linux, linux, "linux/arm64"], "four in Rust and go");

    let view = json(&output.stdout)["data"].take();
    let note = view["notes"][0].as_str().expect("a note");
    assert!(note.starts_with("emulated: "), "{note}");
    let catalog = Catalog::load(&Home::at(&home()), &[]).expect("the tables");
    let quick = catalog.suites["quick"].categories.iter();
    let rows = view["rows"].as_array().expect("rows");
    // On one thread and on all: the same where there is one CPU.
    assert!(rows.len() >= quick.flat_map(|category| &category.workloads).count(), "{}", rows.len());
    for row in rows {
        assert!(row["outcome"].is_null(), "{row}");
        assert!(row["samples"].as_u64() > Some(0), "{row}");
    }

    // Comparisons and scores are drawn up, but not called good.
    std::fs::copy(folder.path().join("a.jsonl"), folder.path().join("b.jsonl")).expect("a copy");
    for judge in ["compare", "score"] {
        let judged = sizeup(&folder, &[judge, "a.jsonl", "b.jsonl", "-v"]);
        assert_eq!(judged.status.code(), Some(1), "{judged:?}");
        let said = String::from_utf8_lossy(&judged.stdout);
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains("Don't trust the figures of "), "{said}");
        assert!(said.contains("emulated: "), "{said}");
    }
}
