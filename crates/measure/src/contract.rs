//! The contract of workers, played to any worker: golden transcripts of exchanges, and what must be true of all answers of
//! a launch together. `workers/contract/README.md` describes transcripts.

mod checks;
#[cfg(test)]
mod fakes;
mod laws;
mod pattern;
mod play;
mod process;
mod transcript;
mod variables;

pub use checks::{CheckProof, check_workload};
pub use play::{TestedWorker, play};
pub use process::PlayedWorker;
pub use transcript::{Action, Transcript, TranscriptStep, read_all};
pub use variables::{Variables, WorkloadNeeds, cpus, inputs_of};

use catalog::{Catalog, Program, Workload};
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

/// The outcome of playing all transcripts to a worker.
#[derive(Debug, Default)]
pub struct Played {
    /// How many transcripts were played.
    pub transcripts: usize,
    /// Those that the worker has no workload for, by name.
    pub left_out: Vec<String>,
    /// Expected and actual answers, one text per failure.
    pub failures: Vec<String>,
}

/// Plays all transcripts of a folder to a worker of the catalog, with these of its workloads, which must be able to run here.
/// No wait for an answer is longer than `patience`.
///
/// # Errors
/// When the transcripts can't be read, or the worker gives no manifest.
pub fn play_all(
    folder: &Path,
    catalog: &Catalog,
    program: &Program,
    workloads: &[&Workload],
    patience: Duration,
) -> Result<Played, String> {
    let worker = name_of(program, patience)?;
    let subject = TestedWorker { program: program.clone(), patience };
    let mut played = Played::default();
    for transcript in read_all(folder)? {
        match Variables::of(catalog, workloads, &worker, transcript.needs)? {
            Some(variables) => {
                let steps = transcript.steps(&variables)?;
                played.transcripts += 1;
                played.failures.extend(play(&subject, &transcript.name, &steps));
            }
            None => played.left_out.push(transcript.name),
        }
    }
    Ok(played)
}

/// The name that a worker gives itself in its manifest.
fn name_of(program: &Program, patience: Duration) -> Result<String, String> {
    let mut process = PlayedWorker::start(program, &["--list"], patience)?;
    let line = process.receive().map_err(|got| format!("--list: {got}\n{}", process.stderr()))?;
    let manifest: Value =
        serde_json::from_str(&line).map_err(|e| format!("--list: {e}: {line}"))?;
    let name = manifest["worker"].as_str().filter(|_| manifest["answer"] == "list");
    name.map(str::to_owned).ok_or_else(|| format!("--list: that is no manifest: {line}"))
}
