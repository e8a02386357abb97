//! A row that is scored.

use catalog::Family;
use record::ThreadSpec;

/// A row that both groups have.
pub(super) struct ScoredPair<'a> {
    pub workload: &'a str,
    pub name: String,
    /// The name without sizes and levels: rows of one series are one operation of one implementation.
    pub series: String,
    /// The kind of operation; empty if unknown.
    pub family: String,
    pub threads: ThreadSpec,
    pub row: usize,
    pub baseline_row: usize,
    /// Logarithm of the ratio to the baseline.
    pub log: f64,
}

/// Drops rows of no known kind where there are others: beside those they would be a category of their own.
pub(super) fn keep_known_kinds(pairs: &mut Vec<&ScoredPair>) {
    let is_known =
        |pair: &&ScoredPair| !pair.family.is_empty() && pair.family != Family::Unknown.to_string();
    if pairs.iter().any(is_known) {
        pairs.retain(is_known);
    }
}
