//! A case's place in a run: its live worker, and what is known of it so far.

use super::launch::{Launch, Task};
use super::run::CaseProgress;
use crate::estimate::delivered;
use std::time::{Duration, Instant};

/// A case is not narrow before it has this many windows …
const LEAST_WINDOWS: usize = 8;
/// … from this many launches.
const LEAST_LAUNCHES: u64 = 3;

/// A reference has a window this often.
const REFERENCE_EVERY: Duration = Duration::from_secs(60);

/// A case and its worker.
#[derive(Debug)]
pub(super) struct Bench {
    pub task: Task,
    /// Asleep between its windows.
    pub launch: Option<Launch>,
    /// Windows until a fresh launch replaces this one.
    pub windows_left: u64,
    /// How long a round takes for this case.
    pub turn_ns: u64,
    /// When it had its last window.
    pub last: Option<Instant>,
    /// What is known of it.
    pub progress: CaseProgress,
}

impl Bench {
    pub fn new(task: Task, progress: CaseProgress) -> Self {
        Self { task, launch: None, windows_left: 0, turn_ns: 0, last: None, progress }
    }

    /// Whether it only tells what the machine was like meanwhile.
    pub fn is_reference(&self) -> bool {
        self.task.case.reference
    }

    /// Whether it takes part in a round that begins now, given the precision asked for.
    pub fn is_due(&self, precision: f64, flicker_floor: f64) -> bool {
        if self.is_reference() {
            let is_late = self.last.is_none_or(|last| last.elapsed() >= REFERENCE_EVERY);
            return is_late && !self.progress.ended;
        }
        self.is_wanted(precision, flicker_floor)
    }

    /// Whether the run waits for it: not if it has come to another end, nor while it is as narrow as was
    /// asked. It is wanted again if the floor rises.
    pub fn is_wanted(&self, precision: f64, flicker_floor: f64) -> bool {
        !self.progress.ended && !self.is_reference() && !self.is_narrow(precision, flicker_floor)
    }

    /// The half-width of the interval so far.
    pub fn half(&self, flicker_floor: f64) -> Option<f64> {
        delivered(&self.progress.throughputs, flicker_floor).map(|interval| interval.half())
    }

    fn is_narrow(&self, precision: f64, flicker_floor: f64) -> bool {
        self.progress.throughputs.len() >= LEAST_WINDOWS
            && self.progress.launches >= LEAST_LAUNCHES
            && self.half(flicker_floor).is_some_and(|half| half <= precision)
    }
}
