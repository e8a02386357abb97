//! `docs/run-file.schema.json` and what is really written agree.

use crate::support::Place;
use jsonschema::Validator;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

pub fn validator() -> Validator {
    validator_of("run-file.schema.json")
}

/// Reads a schema from docs/.
pub fn validator_of(name: &str) -> Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    let schema = fs::read_to_string(&path).expect("the schema is there");
    let schema = serde_json::from_str(&schema).expect("the schema is JSON");
    jsonschema::validator_for(&schema).expect("the schema is a schema")
}

/// All records of runs that have every kind of record: one case fails, and the run is resumed; the other is of a mix.
static RECORDS: LazyLock<Vec<Value>> = LazyLock::new(records);

fn records() -> Vec<Value> {
    let place = Place::new().with_faults(&["none", "served", "die-measure"], &[]);
    let ids = ["none/fake", "served/fake", "die-measure/fake"];
    let more = ["--threads", "1,2"];
    assert_eq!(place.sizeup(&Place::run_arguments(&ids, &more)).status, 3);
    let text = fs::read_to_string(place.path("out.jsonl")).expect("a run file");
    let open: Vec<&str> = text.lines().filter(|line| !line.contains("\"close\"")).collect();
    // Finer than it was asked for, so that something is left to do.
    let finer =
        open.join("\n").replacen("\"precision_ppm\":300000,", "\"precision_ppm\":20000,", 1);
    place.write("out.jsonl", finer + "\n");
    assert_eq!(place.sizeup(&["run", "--with", "own", "--resume", "out.jsonl"]).status, 3);
    let mix = "[[demand]]\nworkload = \"none/fake\"\nrate = \"1 ops/s\"\n";
    place.write("mix.toml", mix);
    let run = ["run", "--with", "own", "--mix", "mix.toml", "--budget", "3s", "-o", "mix.jsonl"];
    assert_eq!(place.sizeup(&run).status, 0);
    let run = ["run", "--with", "own", "--mix", "mix.toml", "--rolling", "--budget", "6s"];
    let answer = place.sizeup(&[&run[..], &["-o", "rolling.jsonl"]].concat());
    assert_eq!(answer.status, 0, "{}{}", answer.stdout, answer.stderr);
    let read = |name: &str| fs::read_to_string(place.path(name)).expect("a run file");
    let beside = ["--squeeze=none/fake", "--budget", "3s", "--output", "beside.jsonl"];
    let run = ["run", "--with", "own", "--workload", "none/fake"];
    let answer = place.sizeup(&[&run[..], &beside].concat());
    assert_eq!(answer.status, 0, "{}{}", answer.stdout, answer.stderr);
    let text =
        read("out.jsonl") + &read("mix.jsonl") + &read("beside.jsonl") + &read("rolling.jsonl");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn every_record_that_is_written_fits_the_schema_and_every_kind_is_written() {
    let validator = validator();
    for record in &*RECORDS {
        if let Some(error) = validator.iter_errors(record).next() {
            panic!("{error} in {record}");
        }
    }
    for kind in [
        "header",
        "launch",
        "sample",
        "verified",
        "outcome",
        "reading",
        "activity",
        "resume",
        "mixed",
        "beside",
        "rolling_list",
        "rolling_launch",
        "rolling_pass",
        "rolling_verified",
        "close",
    ] {
        assert!(RECORDS.iter().any(|record| record["record"] == kind), "no {kind}");
    }
}

#[test]
fn the_schema_refuses_what_a_reader_would() {
    let validator = validator();
    // Samples of a worker alone, and those with parts that a server does for it.
    let find = |kind: &str| {
        let is_served = kind == "sample of parts";
        let kind = if is_served { "sample" } else { kind };
        let is_it = |r: &&Value| r["record"] == kind && r["parts"].is_array() == is_served;
        RECORDS.iter().find(is_it).expect("a record").clone()
    };
    let refused = |kind: &str, change: fn(&mut Value)| {
        let mut record = find(kind);
        assert!(validator.is_valid(&record));
        change(&mut record);
        assert!(!validator.is_valid(&record), "{record}");
    };
    refused("sample", |r| r["threads"][0]["ops"] = json!(0));
    refused("mixed", |r| r["shares"][0]["nice"] = json!(20));
    refused("mixed", |r| r["shares"] = json!([]));
    refused("rolling_list", |r| r["items"] = json!([]));
    refused("rolling_list", |r| r["items"][0]["ops"] = json!(0));
    refused("rolling_pass", |r| r["threads"] = json!([]));
    refused("rolling_pass", |r| r["threads"][0][0]["case"] = json!(-1));
    refused("beside", |r| r["row"]["round"] = json!("one"));
    refused("beside", |r| r["co_runners"] = json!(null));
    refused("sample", |r| r["threads"][0]["elapsed_ns"] = json!(-1));
    refused("sample", |r| r["round"] = json!("one"));
    refused("sample", |r| r["threads"][0]["pulse_before"]["clock_ns"] = json!(0));
    refused("sample", |r| r["threads"][0]["chains_ns"] = json!([4040, 0]));
    refused("sample", |r| r["threads"][0]["chains_ns"] = json!(vec![4040; 10]));
    refused("launch", |r| r["ready"]["chain"]["ops"] = json!(0));
    refused("sample", |r| r["threads"][0]["cpu_ns"] = json!(null));
    refused("sample of parts", |r| r["parts"] = json!([]));
    refused("sample of parts", |r| r["parts"][0]["cpu_ns"] = json!(null));
    refused("sample of parts", |r| r["latency"][0] = json!([1]));
    refused("sample of parts", |r| r["due_ops"] = json!(-1));
    refused("launch", |r| r["ready"]["build"] = json!(null));
    refused("header", |r| r["plan"]["cases"][0]["threads"] = json!(0));
    refused("header", |r| r["format"] = json!(1));
    refused("outcome", |r| r["outcome"] = json!("fine"));
    refused("close", |r| r["sha256"] = json!("abc"));
    refused("reading", |r| r["value"] = json!("high"));
    refused("activity", |r| r["at_ns"] = json!(-1));
    refused("activity", |r| r["processes"] = json!([{ "pid": "one", "command": "x", "ticks": 1 }]));
    refused("header", |r| r["findings"] = json!([{ "id": "x", "severity": "bad", "seen": "x" }]));
    let mut sample = find("sample");
    sample["colour"] = json!("red");
    assert!(validator.is_valid(&sample), "fields of newer versions are let through");
}
