//! Plain commands: one op is one execution.

use super::family::Family;
use super::program::{COMMAND_WORKER, Program, program_digest, resolve};
use super::workload::{Definition, Needs, Workload};
use super::{Home, Unit};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// The worker's operation that executes a plain command.
const OPERATION: &str = "execution/command";

/// A plain command as a workload, in a table.
#[derive(Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlainCommand {
    pub run: Vec<String>,
    pub bytes: Option<u64>,
    pub stdout: Option<String>,
}

impl PlainCommand {
    /// The workload of a table in a folder. `None` for a command without words.
    pub fn workload(
        &self,
        home: &Home,
        folder: &Path,
        (id, family, about): (String, Family, String),
    ) -> Option<Workload> {
        let run = resolve(folder, &self.run)?;
        let mut defined = json!(self);
        // Commands report no version, so a digest identifies them.
        defined["sha256"] = json!(program_digest(&run, folder));
        let program = Program {
            name: COMMAND_WORKER.to_owned(),
            run: vec![home.worker(COMMAND_WORKER).to_string_lossy().into_owned()],
            folder: folder.to_owned(),
            environment: BTreeMap::new(),
        };
        Some(Workload {
            id,
            about,
            definition: Definition {
                family,
                worker: program.name.clone(),
                operation: OPERATION.to_owned(),
                parameters: defined,
                inputs: BTreeMap::new(),
                sample_ms: None,
                rounds_per_launch: None,
                starts_threads: false,
                unit: Unit::Ops,
            },
            program,
            parameters: json!({ "run": run, "bytes": self.bytes, "stdout": self.stdout }),
            inputs: BTreeMap::new(),
            needs: Needs::default(),
        })
    }
}

impl Workload {
    /// The execution of a command in a folder, without a table. `None` for a command without words.
    pub fn of_command(home: &Home, folder: &Path, id: &str, run: &[String]) -> Option<Self> {
        let command = PlainCommand { run: run.to_vec(), bytes: None, stdout: None };
        let about = format!("one execution of {}", run.join(" "));
        command.workload(home, folder, (id.to_owned(), Family::Script, about))
    }

    /// Replaces the command, which is resolved from the folder that its worker runs in.
    pub fn run_instead(&mut self, run: &[String]) {
        let run = resolve(&self.program.folder, run).unwrap_or_default();
        self.parameters["run"] = Value::from(run);
    }
}
