//! Workloads: what is done, by which program, with which parameters, on which inputs.

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
    /// What one op is.
    pub about: String,
    /// Who performs it.
    pub program: Program,
    /// As the worker takes them: the definition's, but with paths of this machine.
    pub parameters: Value,
    /// What the operation calls it → the name of the input.
    pub inputs: BTreeMap<String, String>,
    /// What a thread of it keeps in memory, at most, where that is much.
    pub memory_mib_per_thread: Option<u64>,
    /// What must not differ between two runs that are compared.
    pub definition: Definition,
}

/// What a workload is, as far as it bears on the result. Kept in run files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Definition {
    /// What kind of operation.
    pub family: Family,
    /// The worker's name.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub worker: String,
    /// What the worker is asked for, `OPERATION/IMPLEMENTATION`.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub operation: String,
    /// As the worker takes them.
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Map<String, Value>"))]
    pub parameters: Value,
    /// What the operation calls the input → SHA-256.
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, crate::schema::Sha256>"))]
    pub inputs: BTreeMap<String, String>,
    /// Whether the library starts threads of its own beside those that ask it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub starts_threads: bool,
    /// What its figures count: ops, unless something else measured it.
    #[serde(default, skip_serializing_if = "Unit::is_ops")]
    pub unit: Unit,
}

impl Workload {
    /// What so many threads of it keep in memory, at most; 0 where the table doesn't say, for it isn't much.
    pub fn memory_bytes(&self, threads: usize) -> u64 {
        let per_thread = self.memory_mib_per_thread.unwrap_or(0).saturating_mul(1 << 20);
        per_thread.saturating_mul(threads as u64)
    }
}

impl Workload {
    /// Whether it is a plain command, which the worker for these starts.
    pub fn is_command(&self) -> bool {
        self.program.name == COMMAND_WORKER
    }

    /// What is wrong with the program of a plain command: it is not there, or can't be executed.
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
            Ok(_) => Some(format!("the command {name} is no program that can be executed")),
            Err(e) => Some(format!("the command {name} can't be started: {e}")),
        }
    }
}

impl Definition {
    /// SHA-256 over the definition and the ID, in hex. Objects are sorted by key, so that equal
    /// definitions have equal digests.
    pub fn digest(&self, id: &str) -> String {
        let text = json!({ "id": id, "definition": self }).to_string();
        HEXLOWER.encode(&Sha256::digest(text.as_bytes()))
    }
}
