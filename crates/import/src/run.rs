//! A run that another tool measured.

use super::lines::Line;
use catalog::{Category, Definition, Family, Unit};
use machine::{Machine, Placement};
use record::{
    Case, Ended, FORMAT, Header, Imported, Origin, Plan, Record, ThreadSpec, Timing, UserFacts,
    WriteError, Writer,
};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

/// No machine has more logical CPUs, and no case more threads.
const MOST_THREADS: usize = 2048;
/// A workload's name is shown in a column.
const LONGEST_NAME: usize = 200;

/// No core completes an op in less, in ns: a fifth of a cycle at 4 GHz.
pub(super) const LEAST_NS_PER_OP: f64 = 0.05;
/// No core reads or writes more bytes a second, even in its nearest cache.
const MOST_BYTES_PER_S: f64 = 1e12;
/// As much of a line as shows what it was.
const LONGEST_EXAMPLE: usize = 160;
/// More kinds of losses are counted together.
const MOST_LOSSES: usize = 20;
const OTHERS: &str = "lines left out for other reasons";

/// Lines, or other parts of a source, that were not imported, and one of them.
#[derive(Debug, Clone, PartialEq)]
pub struct LeftOut {
    /// Their kind, in the plural: `lines with …`.
    pub what: String,
    /// How many.
    pub count: usize,
    /// The first.
    pub example: String,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {} ({})", self.what, self.count, self.example)
    }
}

/// The times of a command's executions.
#[derive(Debug, Clone, PartialEq)]
pub struct Figures {
    /// `NAME/TOOL`.
    pub workload: String,
    /// One for each execution.
    pub seconds: Vec<f64>,
}

/// Figures of a tool on a machine.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedRun {
    /// The machine's name.
    pub label: String,
    /// The tool, with its version where known.
    pub tool: String,
    /// Names of the files that were read.
    pub sources: Vec<String>,
    /// Missing properties of its figures: first those that all of the source miss, …
    pub lacks: Vec<String>,
    /// … which are so many.
    of_source: usize,
    /// Parts of the source that were left out, a kind each.
    pub left_out: Vec<LeftOut>,
    /// Workloads for which the source has no valid result.
    pub failed: Vec<String>,
    /// As far as the source describes it.
    pub machine: Machine,
    /// When it was measured, in ns since 1970, if known.
    pub started_unix_ns: Option<u64>,
    /// In the source's order.
    pub rows: Vec<ImportedRow>,
    /// Workload → where its rows are, by their threads.
    places: BTreeMap<String, BTreeMap<ThreadSpec, usize>>,
    /// Workload and threads → how often they appeared.
    again: BTreeMap<(String, usize), usize>,
    /// Notes that are in `lacks` and `failed` already.
    noted: [BTreeSet<String>; 2],
}

/// One workload on one number of threads.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedRow {
    /// `OPERATION/IMPLEMENTATION`.
    pub workload: String,
    /// The kind of operation.
    pub family: Family,
    /// Reported properties that must match in comparisons.
    pub parameters: Value,
    /// On how many threads.
    pub threads: usize,
    /// Whether that is as many as the machine has.
    pub is_all: bool,
    /// The unit of its figures, a second.
    pub unit: Unit,
    /// Figures of the same thing, a second.
    pub per_s: Vec<f64>,
    /// Input bytes of one op, where bytes make sense.
    pub bytes_per_op: Option<u64>,
    /// The machine's number of CPUs, if known.
    pub cpus: Option<usize>,
}

impl ImportedRow {
    /// Itself, if a run file can hold it.
    pub(super) fn checked(self) -> Result<Self, String> {
        self.check().map(|()| self)
    }

    fn check(&self) -> Result<(), String> {
        let name = &self.workload;
        if name.chars().count() > LONGEST_NAME || name.matches('/').count() != 1 {
            let start: String = name.chars().take(LONGEST_NAME).collect();
            return Err(format!(
                "{start:?} is not a workload name: at most {LONGEST_NAME} characters, with one slash"
            ));
        }
        if !(1..=MOST_THREADS).contains(&self.threads) {
            return Err(format!("{name}: {} threads, not 1 … {MOST_THREADS}", self.threads));
        }
        if self.cpus == Some(0) {
            return Err(format!("{name}: the machine has 0 CPUs"));
        }
        let (possible, unit) = (Imported::POSSIBLE_PER_S, &self.unit);
        if let Some(bad) = self.per_s.iter().find(|rate| !possible.contains(rate)) {
            let (least, most) = (possible.start(), possible.end());
            return Err(format!(
                "{name}: throughput {bad:e} {unit} is not between {least:e} and {most:e}"
            ));
        }
        self.per_s.iter().try_for_each(|per_s| self.check_physics(*per_s))
    }

    /// Whether so many threads can do that.
    fn check_physics(&self, per_s: f64) -> Result<(), String> {
        let (name, each) = (&self.workload, per_s / self.threads as f64);
        if self.unit == Unit::Ops && each * LEAST_NS_PER_OP > 1e9 {
            return Err(format!(
                "{name}: {:.1e} ns an op on each of {} threads is less than {LEAST_NS_PER_OP}, which no core does: it was not \
                 measured",
                1e9 / each,
                self.threads
            ));
        }
        let bytes = self.unit.bytes_each(self.bytes_per_op).map(|bytes| bytes as f64 * each);
        match bytes.filter(|bytes| *bytes > MOST_BYTES_PER_S) {
            Some(bytes) => Err(format!(
                "{name}: {bytes:.1e} bytes/s on each of {} threads is more than {MOST_BYTES_PER_S:e}, which no core does",
                self.threads
            )),
            None => Ok(()),
        }
    }

    fn spec(&self) -> ThreadSpec {
        if self.is_all { ThreadSpec::All } else { ThreadSpec::Count(self.threads) }
    }

    /// Which CPUs they were is not known, but that threads took turns on them if they were more.
    fn cpus(&self) -> Vec<u32> {
        let cpus = self.cpus.unwrap_or(self.threads).max(1);
        (0..self.threads).map(|thread| (thread % cpus) as u32).collect()
    }
}

impl ImportedRun {
    /// A run of nothing yet.
    pub(super) fn new(label: &str, tool: impl Into<String>, lacks: &[&str]) -> Self {
        Self {
            label: label.to_owned(),
            tool: tool.into(),
            sources: Vec::new(),
            of_source: lacks.len(),
            lacks: lacks.iter().map(|what| (*what).to_owned()).collect(),
            left_out: Vec::new(),
            failed: Vec::new(),
            machine: Machine::default(),
            started_unix_ns: None,
            rows: Vec::new(),
            places: BTreeMap::new(),
            again: BTreeMap::new(),
            noted: Default::default(),
        }
    }

    /// A run of commands that were timed on this machine, each figure an execution.
    ///
    /// # Errors
    /// When a run file can't hold a figure.
    pub fn of_executions(
        (label, tool): (&str, &str),
        lacks: &[&str],
        machine: Machine,
        figures: Vec<Figures>,
    ) -> Result<Self, String> {
        let mut run = Self { machine, ..Self::new(label, tool, lacks) };
        for (place, Figures { workload, seconds }) in figures.into_iter().enumerate() {
            let row = ImportedRow {
                workload,
                family: Family::Script,
                parameters: Value::Object(serde_json::Map::new()),
                threads: 1,
                is_all: false,
                unit: Unit::Ops,
                per_s: seconds.into_iter().map(|seconds| 1.0 / seconds).collect(),
                bytes_per_op: None,
                cpus: None,
            };
            row.check()?;
            run.take_once(&Line { number: place + 1, text: String::new() }, row)?;
        }
        Ok(run)
    }

    /// The row that has its name and threads.
    pub(super) fn known(&self, row: &ImportedRow) -> Option<&ImportedRow> {
        self.place_of(row).map(|place| &self.rows[place])
    }

    fn place_of(&self, row: &ImportedRow) -> Option<usize> {
        self.places.get(&row.workload)?.get(&row.spec()).copied()
    }

    /// Adds a row, or its figures to those of the same. What only has the same name is refused.
    pub(super) fn add(&mut self, row: ImportedRow) -> Result<(), String> {
        row.check()?;
        let of_workload = self.places.get(&row.workload).and_then(|places| places.values().next());
        let of_workload = of_workload.map(|place| &self.rows[*place]);
        if let Some(known) = of_workload.filter(|known| known.unit != row.unit) {
            return Err(format!(
                "{} is in {} here and in {} before: use one unit for all figures of a workload",
                row.workload, row.unit, known.unit
            ));
        }
        let Some(place) = self.place_of(&row) else {
            let places = self.places.entry(row.workload.clone()).or_default();
            places.insert(row.spec(), self.rows.len());
            self.rows.push(row);
            return Ok(());
        };
        let known = &mut self.rows[place];
        let key = |row: &ImportedRow| (row.parameters.clone(), row.bytes_per_op, row.cpus);
        if key(known) != key(&row) {
            let in_words = |row: &ImportedRow| {
                let or_none = |number: Option<String>| number.unwrap_or_else(|| "no".to_owned());
                format!(
                    "{} with {} bytes an op on {} CPUs",
                    row.parameters,
                    or_none(row.bytes_per_op.map(|bytes| bytes.to_string())),
                    or_none(row.cpus.map(|cpus| cpus.to_string())),
                )
            };
            return Err(format!(
                "{} on {} threads is {} here and {} before: these figures are not comparable",
                row.workload,
                row.threads,
                in_words(&row),
                in_words(known)
            ));
        }
        known.per_s.extend(row.per_s);
        Ok(())
    }

    /// Adds a row of a line. One that can't be is left out, one that contradicts others is an error.
    pub(super) fn take(&mut self, line: &Line, row: ImportedRow) -> Result<(), String> {
        if let Err(why) = row.check() {
            self.leave_out("lines with impossible figures", line.number, &why);
            return Ok(());
        }
        self.add(row).map_err(|what| format!("line {}: {what}", line.number))
    }

    /// For a tool that prints each figure once: a repeated name has another setting, and becomes a row of its own.
    pub(super) fn take_once(&mut self, line: &Line, mut row: ImportedRow) -> Result<(), String> {
        let name = row.workload.clone();
        while self.known(&row).is_some() {
            let number = self.again.entry((name.clone(), row.threads)).or_insert(1);
            *number += 1;
            let (operation, tool) = name.split_once('/').unwrap_or((&name, ""));
            row.workload = format!("{operation}-{number}/{tool}");
            self.lack("the settings of rows that appear again (named -2, -3, …)".to_owned());
        }
        self.take(line, row)
    }

    /// Counts what was not imported; of each kind the first is an example. Without a line its number is 0.
    pub(super) fn leave_out(&mut self, what: &str, number: usize, text: &str) {
        let is_full = self.left_out.len() >= MOST_LOSSES;
        let is_known = |loss: &&mut LeftOut| loss.what == what || (is_full && loss.what == OTHERS);
        if let Some(known) = self.left_out.iter_mut().find(is_known) {
            known.count += 1;
            return;
        }
        let plain = |c: char| if c.is_control() { ' ' } else { c };
        let start: String = text.trim().chars().take(LONGEST_EXAMPLE).map(plain).collect();
        let example = if number > 0 { format!("line {number}: {start}") } else { start };
        let what = if is_full { OTHERS } else { what }.to_owned();
        self.left_out.push(LeftOut { what, count: 1, example });
    }

    /// Notes once what its figures are missing.
    pub(super) fn lack(&mut self, what: String) {
        if self.noted[0].insert(what.clone()) {
            self.lacks.push(what);
        }
    }

    /// Missing properties beyond those that all of the source miss.
    pub fn own_lacks(&self) -> &[String] {
        &self.lacks[self.of_source..]
    }

    /// Notes once that there is no valid result for a workload.
    pub(super) fn fail(&mut self, workload: String) {
        if self.noted[1].insert(workload.clone()) {
            self.failed.push(workload);
        }
    }

    /// Missing properties, and what was left out.
    pub fn lacks(&self) -> impl Iterator<Item = String> {
        let left_out = self.left_out.iter().map(ToString::to_string);
        self.lacks.iter().cloned().chain(left_out)
    }

    /// Whether a run file can hold it.
    pub(super) fn check(&self) -> Result<(), String> {
        if self.rows.is_empty() {
            let left_out: Vec<String> = self.left_out.iter().map(ToString::to_string).collect();
            return Err(match &left_out[..] {
                [] => "no figures found".to_owned(),
                some => format!("no figures found; left out: {}", some.join("; ")),
            });
        }
        self.rows.iter().try_for_each(ImportedRow::check)
    }

    /// Writes it as a run file, which must not be there yet. A source that does not say when it measured did it at `now_ns`
    /// after 1970.
    ///
    /// # Errors
    /// When it is, or the disk refuses it.
    pub fn write(&self, path: &Path, now_ns: u64) -> Result<(), WriteError> {
        let mut writer = Writer::create_whole(path, &self.header(now_ns))?;
        for (case, row) in self.rows.iter().enumerate() {
            for &per_s in &row.per_s {
                let bytes_per_op = row.bytes_per_op;
                writer.write(&Record::Imported(Imported { case, per_s, bytes_per_op }))?;
            }
        }
        writer.close(Ended::Precision, 0)
    }

    fn header(&self, now_ns: u64) -> Header {
        let definition = |row: &ImportedRow| Definition {
            family: row.family.clone(),
            worker: "imported".to_owned(),
            operation: row.workload.clone(),
            parameters: row.parameters.clone(),
            inputs: BTreeMap::new(),
            sample_ms: None,
            rounds_per_launch: None,
            starts_threads: false,
            unit: row.unit.clone(),
        };
        let case = |row: &ImportedRow| Case {
            workload: row.workload.clone(),
            thread_spec: row.spec(),
            threads: row.threads,
            placement: Placement::Cores,
            cpus: row.cpus(),
            variant: None,
            control: false,
            co_runner: false,
        };
        Header {
            format: format!("{}.{}", FORMAT.0, FORMAT.1),
            sizeup: env!("CARGO_PKG_VERSION").to_owned(),
            label: self.label.clone(),
            started_unix_ns: self.started_unix_ns.unwrap_or(now_ns),
            started_ns: 0,
            suite: "imported".to_owned(),
            suite_version: 1,
            categories: self.categories(),
            workloads: self
                .rows
                .iter()
                .map(|row| (row.workload.clone(), definition(row)))
                .collect(),
            workers: BTreeMap::new(),
            plan: Plan {
                seed: 0,
                precision_ppm: 1_000_000,
                budget_ns: 1,
                timing: Timing { warmup_ns: 0, sample_ns: 1, rounds_per_launch: 1 },
                cases: self.rows.iter().map(case).collect(),
                mix: None,
                rolling: None,
                isa: Vec::new(),
                sustain_ns: None,
            },
            machine: self.machine.clone(),
            variants: Vec::new(),
            injected: None,
            host: None,
            boot: None,
            origin: Some(Origin {
                tool: self.tool.clone(),
                sources: self.sources.clone(),
                lacks: self.lacks().collect(),
                failed: self.failed.clone(),
            }),
            findings: Vec::new(),
            facts: UserFacts::new(),
        }
    }

    /// A category a family.
    fn categories(&self) -> Vec<Category> {
        let mut families: Vec<(String, BTreeSet<String>)> = Vec::new();
        for row in &self.rows {
            let name = row.family.to_string();
            match families.iter_mut().find(|(known, _)| *known == name) {
                Some((_, workloads)) => drop(workloads.insert(row.workload.clone())),
                None => families.push((name, [row.workload.clone()].into())),
            }
        }
        let category = |(name, workloads): (String, BTreeSet<String>)| Category {
            name,
            threads: Vec::new(),
            is_flat: false,
            workloads: workloads.into_iter().collect(),
        };
        families.into_iter().map(category).collect()
    }
}
