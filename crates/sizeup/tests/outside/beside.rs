//! Rows beside co-runners, by the real workers.

use crate::support::{Answer, installed as sizeup, not_tested};
use serde_json::Value;
use tempfile::TempDir;

const ROWS: [&str; 4] = ["--workload", "crc32-64KiB/zlib", "--workload", "sha-256-16KiB/openssl"];
const FILL: &str = "--squeeze=memory-fill-1MiB/control";

fn run(folder: &TempDir, more: &[&str]) -> Answer {
    let arguments = ["run", "--output", "a.jsonl", "--sample-time", "10ms", "--json"];
    sizeup(folder, &[&arguments[..], &ROWS[..], more].concat())
}

fn folder() -> TempDir {
    TempDir::new().expect("a temporary folder")
}

/// Two CPUs of one core leave none for co-runners: then it is only said so.
fn lacks_a_core(answer: &Answer) -> bool {
    let lacks = answer.status == 2 && answer.stderr.contains("no core is left for co-runners");
    if lacks {
        not_tested(format_args!("rows beside co-runners: {}", answer.stderr.trim_end()));
    }
    lacks
}

#[test]
fn rows_are_measured_alone_and_beside_co_runners_on_other_cpus() {
    let folder = folder();
    let answer = run(&folder, &[FILL, "--beside-load", "--budget", "40s", "--precision", "50%"]);
    if lacks_a_core(&answer) {
        return;
    }
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    let view = answer.data();
    for row in view["rows"].as_array().expect("rows") {
        let beside = row["beside"].as_array().expect("beside");
        let beside_workload = |workload: &str| {
            let found = beside.iter().find(|estimate| estimate["workload"] == workload);
            found.unwrap_or_else(|| panic!("{workload} in {row}"))
        };
        for estimate in
            [beside_workload("memory-fill-1MiB/control"), beside_workload("vectors/control")]
        {
            assert!(estimate["left"]["centre"].as_f64() > Some(0.0), "{estimate}");
            assert!(estimate["left"]["samples"].as_u64() >= Some(6), "{estimate}");
            assert!(estimate["co_runners_mib_per_s"].as_f64() > Some(0.0), "{estimate}");
        }
    }
    let text = std::fs::read_to_string(folder.path().join("a.jsonl")).expect("the run file");
    let records = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let cpus = |sample: &Value| sample["threads"].as_array().map_or(0, Vec::len);
    let beside: Vec<Value> = records.filter(|record| record["record"] == "beside").collect();
    assert!(beside.len() >= 24, "two rows, two kinds of co-runners: {}", beside.len());
    for record in &beside {
        assert!(cpus(&record["row"]) == 1 && cpus(&record["co_runners"]) >= 1, "{record}");
        assert_ne!(record["row"]["threads"][0]["cpu"], record["co_runners"]["threads"][0]["cpu"]);
    }
    let shown = sizeup(&folder, &["show", "a.jsonl", "--details"]);
    for says in
        ["co-runner (vectors/control)", "Beside memory-fill-1MiB/control", "co-runners MiB/s"]
    {
        assert!(shown.stdout.contains(says), "{}", shown.stdout);
    }
}

#[test]
fn a_co_runner_that_fails_ends_neither_the_run_nor_its_rows() {
    let more = [FILL, "--budget", "10s", "--inject-wrong-answer", "memory-fill-1MiB/control"];
    let answer = run(&folder(), &more);
    if lacks_a_core(&answer) {
        return;
    }
    assert_eq!(answer.status, 3, "{}", answer.stderr);
    let view = answer.data();
    assert_eq!(view["co_runners"][0]["outcome"]["outcome"], "failed", "{view}");
    for row in view["rows"].as_array().expect("rows") {
        assert!(row["samples"].as_u64() >= Some(8) && row.get("beside").is_none(), "{row}");
    }
}

#[test]
fn what_can_not_run_beside_rows_is_refused_before_anything_starts() {
    for (more, says) in [
        (&[FILL, "--threads", "all"][..], "no core is left for co-runners"),
        (&[FILL, "--cpus", "0"], "no core is left for co-runners"),
        (&["--squeeze=memory-fill-1GB/control"], "no workload is named"),
        (&["--squeeze=https-plain/nginx"], "runs in processes other than its worker"),
        (&["--beside-load=\u{1b}[31m"], "no workload is named"),
        (&[FILL, "--variant", "a", "--variant", "b=X=1"], "cannot be used with"),
        (&[FILL, "--resume", "a.jsonl"], "cannot be used with"),
    ] {
        let folder = folder();
        let answer = run(&folder, more);
        assert_eq!(answer.status, 2, "{more:?}: {}", answer.stderr);
        assert!(answer.stderr.contains(says), "{more:?}: {}", answer.stderr);
        assert!(!answer.stderr.contains('\u{1b}') && !folder.path().join("a.jsonl").exists());
    }
}
