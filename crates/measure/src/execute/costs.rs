//! How long it takes to launch a worker here, and to end one.

use stats::{mean, median};
use std::time::Duration;

/// Assumed time to end a worker before the first one has ended.
const FIRST_ENDING_NS: f64 = 2e7;

/// How long each worker took so far.
#[derive(Debug, Default)]
pub(super) struct Costs {
    launching_ns: Vec<f64>,
    ending_ns: Vec<f64>,
}

impl Costs {
    pub fn launched_in(&mut self, ns: u64) {
        self.launching_ns.push(ns as f64);
    }

    pub fn ended_in(&mut self, ns: u64) {
        self.ending_ns.push(ns as f64);
    }

    /// Expected time to launch this many workers; zero before the first launch.
    pub fn of_launching(&self, workers: usize) -> Duration {
        let each_ns = if self.launching_ns.is_empty() { 0.0 } else { median(&self.launching_ns) };
        Duration::from_nanos((each_ns * workers as f64) as u64)
    }

    /// Expected time to end this many workers.
    pub fn of_ending(&self, workers: usize) -> Duration {
        let each_ns =
            if self.ending_ns.is_empty() { FIRST_ENDING_NS } else { mean(&self.ending_ns) };
        Duration::from_nanos((each_ns * workers as f64) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launches_cost_their_median_and_endings_their_mean() {
        let mut costs = Costs::default();
        assert_eq!(costs.of_launching(3), Duration::ZERO);
        assert_eq!(costs.of_ending(3), Duration::from_millis(60));
        for ns in [1, 2, 9] {
            costs.launched_in(ns);
            costs.ended_in(ns);
        }
        assert_eq!(costs.of_launching(3), Duration::from_nanos(6));
        assert_eq!(costs.of_ending(3), Duration::from_nanos(12));
    }
}
