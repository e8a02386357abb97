//! Progress events of a run.

use record::{Case, Outcome};
use std::time::Duration;

/// Events are sent between samples, never during one.
#[derive(Debug)]
pub enum Event<'a> {
    /// Workers are starting.
    Opening {
        /// Cases of the new cohort so far.
        live: usize,
        /// All cases still to be measured.
        cases: usize,
    },
    /// A sample was measured.
    Sample {
        round: u64,
        /// Its place in the round, from 1.
        place: usize,
        /// How many samples the round has.
        count: usize,
    },
    /// A round is over.
    Round {
        round: u64,
        /// Cases that have converged.
        converged: usize,
        /// Median margin of the cases that have one.
        median_margin: Option<f64>,
    },
    /// A case ended without being measured.
    Ended { case: &'a Case, outcome: &'a Outcome },
    /// Workers run their final verification and end.
    Closing,
}

/// Receives the events of a run.
pub trait Watch {
    /// `left` is the time until the budget ends.
    fn see(&mut self, event: &Event, left: Duration);
}
