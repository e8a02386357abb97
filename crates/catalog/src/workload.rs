//! Workloads: what is done, by which program, with which parameters, on which inputs.

use super::entry::{WorkloadEntry, WorkloadRow};
use super::family::Family;
use super::program::{Program, in_path, own_name, program_digest, resolve};
use super::source::TableText;
use super::{CatalogError, Home, Input, Unit, near};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::ops::Range;
use std::os::unix::fs::PermissionsExt;
use toml::Spanned;

/// One defined piece of work.
#[derive(Debug, Clone)]
pub struct Workload {
    /// `OPERATION/IMPLEMENTATION`.
    pub id: String,
    /// What one op is.
    pub about: String,
    /// Who performs it.
    pub program: Program,
    /// What the worker calls it; the ID, except for plain commands.
    pub asked_as: String,
    /// As the worker takes them: the definition's, but with paths of this machine.
    pub parameters: Value,
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
    /// As the worker takes them.
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Map<String, Value>"))]
    pub parameters: Value,
    /// Input name → SHA-256.
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
    /// What is wrong with the program of a plain command: it is not there, or can't be executed.
    pub fn missing_command(&self) -> Option<String> {
        let command = (self.asked_as != self.id).then_some(&self.parameters["run"][0])?;
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
        Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WorkloadTable {
    worker: Option<Spanned<Worker>>,
    #[serde(default)]
    workload: Vec<Spanned<WorkloadEntry>>,
}

/// Whether JSON has it, too.
fn is_plain(value: &toml::Value) -> bool {
    match value {
        toml::Value::Float(number) => number.is_finite(),
        toml::Value::Datetime(_) => false,
        toml::Value::Array(values) => values.iter().all(is_plain),
        toml::Value::Table(table) => table.values().all(is_plain),
        _ => true,
    }
}

/// A worker of sizeup's by name, or a user's own as program and arguments.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a worker is a name or a table { run = [\"program\", …] }")]
enum Worker {
    Named(String),
    Own(OwnWorker),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OwnWorker {
    run: Vec<String>,
}

/// The worker that executes plain commands, and what it calls that.
const COMMAND_WORKER: &str = "command";
const COMMAND_WORKLOAD: &str = "execution/command";

/// Reads a table of workloads, each with its place in the text.
pub(super) fn read(
    source: &TableText,
    home: &Home,
    inputs: &BTreeMap<String, Input>,
) -> Result<Vec<(Workload, Range<usize>)>, CatalogError> {
    let table: WorkloadTable = source.parse()?;
    let worker = match &table.worker {
        Some(worker) => Some(program(source, home, worker)?),
        None => None,
    };
    let mut workloads = Vec::new();
    for entry in table.workload {
        let at = entry.span();
        let rows = entry.get_ref().rows().map_err(|what| source.error(at.clone(), what))?;
        for row in rows {
            let workload = workload(source, home, inputs, worker.as_ref(), at.clone(), row)?;
            workloads.push((workload, at.clone()));
        }
    }
    Ok(workloads)
}

fn program(
    source: &TableText,
    home: &Home,
    worker: &Spanned<Worker>,
) -> Result<Program, CatalogError> {
    match worker.get_ref() {
        Worker::Named(name) if is_word(name) => Ok(Program {
            name: name.clone(),
            run: vec![home.worker(name).to_string_lossy().into_owned()],
            folder: source.folder().to_owned(),
            environment: BTreeMap::new(),
        }),
        Worker::Named(name) => {
            Err(source.error(worker.span(), format!("{name:?} can't be the name of a worker")))
        }
        Worker::Own(OwnWorker { run }) => {
            let run = resolve(source.folder(), run)
                .ok_or_else(|| source.error(worker.span(), "run is empty".to_owned()))?;
            let folder = source.folder().to_owned();
            Ok(Program { name: own_name(&run, &folder), run, folder, environment: BTreeMap::new() })
        }
    }
}

fn workload(
    source: &TableText,
    home: &Home,
    inputs: &BTreeMap<String, Input>,
    worker: Option<&Program>,
    at: Range<usize>,
    entry: WorkloadRow,
) -> Result<Workload, CatalogError> {
    let id = entry.id.get_ref().clone();
    if !is_id(&id) {
        let what = format!(
            "{id:?} is not an ID: OPERATION/IMPLEMENTATION, of letters, digits and . + - _ %"
        );
        return Err(source.error(entry.id.span(), what));
    }
    if entry.family == Family::Unknown {
        return Err(source.error(at, "the family is none of those that sizeup has".to_owned()));
    }
    if entry.command.is_some() && (!entry.parameters.is_empty() || !entry.inputs.is_empty()) {
        return Err(source.error(at, "a command takes no parameters and no inputs".to_owned()));
    }
    if !entry.parameters.values().all(is_plain) {
        let what = "parameters: dates and numbers that are not finite are not taken".to_owned();
        return Err(source.error(at, what));
    }
    let mut definition = Definition {
        family: entry.family,
        worker: String::new(),
        parameters: serde_json::to_value(&entry.parameters)
            .map_err(|e| source.error(at.clone(), format!("parameters: {e}")))?,
        inputs: BTreeMap::new(),
        starts_threads: entry.starts_threads,
        unit: Unit::Ops,
    };
    for name in entry.inputs {
        let input = inputs.get(name.get_ref()).ok_or_else(|| {
            let near = near(name.get_ref(), inputs.keys());
            source.error(name.span(), format!("no input is named {:?}{near}", name.get_ref()))
        })?;
        definition.inputs.insert(name.into_inner(), input.sha256.clone());
    }
    let mut parameters = definition.parameters.clone();
    let (program, asked_as) = match (entry.command, worker) {
        (Some(command), _) => {
            let run = resolve(source.folder(), &command.run)
                .ok_or_else(|| source.error(at, "command: run is empty".to_owned()))?;
            definition.parameters = json!(command);
            // What is executed has no version that it could tell: its digest stands in.
            definition.parameters["sha256"] = json!(program_digest(&run, source.folder()));
            parameters = json!({ "run": run, "bytes": command.bytes, "stdout": command.stdout });
            let program = Program {
                name: COMMAND_WORKER.to_owned(),
                run: vec![home.worker(COMMAND_WORKER).to_string_lossy().into_owned()],
                folder: source.folder().to_owned(),
                environment: BTreeMap::new(),
            };
            (program, COMMAND_WORKLOAD.to_owned())
        }
        (None, Some(worker)) => (worker.clone(), id.clone()),
        (None, None) => {
            let what = "neither the table names a worker nor this workload a command".to_owned();
            return Err(source.error(at, what));
        }
    };
    definition.worker.clone_from(&program.name);
    let (about, memory_mib_per_thread) = (entry.about, entry.memory_mib_per_thread);
    Ok(Workload { id, about, program, asked_as, parameters, memory_mib_per_thread, definition })
}

fn is_id(id: &str) -> bool {
    id.split_once('/')
        .is_some_and(|(operation, implementation)| is_word(operation) && is_word(implementation))
}

/// Whether it can stand in a table, a file name and a terminal without doing harm there.
fn is_word(word: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || ".+-_%".contains(c);
    (1..=80).contains(&word.len()) && word.chars().all(plain) && !word.starts_with('.')
}
