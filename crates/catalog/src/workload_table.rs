//! Tables of workloads, read row by row.

use super::entry::{WorkloadEntry, WorkloadRow};
use super::family::Family;
use super::program::{Program, own_name, resolve};
use super::source::TableText;
use super::workload::{Definition, Workload};
use super::{CatalogError, Home, Input, Unit, near};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WorkloadTable {
    worker: Option<Spanned<Worker>>,
    #[serde(default)]
    workload: Vec<Spanned<WorkloadEntry>>,
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

/// Reads a table of workloads, each with its place in the text.
pub(super) fn read(
    source: &TableText,
    home: &Home,
    inputs: &BTreeMap<String, Input>,
) -> Result<Vec<(Workload, Range<usize>)>, CatalogError> {
    let table: WorkloadTable = source.parse()?;
    let worker = table.worker.map(|worker| program(source, home, &worker)).transpose()?;
    let reader = TableReader { source, home, inputs, worker };
    let mut workloads = Vec::new();
    for entry in table.workload {
        let at = entry.span();
        let rows = entry.get_ref().rows().map_err(|what| source.error(at.clone(), what))?;
        for row in rows {
            workloads.push((reader.workload(at.clone(), row)?, at.clone()));
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
        Worker::Named(name) if is_word(name) => Ok(ours(source, home, name)),
        Worker::Named(name) => {
            Err(source.error(worker.span(), format!("{name:?} is not a valid worker name")))
        }
        Worker::Own(OwnWorker { run }) => {
            let run = resolve(source.folder(), run)
                .ok_or_else(|| source.error(worker.span(), "run is empty".to_owned()))?;
            let folder = source.folder().to_owned();
            // Where a worker finds the kits, on whatever machine it is started.
            let home = ("SIZEUP_HOME".to_owned(), home.folder().to_string_lossy().into_owned());
            // Python would write compiled kits into the release folder.
            let python = ("PYTHONDONTWRITEBYTECODE".to_owned(), "1".to_owned());
            let environment = BTreeMap::from([home, python]);
            Ok(Program { name: own_name(&run, &folder), run, folder, environment })
        }
    }
}

/// A worker of the release folder.
fn ours(source: &TableText, home: &Home, name: &str) -> Program {
    Program {
        name: name.to_owned(),
        run: vec![home.worker(name).to_string_lossy().into_owned()],
        folder: source.folder().to_owned(),
        environment: BTreeMap::new(),
    }
}

/// Makes workloads of the rows of a table.
struct TableReader<'a> {
    source: &'a TableText,
    home: &'a Home,
    inputs: &'a BTreeMap<String, Input>,
    /// Who does the work of rows that are no commands.
    worker: Option<Program>,
}

impl TableReader<'_> {
    fn workload(&self, at: Range<usize>, row: WorkloadRow) -> Result<Workload, CatalogError> {
        let wrong = |what: String| self.source.error(at.clone(), what);
        self.check(&at, &row)?;
        let id = row.id.get_ref().clone();
        if let Some(command) = &row.command {
            let named = (id, row.family, row.about);
            let workload = command.workload(self.home, self.source.folder(), named);
            let mut workload = workload.ok_or_else(|| wrong("command: run is empty".to_owned()))?;
            workload.needs = row.needs;
            workload.definition.sample_ms = row.sample_ms;
            workload.definition.rounds_per_launch = row.rounds_per_launch;
            workload.definition.starts_threads = row.starts_threads;
            return Ok(workload);
        }
        let Some(program) = self.worker.clone() else {
            let what = "the table needs a worker, or this workload a command";
            return Err(wrong(what.to_owned()));
        };
        let mut definition = Definition {
            family: row.family,
            worker: program.name.clone(),
            operation: operation_of(&id, row.operation.as_deref()),
            parameters: serde_json::to_value(&row.parameters)
                .map_err(|e| wrong(format!("parameters: {e}")))?,
            inputs: BTreeMap::new(),
            sample_ms: row.sample_ms,
            rounds_per_launch: row.rounds_per_launch,
            starts_threads: row.starts_threads,
            unit: Unit::Ops,
        };
        for (role, name) in &row.inputs {
            definition.inputs.insert(role.clone(), self.input(name)?.sha256.clone());
        }
        Ok(Workload {
            id,
            about: row.about,
            program,
            parameters: definition.parameters.clone(),
            inputs: row.inputs.into_iter().map(|(role, name)| (role, name.into_inner())).collect(),
            needs: row.needs,
            definition,
        })
    }

    /// Refuses a row that could do harm or means nothing.
    fn check(&self, at: &Range<usize>, row: &WorkloadRow) -> Result<(), CatalogError> {
        let id = row.id.get_ref();
        if !is_id(id) {
            let what = format!(
                "{id:?} is not an ID: OPERATION/IMPLEMENTATION, of letters, digits and . + - _ %"
            );
            return Err(self.source.error(row.id.span(), what));
        }
        let wrong = |what: &str| Err(self.source.error(at.clone(), what.to_owned()));
        if row.operation.as_ref().is_some_and(|operation| !is_word(operation)) {
            return wrong("the operation may only have letters, digits and . + - _ %");
        }
        if row.family == Family::Unknown {
            return wrong("the family \"other\" has no meaning; name the kind of work in one word");
        }
        let takes_more = !row.parameters.is_empty() || !row.inputs.is_empty();
        if row.command.is_some() && (takes_more || row.operation.is_some()) {
            return wrong("a command takes no operation, no parameters and no inputs");
        }
        if !row.parameters.values().all(is_plain) {
            return wrong("parameters must not be dates or infinite numbers");
        }
        Ok(())
    }

    fn input(&self, name: &Spanned<String>) -> Result<&Input, CatalogError> {
        self.inputs.get(name.get_ref()).ok_or_else(|| {
            let near = near(name.get_ref(), self.inputs.keys());
            let what = format!("unknown input {:?}{near}", name.get_ref());
            self.source.error(name.span(), what)
        })
    }
}

/// The worker's operation: the implementation is that of the ID, and so is the operation unless the table names another.
fn operation_of(id: &str, operation: Option<&str>) -> String {
    match (operation, id.split_once('/')) {
        (Some(operation), Some((_, implementation))) => format!("{operation}/{implementation}"),
        _ => id.to_owned(),
    }
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

fn is_id(id: &str) -> bool {
    id.split_once('/')
        .is_some_and(|(operation, implementation)| is_word(operation) && is_word(implementation))
}

/// Whether it can stand in a table, a file name and a terminal without doing harm there.
fn is_word(word: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || ".+-_%".contains(c);
    (1..=80).contains(&word.len()) && word.chars().all(plain) && !word.starts_with('.')
}
