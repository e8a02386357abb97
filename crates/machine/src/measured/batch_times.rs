//! Times of batches: their median, and how far they spread.

use serde::{Deserialize, Serialize};

/// Times of an operation, each the mean over a batch of many.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct BatchTimes {
    /// Median over the batches, in ns.
    pub ns: f64,
    /// Lower and upper quartile, in ns.
    pub quartiles_ns: [f64; 2],
    pub batches: usize,
}

impl BatchTimes {
    /// Half of the distance between the quartiles over the median.
    pub fn spread(&self) -> f64 {
        (self.quartiles_ns[1] - self.quartiles_ns[0]) / 2.0 / self.ns
    }

    /// Whether it can be a time: quartiles around a median that a clock can show.
    pub(super) fn is_possible(&self) -> bool {
        let [lower, upper] = self.quartiles_ns;
        [lower, self.ns, upper].into_iter().all(is_time) && lower <= self.ns && self.ns <= upper
    }
}

/// Whether a load or the way of a cache line can take so many ns: from a hundredth of a cycle to ten seconds.
pub(super) fn is_time(ns: f64) -> bool {
    (1e-3..=1e10).contains(&ns)
}
