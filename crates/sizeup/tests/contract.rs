//! Every worker keeps to `docs/protocol.md`: the golden transcripts of `workers/contract`, played to
//! every worker that is built. The README there says how to run this and how to add a transcript.

#[path = "contract/fakes.rs"]
mod fakes;
#[path = "contract/installation.rs"]
mod installation;
#[path = "contract/laws.rs"]
mod laws;
#[path = "contract/pattern.rs"]
mod pattern;
#[path = "contract/play.rs"]
mod play;
#[allow(dead_code)] // what only the verification needs
#[path = "contract/process.rs"]
mod process;
#[path = "contract/transcript.rs"]
mod transcript;
#[path = "contract/variables.rs"]
mod variables;

use installation::{Installation, contract};
use play::{Subject, play};
use std::time::Duration;
use transcript::read_all;
use variables::Variables;

/// The workers that this file has a test for.
const WORKERS: [&str; 5] = ["cloudflare-zlib", "command", "go", "native", "xxhash"];
/// An answer takes seconds at most, on a machine that is busy with other tests.
const PATIENCE: Duration = Duration::from_secs(20);

/// Plays all transcripts to a worker and tells all failures at once.
fn assert_keeps_the_contract(worker: &str) {
    match failures(worker) {
        Ok(failures) if failures.is_empty() => {}
        Ok(failures) => {
            panic!("{} of the contract:\n\n{}\n", failures.len(), failures.join("\n\n"))
        }
        Err(error) => panic!("{error}"),
    }
}

fn failures(worker: &str) -> Result<Vec<String>, String> {
    let installation = Installation::find()?;
    let subject = Subject {
        name: worker.to_owned(),
        program: installation.worker(worker)?,
        patience: PATIENCE,
    };
    let mut failures = Vec::new();
    for transcript in read_all(&contract())? {
        match Variables::of(&installation, worker, transcript.needs)? {
            Some(variables) => {
                let steps = transcript.steps(&variables)?;
                failures.extend(play(&subject, &transcript.name, &steps));
            }
            None => println!("{worker} has no workload for {}", transcript.name),
        }
    }
    Ok(failures)
}

#[test]
fn the_native_worker_keeps_the_contract() {
    assert_keeps_the_contract("native");
}

#[test]
fn the_cloudflare_zlib_worker_keeps_the_contract() {
    assert_keeps_the_contract("cloudflare-zlib");
}

#[test]
fn the_go_worker_keeps_the_contract() {
    assert_keeps_the_contract("go");
}

#[test]
fn the_command_worker_keeps_the_contract() {
    assert_keeps_the_contract("command");
}

#[test]
fn the_xxhash_worker_keeps_the_contract() {
    assert_keeps_the_contract("xxhash");
}

#[test]
fn every_worker_that_is_built_is_tested() {
    let workers = Installation::find().and_then(|installation| installation.workers());
    let workers = workers.unwrap_or_else(|error| panic!("{error}"));
    let untested: Vec<&String> =
        workers.iter().filter(|name| !WORKERS.contains(&name.as_str())).collect();
    assert!(untested.is_empty(), "no test here is for {untested:?}: add one, and to WORKERS");
}
