//! Reads worker manifests. A worker without a manifest is not measured.

use super::Interrupt;
use super::channel::Channel;
use super::failure::{ErrorAnswer, Failure};
use super::operation::ListedOperation;
use catalog::{Program, Workload, program_digest};
use record::{Manifest, WorkerBuild};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// The protocol version of this harness.
pub(super) const PROTOCOL: u64 = 1;

/// A worker's answer to `--list`.
#[derive(Debug, Clone)]
pub struct Listed {
    pub manifest: Manifest,
    pub operations: Vec<ListedOperation>,
    /// Written by the worker or its loader.
    pub stderr: String,
}

impl Listed {
    /// Why the worker can't do a workload; `None` if it can.
    pub fn why_not(&self, workload: &Workload) -> Option<String> {
        let name = &workload.definition.operation;
        match self.operations.iter().find(|operation| operation.name == *name) {
            None => Some(format!("the worker {} has no operation {name}", workload.program.name)),
            Some(operation) => operation.why_not(workload),
        }
    }
}

/// Worker → its answer, or why there is none.
pub type Manifests = BTreeMap<String, Result<Listed, Failure>>;

/// The worker's answer to `--list`.
#[derive(Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub(super) enum ListAnswer {
    List { protocol: u64, build: WorkerBuild, operations: Vec<ListedOperation> },
    Error(ErrorAnswer),
}

/// Requests a worker's manifest.
///
/// # Errors
/// When it can't be started, doesn't answer, fails its self-test or doesn't know its libraries.
pub fn manifest(
    program: &Program,
    patience: Duration,
    interrupt: &Interrupt,
) -> Result<Listed, Failure> {
    let mut channel = Channel::start(program, &["--list"], &[], interrupt)?;
    let line = channel.receive("its manifest", patience)?;
    let answer = serde_json::from_str(&line)
        .map_err(|e| Failure::not_the_protocol(format!("its manifest: {e}")));
    match answer.map_err(|e| channel.failed(e))? {
        ListAnswer::Error(error) => Err(channel.failed(error.into())),
        ListAnswer::List { protocol, .. } if protocol != PROTOCOL => Err(wrong_protocol(protocol)),
        ListAnswer::List { build, operations, .. } => {
            check_versions(&build)?;
            let manifest = Manifest { sha256: digest(program)?, build };
            Ok(Listed { manifest, operations, stderr: channel.stderr() })
        }
    }
}

pub(super) fn wrong_protocol(protocol: u64) -> Failure {
    Failure::new(
        "protocol",
        format!("the worker uses protocol {protocol}, this sizeup uses {PROTOCOL}"),
        "use sizeup and workers from the same release",
    )
}

/// A worker with an unknown library version is not measured.
pub(super) fn check_versions(build: &WorkerBuild) -> Result<(), Failure> {
    let unknown = build.libraries.iter().find(|(_, version)| version.trim().is_empty());
    match unknown {
        Some((library, _)) => Err(Failure::not_the_protocol(format!(
            "the worker does not report the version of {library}"
        ))),
        None if build.libraries.is_empty() => {
            Err(Failure::not_the_protocol("the worker reports no library versions"))
        }
        None => Ok(()),
    }
}

/// SHA-256 of the worker's program, in hex.
fn digest(program: &Program) -> Result<String, Failure> {
    program_digest(&program.run, &program.folder)
        .ok_or_else(|| Failure::new("start", format!("{} can't be read", program.run[0]), ""))
}
