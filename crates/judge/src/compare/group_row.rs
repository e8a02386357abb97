//! One row of a group.

use super::must_match::Difference;
use super::sheet::{RowKey, Sheet};
use estimate::View;

/// One row of a group.
#[derive(Debug, Clone)]
pub struct GroupRow {
    /// Unique among its rows.
    pub key: RowKey,
    /// Its place in each run that has it.
    pub places: Vec<Option<usize>>,
    /// Which runs measured it: rows of the same number share what these runs have in common.
    pub run_set: usize,
    /// Over all runs.
    pub view: Option<View>,
    /// Properties that must match but differ between the first run that has it and others.
    pub differences: Vec<Difference>,
}

impl GroupRow {
    pub(super) fn of(key: RowKey, runs: &[Sheet]) -> Self {
        let places: Vec<Option<usize>> = runs.iter().map(|run| run.find(&key)).collect();
        let mut figures =
            runs.iter().zip(&places).filter_map(|(run, place)| Some(&run.rows[(*place)?]));
        let first = figures.next();
        let mut differences: Vec<Difference> = Vec::new();
        for found in figures
            .flat_map(|figure| first.map(|first| first.identity.differences(&figure.identity)))
        {
            differences.extend(found);
        }
        differences.dedup();
        Self { key, places, run_set: 0, view: None, differences }
    }
}
