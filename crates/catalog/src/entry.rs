//! An entry of a table of workloads, and the rows that it stands for.

use super::family::Family;
use super::plain_command::PlainCommand;
use super::sweep::{Sweep, SweepPoint, filled, points, text_filled};
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::{Spanned, Value};

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
    memory_mib_per_thread: Option<Value>,
    starts_threads: Option<Value>,
    command: Option<PlainCommand>,
}

/// A row of an entry.
pub(super) struct WorkloadRow {
    pub id: Spanned<String>,
    /// What the worker calls it, without the implementation.
    pub operation: Option<String>,
    pub family: Family,
    pub about: String,
    pub parameters: BTreeMap<String, Value>,
    /// What the operation calls it → the input's name.
    pub inputs: BTreeMap<String, Spanned<String>>,
    pub memory_mib_per_thread: Option<u64>,
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
            |of: &Spanned<String>| Ok::<_, String>(Spanned::new(of.span(), text(of.get_ref())?));
        let parameter = |(name, of): (&String, &Value)| Ok((name.clone(), value(of)?));
        let input = |(role, of): (&String, &Spanned<String>)| Ok((role.clone(), spanned(of)?));
        let memory = self.memory_mib_per_thread.as_ref().map(value).transpose()?;
        let starts_threads = self.starts_threads.as_ref().map(value).transpose()?;
        Ok(WorkloadRow {
            id: spanned(&self.id)?,
            operation: self.operation.as_deref().map(text).transpose()?,
            family: self.family.clone(),
            about: text(&self.about)?,
            parameters: self.parameters.iter().map(parameter).collect::<Result<_, String>>()?,
            inputs: self.inputs.iter().map(input).collect::<Result<_, String>>()?,
            memory_mib_per_thread: memory
                .map(|of| {
                    of.try_into().map_err(|_| "memory_mib_per_thread must be a number of MiB")
                })
                .transpose()?,
            starts_threads: match starts_threads {
                None => false,
                Some(of) => of.as_bool().ok_or("starts_threads must be true or false")?,
            },
            command: self.command.clone(),
        })
    }
}
