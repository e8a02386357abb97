//! What rows of two groups keep beside co-runners.

use super::group::Group;
use super::sheet::{RowKey, RowResult};
use estimate::BesideEstimate;
use record::ThreadSpec;
use serde::Serialize;
use stats::Interval;

/// A row of two groups beside the same number of co-runners that do the same.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BesideRow {
    /// With its variant, if there is one.
    pub workload: String,
    /// As requested.
    pub threads: ThreadSpec,
    /// What the co-runners do.
    pub co_runners: String,
    /// Their number.
    pub count: usize,
    /// Throughput beside them over throughput alone, of the baseline.
    pub baseline: Interval,
    /// The same of the other.
    pub other: Interval,
    /// What the other keeps over what the baseline keeps.
    pub ratio: Interval,
}

impl Group {
    /// What co-runners did beside a row, and their number, in order.
    pub fn co_runners(&self, row: usize) -> Vec<(&str, usize)> {
        let mut all: Vec<(&str, usize)> = Vec::new();
        for beside in self.figures(row).flat_map(|figure| &figure.beside) {
            let of = (beside.workload.as_str(), beside.count);
            if !all.contains(&of) {
                all.push(of);
            }
        }
        all
    }

    /// What a row keeps beside co-runners, over the runs that know it.
    pub fn left_beside(&self, row: usize, co_runners: (&str, usize)) -> Option<Interval> {
        let of = |figure: &RowResult| {
            let is_it = |of: &&BesideEstimate| (of.workload.as_str(), of.count) == co_runners;
            figure.beside.iter().find(is_it).map(|of| of.left.interval)
        };
        let places = &self.rows[row].places;
        self.pooled(|run| of(&self.runs[run].rows[places[run]?]))
    }
}

/// Of these rows beside all co-runners that both groups measured, in the order of the rows.
pub(super) fn beside_rows(
    baseline: &Group,
    other: &Group,
    rows: impl Iterator<Item = RowKey>,
) -> Vec<BesideRow> {
    let of_row = |key: RowKey| -> Vec<BesideRow> {
        let (Some(row), Some(others)) = (baseline.find(&key), other.find(&key)) else {
            return Vec::new();
        };
        let of = |co_runners: (&str, usize)| {
            let of_baseline = baseline.left_beside(row, co_runners)?;
            let of_other = other.left_beside(others, co_runners)?;
            Some(BesideRow {
                workload: key.name.clone(),
                threads: key.threads,
                co_runners: co_runners.0.to_owned(),
                count: co_runners.1,
                baseline: of_baseline,
                other: of_other,
                ratio: of_other.ratio_to(&of_baseline),
            })
        };
        baseline.co_runners(row).into_iter().filter_map(of).collect()
    };
    rows.flat_map(of_row).collect()
}
