//! A case's place in a run: its live worker, and what is known of it so far.

use super::launch::{Launch, Task};
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
    /// Ops per second of each window so far.
    pub throughputs: Vec<f64>,
    /// Launches that gave a window so far.
    pub launches: u64,
    /// How long a round takes for this case.
    pub turn_ns: u64,
    /// When it had its last window.
    pub last: Option<Instant>,
    /// Whether it is measured well enough, or has come to another end.
    pub ended: bool,
}

impl Bench {
    pub fn new(task: Task, throughputs: Vec<f64>, launches: u64, ended: bool) -> Self {
        let turn_ns = 0;
        Self {
            task,
            launch: None,
            windows_left: 0,
            throughputs,
            launches,
            turn_ns,
            last: None,
            ended,
        }
    }

    /// Whether it only tells what the machine was like meanwhile.
    pub fn is_reference(&self) -> bool {
        self.task.case.reference
    }

    /// Whether it takes part in a round that begins now.
    pub fn is_due(&self) -> bool {
        let is_late = || self.last.is_none_or(|last| last.elapsed() >= REFERENCE_EVERY);
        !self.ended && (!self.is_reference() || is_late())
    }

    /// Whether the run waits for it.
    pub fn is_wanted(&self) -> bool {
        !self.ended && !self.is_reference()
    }

    /// The half-width of the interval so far.
    pub fn half(&self, flicker_floor: f64) -> Option<f64> {
        delivered(&self.throughputs, flicker_floor).map(|interval| interval.half())
    }

    /// Whether the interval is as narrow as was asked.
    pub fn is_narrow(&self, flicker_floor: f64, precision: f64) -> bool {
        !self.is_reference()
            && self.throughputs.len() >= LEAST_WINDOWS
            && self.launches >= LEAST_LAUNCHES
            && self.half(flicker_floor).is_some_and(|half| half <= precision)
    }
}
