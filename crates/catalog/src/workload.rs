//! Workloads: an operation, the program that runs it, its parameters and inputs.

use super::Unit;
use super::family::Family;
use super::program::{COMMAND_WORKER, Program, in_path};
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;

/// One defined piece of work.
#[derive(Debug, Clone)]
pub struct Workload {
    /// `OPERATION/IMPLEMENTATION`.
    pub id: String,
    /// Defines one op.
    pub about: String,
    pub program: Program,
    /// As the worker takes them: the definition's, but with paths of this machine.
    pub parameters: Value,
    /// Input role → name of the input.
    pub inputs: BTreeMap<String, String>,
    pub needs: Needs,
    /// Must be equal in two runs that are compared.
    pub definition: Definition,
}

/// Requirements of a workload on a machine and on a run's time; no part of its definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Needs {
    /// Most memory that does not depend on the number of threads, in MiB; 0 if it is small.
    pub memory_mib: u64,
    /// Most memory of each thread beside it, in MiB; 0 if it is small.
    pub memory_mib_per_thread: u64,
    /// About how long a worker takes until it is ready, in ms, where that is long.
    pub setup_ms: u64,
    /// How many CPUs a case must have.
    pub min_cpus: u64,
}

impl Default for Needs {
    fn default() -> Self {
        Self { memory_mib: 0, memory_mib_per_thread: 0, setup_ms: 0, min_cpus: 1 }
    }
}

/// The properties of a workload that affect its result. Kept in run files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Definition {
    pub family: Family,
    /// The worker's name.
    #[schemars(length(min = 1))]
    pub worker: String,
    /// The worker's operation, `OPERATION/IMPLEMENTATION`.
    #[schemars(length(min = 1))]
    pub operation: String,
    /// As the worker takes them.
    #[schemars(with = "serde_json::Map<String, Value>")]
    pub parameters: Value,
    /// Input role → SHA-256 of the input.
    #[schemars(with = "BTreeMap<String, crate::schema::Sha256>")]
    pub inputs: BTreeMap<String, String>,
    /// Least length of a sample in ms, where the run's own is too short for the work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 600_000))]
    pub sample_ms: Option<u64>,
    /// Samples per launch, where the run's own number is too small for a long set-up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1_000))]
    pub rounds_per_launch: Option<u64>,
    /// Whether the library starts threads of its own in addition to the calling ones.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub starts_threads: bool,
    /// The unit of its figures: ops/s, unless another tool measured it.
    #[serde(default, skip_serializing_if = "Unit::is_ops")]
    pub unit: Unit,
}

impl Workload {
    /// Most memory of this many threads; 0 if the table doesn't state it because it is small.
    pub fn memory_bytes(&self, threads: usize) -> u64 {
        let Needs { memory_mib, memory_mib_per_thread, .. } = self.needs;
        let of_threads = memory_mib_per_thread.saturating_mul(threads as u64);
        memory_mib.saturating_add(of_threads).saturating_mul(1 << 20)
    }
}

impl Workload {
    /// Whether it is a plain command.
    pub fn is_command(&self) -> bool {
        self.program.name == COMMAND_WORKER
    }

    /// Why the program of a plain command can't run: it is missing, or not executable.
    pub fn missing_command(&self) -> Option<String> {
        let command = self.is_command().then_some(&self.parameters["run"][0])?;
        let name = command.as_str()?;
        let path = if name.contains('/') {
            self.program.folder.join(name)
        } else {
            let Some(path) = in_path(name) else {
                return Some(format!("the command {name} is not in PATH: install it"));
            };
            path
        };
        match path.metadata() {
            Ok(file) if file.is_file() && file.permissions().mode() & 0o111 != 0 => None,
            Ok(_) => Some(format!("the command {name} is not an executable program")),
            Err(e) => Some(format!("the command {name} can't be started: {e}")),
        }
    }
}

impl Definition {
    /// The harness waits no longer for an answer.
    pub const MOST_SAMPLE_MS: u64 = 600_000;
    /// A case needs launches for its interval; more samples of one would not be worth their time.
    pub const MOST_ROUNDS_PER_LAUNCH: u64 = 1_000;

    /// Checks what a table would have been refused for.
    ///
    /// # Errors
    /// The number that is out of range.
    pub fn check(&self) -> Result<(), String> {
        let all = [
            ("sample_ms", self.sample_ms, Self::MOST_SAMPLE_MS),
            ("rounds_per_launch", self.rounds_per_launch, Self::MOST_ROUNDS_PER_LAUNCH),
        ];
        for (name, value, most) in all {
            if let Some(value) = value.filter(|value| !(1..=most).contains(value)) {
                return Err(format!("{name} is {value}, not 1 … {most}"));
            }
        }
        Ok(())
    }

    /// SHA-256 over the definition and the ID, in hex. Objects are sorted by key, so that equal
    /// definitions have equal digests.
    pub fn digest(&self, id: &str) -> String {
        let text = json!({ "id": id, "definition": self }).to_string();
        HEXLOWER.encode(&Sha256::digest(text.as_bytes()))
    }
}
