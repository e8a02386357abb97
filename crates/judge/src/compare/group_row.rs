//! One row of a group.

use super::must_match::Difference;
use super::sheet::{RowKey, Sheet};
use estimate::View;

/// One row of a group.
#[derive(Debug, Clone)]
pub struct GroupRow {
    /// Unique among its rows.
    pub key: RowKey,
    /// Its index among the rows of each run that has it.
    pub indices: Vec<Option<usize>>,
    /// Which runs measured it: rows of the same number share what these runs have in common.
    pub run_set: usize,
    /// Over all runs.
    pub view: Option<View>,
    /// Properties that must match but differ between the first run that has it and others.
    pub differences: Vec<Difference>,
}

impl GroupRow {
    pub(super) fn of(key: RowKey, runs: &[Sheet]) -> Self {
        let indices: Vec<Option<usize>> = runs.iter().map(|run| run.find(&key)).collect();
        let mut figures =
            runs.iter().zip(&indices).filter_map(|(run, index)| Some(&run.rows[(*index)?]));
        let first = figures.next();
        let mut differences: Vec<Difference> = Vec::new();
        for found in figures
            .flat_map(|figure| first.map(|first| first.identity.differences(&figure.identity)))
        {
            differences.extend(found);
        }
        differences.dedup();
        Self { key, indices, run_set: 0, view: None, differences }
    }
}
