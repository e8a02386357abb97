//! An entry of a table of workloads, and the rows that it stands for.

use super::family::Family;
use super::plain_command::PlainCommand;
use super::sweep::{Sweep, SweepPoint, filled, points, text_filled};
use super::workload::{Definition, Needs};
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::{Spanned, Value};

/// More memory than any machine has.
const MOST_MIB: u64 = 1 << 30;
/// A worker gets this long for an answer at most.
const MOST_SETUP_MS: u64 = 600_000;
/// As many as a case has threads.
const MOST_CPUS: u64 = 2048;

/// An entry as it is written: a row, or with a sweep several.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WorkloadEntry {
    id: Spanned<String>,
    family: Family,
    about: String,
    #[serde(default)]
    sweep: Sweep,
    #[serde(default)]
    parameters: BTreeMap<String, Value>,
    operation: Option<String>,
    #[serde(default)]
    inputs: BTreeMap<String, Spanned<String>>,
    memory_mib: Option<Value>,
    memory_mib_per_thread: Option<Value>,
    sample_ms: Option<Value>,
    rounds_per_launch: Option<Value>,
    setup_ms: Option<Value>,
    min_cpus: Option<Value>,
    starts_threads: Option<Value>,
    command: Option<PlainCommand>,
}

/// A row of an entry.
pub(super) struct WorkloadRow {
    pub id: Spanned<String>,
    /// The worker's name for it, without the implementation.
    pub operation: Option<String>,
    pub family: Family,
    pub about: String,
    pub parameters: BTreeMap<String, Value>,
    /// The operation's name for the input → the input's name.
    pub inputs: BTreeMap<String, Spanned<String>>,
    pub sample_ms: Option<u64>,
    pub rounds_per_launch: Option<u64>,
    pub needs: Needs,
    pub starts_threads: bool,
    pub command: Option<PlainCommand>,
}

impl WorkloadEntry {
    /// Its rows, in the order of the sweep.
    pub fn rows(&self) -> Result<Vec<WorkloadRow>, String> {
        if let Some((name, _)) = self.sweep.iter().find(|(_, values)| values.is_empty()) {
            return Err(format!("sweep: {name} has no values"));
        }
        points(&self.sweep).iter().map(|point| self.row(point)).collect()
    }

    fn row(&self, point: &SweepPoint) -> Result<WorkloadRow, String> {
        // Braces mean nothing in what is not swept.
        let text = |text: &str| match self.sweep.is_empty() {
            true => Ok(text.to_owned()),
            false => text_filled(text, point),
        };
        let value = |value: &Value| match self.sweep.is_empty() {
            true => Ok(value.clone()),
            false => filled(value, point),
        };
        let spanned =
            |raw: &Spanned<String>| Ok::<_, String>(Spanned::new(raw.span(), text(raw.get_ref())?));
        let parameter = |(name, raw): (&String, &Value)| Ok((name.clone(), value(raw)?));
        let input = |(role, raw): (&String, &Spanned<String>)| Ok((role.clone(), spanned(raw)?));
        let number = |key: &str, raw: &Option<Value>, most: u64| {
            let Some(raw) = raw else { return Ok(None) };
            match value(raw)?.as_integer().and_then(|number| u64::try_from(number).ok()) {
                Some(number) if (1..=most).contains(&number) => Ok(Some(number)),
                _ => Err(format!("{key} must be a number from 1 to {most}")),
            }
        };
        let starts_threads = self.starts_threads.as_ref().map(value).transpose()?;
        Ok(WorkloadRow {
            id: spanned(&self.id)?,
            operation: self.operation.as_deref().map(text).transpose()?,
            family: self.family.clone(),
            about: text(&self.about)?,
            parameters: self.parameters.iter().map(parameter).collect::<Result<_, String>>()?,
            inputs: self.inputs.iter().map(input).collect::<Result<_, String>>()?,
            sample_ms: number("sample_ms", &self.sample_ms, Definition::MOST_SAMPLE_MS)?,
            rounds_per_launch: number(
                "rounds_per_launch",
                &self.rounds_per_launch,
                Definition::MOST_ROUNDS_PER_LAUNCH,
            )?,
            needs: Needs {
                memory_mib: number("memory_mib", &self.memory_mib, MOST_MIB)?.unwrap_or(0),
                memory_mib_per_thread: number(
                    "memory_mib_per_thread",
                    &self.memory_mib_per_thread,
                    MOST_MIB,
                )?
                .unwrap_or(0),
                setup_ms: number("setup_ms", &self.setup_ms, MOST_SETUP_MS)?.unwrap_or(0),
                min_cpus: number("min_cpus", &self.min_cpus, MOST_CPUS)?.unwrap_or(1),
            },
            starts_threads: match starts_threads {
                None => false,
                Some(flag) => flag.as_bool().ok_or("starts_threads must be true or false")?,
            },
            command: self.command.clone(),
        })
    }
}
