//! Throughput that rows of two groups retain beside co-runners.

use super::group::Group;
use super::pair::Pair;
use super::pairs::Pairs;
use super::sheet::RowResult;
use estimate::BesideEstimate;
use record::ThreadSpec;
use serde::Serialize;
use stats::Interval;

/// A row of two groups beside the same number of co-runners that do the same.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct BesideRow {
    /// With its variant, if there is one.
    pub workload: String,
    /// As requested.
    pub threads: ThreadSpec,
    /// The co-runners' workload.
    pub co_runners: String,
    /// Their number.
    pub count: usize,
    /// Throughput beside them over throughput alone, of the baseline.
    pub baseline: Interval,
    /// Share of its throughput that the other retains.
    pub other: Interval,
    /// The other's share over the baseline's.
    pub ratio: Interval,
}

impl Group {
    /// Workload and number of the co-runners measured beside a row, in order.
    pub fn co_runners(&self, row: usize) -> Vec<(&str, usize)> {
        let mut all: Vec<(&str, usize)> = Vec::new();
        for beside in self.figures(row).flat_map(|figure| &figure.beside) {
            let co_runners = (beside.workload.as_str(), beside.count);
            if !all.contains(&co_runners) {
                all.push(co_runners);
            }
        }
        all
    }

    /// Share of a row's throughput that it retains beside co-runners, pooled over the runs that measured it.
    pub fn retained_beside(&self, row: usize, co_runners: (&str, usize)) -> Option<Interval> {
        let retained = |figure: &RowResult| {
            let is_it =
                |beside: &&BesideEstimate| (beside.workload.as_str(), beside.count) == co_runners;
            figure.beside.iter().find(is_it).map(|beside| beside.left.interval)
        };
        let indices = &self.rows[row].indices;
        self.pooled(|run| retained(&self.runs[run].rows[indices[run]?]))
    }
}

impl Pairs<'_> {
    /// Throughput that comparable rows retain beside all co-runners that both groups measured.
    pub(super) fn beside(&self) -> Vec<BesideRow> {
        let of_pair = |pair: &Pair| -> Vec<BesideRow> {
            let Some((row, row_of_other)) = pair.both() else { return Vec::new() };
            let beside = |co_runners: (&str, usize)| {
                let baseline = self.baseline.retained_beside(row, co_runners)?;
                let other = self.other.retained_beside(row_of_other, co_runners)?;
                Some(BesideRow {
                    workload: pair.key.name.clone(),
                    threads: pair.key.threads,
                    co_runners: co_runners.0.to_owned(),
                    count: co_runners.1,
                    baseline,
                    other,
                    ratio: other.ratio_to(&baseline),
                })
            };
            self.baseline.co_runners(row).into_iter().filter_map(beside).collect()
        };
        self.rows.iter().filter(|pair| pair.refusal.is_none()).flat_map(of_pair).collect()
    }
}
