//! A run file whose digest is right may still tell what can't be: whoever judges it is told which line.

use crate::support::{Place, seal};
use serde_json::{Value, json};
use std::fs;

/// A short run on 1 and 2 threads, record by record.
fn honest(place: &Place) -> Vec<Value> {
    let more = ["--threads", "1,2", "--sample-time", "50ms"];
    let arguments = Place::run_arguments(&["none/fake"], &[]);
    let kept =
        arguments.iter().copied().filter(|argument| !["--sample-time", "2ms"].contains(argument));
    let answer = place.sizeup(&kept.chain(more).collect::<Vec<_>>());
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    let text = fs::read_to_string(place.path("out.jsonl")).expect("a run file");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Where the first record of a kind is that is of this case.
fn place_of(records: &[Value], kind: &str, case: u64) -> usize {
    let is_it = |record: &Value| record["record"] == kind && record["case"] == case;
    records.iter().position(is_it).expect("a record")
}

/// Moves a sample to another time.
fn shift(sample: &mut Value, start_ns: u64) {
    let length_ns = number(sample, "end_ns") - number(sample, "start_ns");
    (sample["start_ns"], sample["end_ns"]) = (json!(start_ns), json!(start_ns + length_ns));
}

fn number(record: &Value, name: &str) -> u64 {
    record[name].as_u64().expect("a number")
}

type Lie = fn(&mut Vec<Value>);

/// Each with what is said of it.
const LIES: [(&str, Lie); 8] = [
    ("line 1: case 1 has 2 threads, but 1 thread was requested", |records| {
        records[0]["plan"]["cases"][1]["thread_spec"] = json!("1");
        records[0]["plan"]["cases"][0]["thread_spec"] = json!("2");
        records[0]["plan"]["cases"][0]["threads"] = json!(2);
        records[0]["plan"]["cases"][0]["cpus"] = records[0]["plan"]["cases"][1]["cpus"].clone();
    }),
    ("line 1: case 0 uses CPU 4077, but the machine has", |records| {
        records[0]["plan"]["cases"][0]["cpus"] = json!([4077]);
    }),
    ("a thread ran on CPU 4077, not", |records| {
        let place = place_of(records, "sample", 0);
        records[place]["threads"][0]["cpu"] = json!(4077);
    }),
    ("the sample starts at 1 ns, but the previous record ended at", |records| {
        let place = place_of(records, "sample", 0);
        shift(&mut records[place], 1);
    }),
    // The two first samples, of two launches that use the first CPU, at once.
    ("but the previous record ended at", |records| {
        let (one, other) = (place_of(records, "sample", 0), place_of(records, "sample", 1));
        let start_ns = number(&records[one.min(other)], "start_ns");
        shift(&mut records[one.max(other)], start_ns);
    }),
    ("a thread worked 100000 ns; at least 50000000", |records| {
        let place = place_of(records, "sample", 0);
        let sample = &mut records[place];
        for name in ["elapsed_ns", "cpu_ns", "ops"] {
            sample["threads"][0][name] = json!(100_000);
        }
        sample["end_ns"] = json!(number(sample, "start_ns") + 100_000);
    }),
    ("the clock pulse uses instructions of 18446744073709551615 cycles", |records| {
        let place = place_of(records, "launch", 0);
        records[place]["ready"]["pulse"]["clock_cycles_per_op"] = json!(u64::MAX);
    }),
    ("samples of case 0 have the same figures as others to the nanosecond", |records| {
        let is_sample = |r: &&mut Value| r["record"] == "sample" && r["case"] == 0;
        let length_ns = |r: &&mut Value| number(r, "end_ns") - number(r, "start_ns");
        // The shortest, so that none of them lasts until after the next record.
        let shortest = records.iter_mut().filter(is_sample).min_by_key(length_ns);
        let shortest = shortest.expect("a sample").clone();
        for sample in records.iter_mut().filter(is_sample) {
            for name in ["threads", "process_cpu_ns", "process_elapsed_ns"] {
                sample[name] = shortest[name].clone();
            }
            let length_ns = number(&shortest, "end_ns") - number(&shortest, "start_ns");
            sample["end_ns"] = json!(number(sample, "start_ns") + length_ns);
        }
    }),
];

#[test]
fn a_file_that_cannot_be_true_is_refused_with_its_line_though_its_digest_is_right() {
    let place = Place::new().with_faults(&["none"], &[]);
    let records = honest(&place);
    seal(&place, "liar.jsonl", &records);
    let answer = place.sizeup(&["show", "liar.jsonl"]);
    assert_eq!(answer.status, 0, "nothing was modified: {}", answer.stderr);
    assert!(!answer.stderr.contains("was modified"), "{}", answer.stderr);
    for (told, lie) in LIES {
        let mut records = records.clone();
        lie(&mut records);
        seal(&place, "liar.jsonl", &records);
        for command in ["show", "score"] {
            place.sizeup(&[command, "liar.jsonl"]).refuses(2, told);
        }
        let answer = place.sizeup(&["compare", "out.jsonl", "liar.jsonl"]);
        answer.refuses(2, "liar.jsonl: line ");
    }
}
