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

impl ScoredPair<'_> {
    /// Whether something says what kind of operation it is.
    pub fn has_known_kind(&self) -> bool {
        !self.family.is_empty() && self.family != Family::Unknown.to_string()
    }
}
