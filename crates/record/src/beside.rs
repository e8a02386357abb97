//! Samples of rows beside co-runners.

use super::sample::{Measured, Sample};
use serde::{Deserialize, Serialize};

/// A row was measured while co-runners worked on CPUs that no row uses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Beside {
    /// The row; it also has a sample alone in this round.
    pub row: Sample,
    /// The co-runners.
    pub co_runners: Sample,
}

impl Beside {
    /// Whether the co-runners worked during all of the row's sample.
    pub fn is_covered(&self) -> bool {
        let Measured { start_ns, end_ns, .. } = self.row.measured;
        self.co_runners.start_ns <= start_ns && end_ns <= self.co_runners.end_ns
    }
}
