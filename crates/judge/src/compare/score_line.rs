//! One score: a geometric mean with its interval.

use super::group::Group;
use super::robustness::Robustness;
use super::scored_pair::ScoredPair;
use record::ThreadSpec;
use serde::Serialize;
use stats::Interval;

/// The score of a user's own mix is called so.
pub(super) const MIX: &str = "mix";

/// One score.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScoreLine {
    /// The category, `overall`, or `mix`.
    pub category: String,
    /// On how many threads.
    pub threads: ThreadSpec,
    /// Rows that are in it.
    pub rows: usize,
    /// Geometric mean of the ratios to the baseline. All rows weigh the same, but in a mix.
    pub score: Option<Interval>,
    /// How much of the verdict hangs on single rows and on their weights; `None` without rows, and of rates.
    pub robustness: Option<Robustness>,
}

/// The geometric mean over rows as they weigh, of the ratios to the baseline. Its interval is that of rows that
/// weigh the same.
pub(super) fn geometric_mean(
    rows: &[&ScoredPair],
    weights: &[f64],
    group: &Group,
    baseline: &Group,
) -> Option<Interval> {
    if rows.is_empty() {
        return None;
    }
    let sum: f64 = rows.iter().zip(weights).map(|(pair, weight)| pair.log * weight).sum();
    let centre = (sum / weights.iter().sum::<f64>()).exp();
    let ours = group.run_effect(&rows.iter().map(|pair| pair.row).collect::<Vec<_>>());
    let theirs: Vec<usize> = rows.iter().map(|pair| pair.baseline_row).collect();
    let run_effect = ours.and(&baseline.run_effect(&theirs));
    Some(Interval::around(centre, run_effect.margin, run_effect.freedom))
}
