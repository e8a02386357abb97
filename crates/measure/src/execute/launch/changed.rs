//! Fuzz target: a worker's answers, changed. What the harness takes for an answer can be written, and what is written can
//! be read.

use super::*;
use crate::execute::manifest::{ListAnswer, check_versions};
use record::{Ended, Launch, Record, Run, Sample, Verified, Writer, read};
use serde_json::{Value, json};
use std::fs;
use testkit::{Choices, RUNS, edit};

/// The harness asks a little before a sample and reads the answer a little behind it.
const APART_NS: u64 = 1_000_000;

/// An answer like those that a worker gave in a run.
fn answer_of(kind: &str, content: impl serde::Serialize) -> Value {
    let mut answer = serde_json::to_value(content).unwrap();
    answer["answer"] = kind.into();
    answer
}

fn parsed(answer: &Value) -> Option<Answer> {
    serde_json::from_str(&answer.to_string()).ok()
}

/// The run with one launch of this answer, and what became of it.
fn written(run: &Run, launch: &Launch, more: Vec<Record>) {
    let folder = testkit::folder();
    let path = folder.path().join("run.jsonl");
    let mut writer = Writer::create(&path, &run.header).unwrap();
    writer.write(&Record::Launch(Box::new(launch.clone()))).unwrap();
    for record in &more {
        writer.write(record).unwrap();
    }
    writer.close(Ended::Precision, run.last_ns).unwrap();
    read(&path).unwrap_or_else(|e| panic!("what the harness accepted: {e}"));
}

/// The measured sample, if the harness would take it for the answer to its request.
fn accepted(answer: &Value, ready: &Ready, run: &Run, sample: &Sample) -> Option<Measured> {
    let Answer::Sample(measured) = parsed(answer)? else { return None };
    let case = &run.header.plan.cases[sample.case];
    let cpus: Vec<u32> = case.cpus.iter().copied().cycle().take(case.threads).collect();
    let sample_ns = run.header.plan.timing.sample_ns;
    Request { cpus: &cpus, ready, sample_ns }.check(&measured).ok()?;
    let (sent_ns, received_ns) =
        (sample.measured.start_ns - APART_NS, sample.measured.end_ns + APART_NS);
    check_times(&measured, sent_ns, received_ns).ok()?;
    Some(measured)
}

#[test]
fn what_is_taken_for_an_answer_can_be_written_and_read() {
    let folder = testkit::folder();
    let runs = RUNS.map(|text| {
        let path = folder.path().join("run.jsonl");
        fs::write(&path, text).unwrap();
        read(&path).unwrap()
    });
    testkit::check("answers", 1_000, |input| {
        let choices = &mut Choices::new(input);
        let run = &runs[choices.below(runs.len())];
        let sample = &run.samples[choices.below(run.samples.len())];
        let launch = run.launches.iter().find(|launch| launch.launch == sample.launch).unwrap();
        let mut launch = Launch { launch: 0, ..launch.clone() };
        let build = launch.ready.build.clone();
        let case = sample.case;
        let mut answer = match choices.byte() % 4 {
            0 => answer_of("ready", &launch.ready),
            1 => {
                json!({ "answer": "error", "kind": "unavailable", "message": "no", "hint": "wait" })
            }
            2 => answer_of(
                "list",
                json!({ "protocol": 1, "build": build, "operations": [
                { "operation": "lz4/lz4", "parameters": { "level": { "from": 1, "to": 9 } }, "inputs": ["data"] },
            ] }),
            ),
            _ => answer_of("sample", &sample.measured),
        };
        for _ in 0..=choices.below(3) {
            edit(&mut answer, choices);
        }
        if let Ok(ListAnswer::List { build, .. }) = serde_json::from_value(answer.clone()) {
            let _ = check_versions(&build);
        }
        match parsed(&answer) {
            Some(Answer::Ready(ready)) => {
                if check_ready(&ready, &build, &run.header.plan.cases[case].cpus).is_ok() {
                    launch.ready = *ready;
                    written(run, &launch, Vec::new());
                }
            }
            Some(Answer::Error(error)) => {
                written(run, &launch, vec![Record::Outcome(Failure::from(error).outcome(case))]);
            }
            Some(Answer::Sample(_)) => {
                if let Some(measured) = accepted(&answer, &launch.ready, run, sample) {
                    let at_ns = measured.end_ns;
                    let sample = Sample { launch: 0, measured, ..sample.clone() };
                    let checked = launch.ready.verified.clone();
                    let verified = Verified { launch: 0, at_ns, verified: checked };
                    written(run, &launch, vec![Record::Sample(sample), Record::Verified(verified)]);
                }
            }
            Some(Answer::Done { .. }) | None => {}
        }
    });
}
