//! A case's place in a run: its live worker, and what is known of it so far.

use super::launch::LiveLaunch;
use super::progress::CaseProgress;
use super::task::Task;
use std::time::{Duration, Instant};

/// A case is not narrow before it has this many windows …
pub(super) const LEAST_WINDOWS: usize = 8;
/// … from this many launches.
const LEAST_LAUNCHES: u64 = 5;

/// A worker that gives so many windows that can't be …
const MANY_STRAY: u64 = 3;
/// … and more than one in so many, does not only have bad luck.
const STRAY_ONE_IN: u64 = 10;

/// A reference has a window this often.
const REFERENCE_EVERY: Duration = Duration::from_secs(60);

/// A case and its worker.
#[derive(Debug)]
pub(super) struct Bench {
    pub task: Task,
    /// Asleep between its windows.
    pub launch: Option<LiveLaunch>,
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

    /// Whether this is the same work on as many threads, in another setting if there are any.
    pub fn is_variant_of(&self, other: &Self) -> bool {
        let (mine, others) = (&self.task.case, &other.task.case);
        let is_same = mine.workload == others.workload && mine.thread_spec == others.thread_spec;
        is_same && mine.reference == others.reference
    }

    /// Whether it has the windows that a figure takes, or will have none.
    pub fn has_figure(&self) -> bool {
        self.progress.ended || self.is_reference() || self.progress.looks.len() >= LEAST_WINDOWS
    }

    /// Whether it has given so many windows that can't be that none of them is believed any more.
    pub fn strays_repeatedly(&self) -> bool {
        let stray = self.progress.stray;
        stray >= MANY_STRAY && stray * STRAY_ONE_IN > stray + self.progress.looks.len() as u64
    }

    /// Whether a reference is due again.
    pub fn is_late(&self) -> bool {
        self.is_late_within(Duration::ZERO)
    }

    /// Whether a reference becomes due within some time.
    pub fn is_late_within(&self, time: Duration) -> bool {
        let is_late = self.last.is_none_or(|last| last.elapsed() + time >= REFERENCE_EVERY);
        self.is_reference() && is_late && !self.progress.ended
    }

    /// Whether the run waits for it: not if it has come to another end, nor while its interval, `half` wide,
    /// is as narrow as was asked. It is wanted again if that widens.
    pub fn is_wanted(&self, half: Option<f64>, precision: f64) -> bool {
        let is_narrow = self.progress.looks.len() >= LEAST_WINDOWS
            && self.progress.launches >= LEAST_LAUNCHES
            && half.is_some_and(|half| half <= precision);
        !self.progress.ended && !self.is_reference() && !is_narrow
    }
}
