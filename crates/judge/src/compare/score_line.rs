//! One score: a geometric mean with its interval.

use super::group::Group;
use super::robustness::Robustness;
use super::scored_pair::ScoredPair;
use catalog::OVERALL;
use estimate::View;
use record::ThreadSpec;
use serde::Serialize;
use stats::{Interval, mean, median};
use std::collections::BTreeMap;

/// The score of a user's own mix is called so.
pub(super) const MIX: &str = "mix";

/// One score.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ScoreLine {
    /// The category, `overall`, or `mix`.
    pub category: String,
    /// On how many threads.
    pub threads: ThreadSpec,
    /// Rows that are in it.
    pub rows: usize,
    /// Geometric mean of the ratios to the baseline: over categories of that over operations of that over an operation's sizes and
    /// levels; in a flat suite over rows, in a mix as it weighs.
    pub score: Option<Interval>,
    /// On which rows each of the two is ahead; `None` without rows.
    pub sides: Option<Sides>,
    /// How much of the verdict hangs on single rows and on their weights; `None` without rows, and of rates.
    pub robustness: Option<Robustness>,
}

impl ScoreLine {
    /// Whether it is of a mix.
    pub fn is_of_mix(&self) -> bool {
        self.category == MIX
    }

    /// Whether it is of one category, and not of all of them or of a mix.
    pub(super) fn is_of_category(&self) -> bool {
        self.category != OVERALL && !self.is_of_mix()
    }
}

/// How rows divide between two groups.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Sides {
    /// Rows on which the group is ahead of the baseline, by whatever.
    pub ahead: usize,
    /// Rows on which it is behind.
    pub behind: usize,
    /// The median of the ratios.
    pub middle: f64,
    /// Where the side with fewer rows is furthest ahead.
    pub exception: Option<Exception>,
    /// The families of the rows, those of most rows first.
    pub families: Vec<String>,
}

/// An operation on which the side with fewer rows is ahead.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Exception {
    /// The workload, without its size or level where it has several.
    pub workload: String,
    /// Whether all rows of that side are of it.
    pub is_only: bool,
    /// The geometric mean of its ratios to the baseline on these rows.
    pub ratio: f64,
}

impl Sides {
    pub(super) fn of(rows: &[&ScoredPair]) -> Option<Self> {
        if rows.is_empty() {
            return None;
        }
        let logs: Vec<f64> = rows.iter().map(|pair| pair.log).collect();
        let ahead = logs.iter().filter(|log| **log > 0.0).count();
        let behind = logs.iter().filter(|log| **log < 0.0).count();
        let sign = if ahead < behind { 1.0 } else { -1.0 };
        let mut few: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for pair in rows.iter().filter(|pair| pair.log * sign > 0.0) {
            few.entry(&pair.series).or_default().push(pair.log);
        }
        let is_only = few.len() == 1;
        let means = few.into_iter().map(|(workload, logs)| (workload, mean(&logs)));
        let furthest = means.max_by(|(_, a), (_, b)| (a * sign).total_cmp(&(b * sign)));
        let exception = furthest.map(|(workload, log)| Exception {
            workload: workload.to_owned(),
            is_only,
            ratio: log.exp(),
        });
        let mut families: BTreeMap<&str, usize> = BTreeMap::new();
        rows.iter().for_each(|pair| *families.entry(&pair.family).or_default() += 1);
        let mut families: Vec<(&str, usize)> = families.into_iter().collect();
        families.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let families = families.into_iter().map(|(name, _)| name.to_owned()).collect();
        Some(Self { ahead, behind, middle: median(&logs).exp(), exception, families })
    }
}

/// The geometric mean over rows as they weigh, of the ratios to the baseline.
pub(super) fn weighted_mean(
    rows: &[&ScoredPair],
    weights: &[f64],
    group: &Group,
    baseline: &Group,
) -> Option<Interval> {
    if rows.is_empty() {
        return None;
    }
    let all: f64 = weights.iter().sum();
    let sum: f64 = rows.iter().zip(weights).map(|(pair, weight)| pair.log * weight).sum();
    let ours = group.run_effect(&rows.iter().map(|pair| pair.row).collect::<Vec<_>>());
    let theirs: Vec<usize> = rows.iter().map(|pair| pair.baseline_row).collect();
    let run_effect = ours.and(&baseline.run_effect(&theirs));
    // That holds rows' own errors as they are in a mean of rows that weigh the same; others weigh more.
    let more = [
        excess(group, rows, weights, |pair| pair.row),
        excess(baseline, rows, weights, |pair| pair.baseline_row),
    ];
    let margin = more.into_iter().fold(run_effect.margin, f64::hypot);
    Some(Interval::around((sum / all).exp(), margin, run_effect.freedom))
}

/// By how much more rows' own errors are in a mean in which they weigh than in one in which they weigh the same.
fn excess(
    group: &Group,
    rows: &[&ScoredPair],
    weights: &[f64],
    row: fn(&ScoredPair) -> usize,
) -> f64 {
    let all: f64 = weights.iter().sum();
    let even = 1.0 / rows.len() as f64;
    let of_row = |(pair, weight): (&&ScoredPair, &f64)| {
        let margin = group.rows[row(pair)].view.map_or(0.0, |view| view.own.margin());
        margin.powi(2) * ((weight / all).powi(2) - even * even)
    };
    let squares: f64 = rows.iter().zip(weights).map(of_row).sum();
    // Without error bars nothing is known anyway.
    if squares.is_finite() { squares.max(0.0).sqrt() } else { 0.0 }
}

/// A score whose interval is at least as wide as rows make it by how much they weigh; weights sum up to 1.
pub(super) fn as_wide_as_weighed(
    score: Interval,
    rows: &[&ScoredPair],
    weights: &[f64],
    group: &Group,
    baseline: &Group,
) -> Interval {
    let ours = margin_of(group, rows, weights, |pair| pair.row);
    let theirs = margin_of(baseline, rows, weights, |pair| pair.baseline_row);
    score.at_least(ours.hypot(theirs), score.freedom)
}

/// How far a group's part of the score may be off: rows err by themselves, as much as they weigh, and all together as the
/// machine's run effect does.
fn margin_of(
    group: &Group,
    rows: &[&ScoredPair],
    weights: &[f64],
    row: fn(&ScoredPair) -> usize,
) -> f64 {
    let views: Vec<(View, f64)> = rows
        .iter()
        .zip(weights)
        .filter_map(|(pair, weight)| Some((group.rows[row(pair)].view?, *weight)))
        .collect();
    let own: f64 = views.iter().map(|(view, weight)| (weight * view.own.margin()).powi(2)).sum();
    let shared = views.iter().map(|(view, _)| view.run_effect.margin).fold(0.0, f64::max);
    own.sqrt().hypot(shared)
}
