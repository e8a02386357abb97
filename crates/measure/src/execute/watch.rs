//! What can be seen of a run while it goes on.

use record::{Case, Outcome};
use std::time::Duration;

/// Something has happened. Events come between windows, never during one.
#[derive(Debug)]
pub enum Event<'a> {
    /// Workers are being started for this many cases of that many.
    Opening {
        /// Cases that live side by side from now on.
        live: usize,
        /// All cases that are still to be measured.
        cases: usize,
    },
    /// A window was measured.
    Window {
        /// Its round.
        round: u64,
        /// Its place in the round, from 1.
        place: usize,
        /// How many windows the round has.
        of: usize,
    },
    /// A round is over.
    Round {
        /// Its number.
        round: u64,
        /// Cases whose interval is as narrow as asked.
        narrow: usize,
        /// Median half-width of all cases that have one.
        median_half: Option<f64>,
    },
    /// A case has come to another end than being measured.
    Ended {
        /// Which.
        case: &'a Case,
        /// How.
        outcome: &'a Outcome,
    },
    /// Workers are verified for the last time and ended.
    Closing,
}

/// Someone who watches a run.
pub trait Watch {
    /// Takes note of an event; `left` is the time until the budget ends.
    fn see(&mut self, event: &Event, left: Duration);
}
