//! A case in a run: its live worker, and what is known of it so far. How it gets its windows is in `turn`, how its worker
//! begins and ends in `worker`.

#[cfg(test)]
pub(super) mod samples;
mod turn;
mod worker;

use super::launch::LiveLaunch;
use super::progress::CaseProgress;
use super::task::Task;
use estimate::Look;
use record::{Case, Timing, WorkerBuild};
use stats::mean;
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

/// Runs one case.
#[derive(Debug)]
pub(super) struct Runner {
    task: Task,
    /// Asleep between its windows.
    launch: Option<LiveLaunch>,
    /// Windows until a fresh launch replaces this one.
    windows_left: u64,
    /// How long a turn takes for this case; zero before its first.
    turn_took: Duration,
    /// When it had its last window.
    last: Option<Instant>,
    /// The half-width of its interval, when it was last looked at.
    half: Option<f64>,
    progress: CaseProgress,
}

impl Runner {
    pub fn new(task: Task, progress: CaseProgress) -> Self {
        let turn_took = Duration::ZERO;
        Self { task, launch: None, windows_left: 0, turn_took, last: None, half: None, progress }
    }

    pub fn task(&self) -> &Task {
        &self.task
    }

    pub fn case(&self) -> &Case {
        &self.task.case
    }

    /// The case's number in the plan.
    pub fn number(&self) -> usize {
        self.task.number
    }

    /// What its worker said that it is made of, in a run that goes on.
    pub fn told_build(&self) -> Option<&WorkerBuild> {
        self.progress.build.as_ref()
    }

    pub fn launch(&self) -> Option<&LiveLaunch> {
        self.launch.as_ref()
    }

    pub fn launch_mut(&mut self) -> Option<&mut LiveLaunch> {
        self.launch.as_mut()
    }

    /// Its windows, in order.
    pub fn looks(&self) -> &[Look] {
        &self.progress.looks
    }

    pub fn looks_mut(&mut self) -> &mut Vec<Look> {
        &mut self.progress.looks
    }

    pub fn half(&self) -> Option<f64> {
        self.half
    }

    pub fn set_half(&mut self, half: Option<f64>) {
        self.half = half;
    }

    pub fn windows_left(&self) -> u64 {
        self.windows_left
    }

    pub fn set_windows_left(&mut self, windows: u64) {
        self.windows_left = windows;
    }

    /// Whether it has come to another end than being measured.
    pub fn has_ended(&self) -> bool {
        self.progress.ended
    }

    /// Whether it only tells what the machine was like meanwhile.
    pub fn is_reference(&self) -> bool {
        self.case().reference
    }

    /// Whether this is the same work on as many threads, in another setting if there are any.
    pub fn is_variant_of(&self, other: &Self) -> bool {
        let (mine, others) = (self.case(), other.case());
        let is_same = mine.workload == others.workload && mine.thread_spec == others.thread_spec;
        is_same && mine.reference == others.reference
    }

    /// The windows that a figure takes and that it lacks.
    pub fn missing_windows(&self) -> usize {
        LEAST_WINDOWS.saturating_sub(self.looks().len())
    }

    /// Whether it has the windows that a figure takes, or will have none.
    pub fn has_figure(&self) -> bool {
        self.has_ended() || self.is_reference() || self.missing_windows() == 0
    }

    /// Whether it has given so many windows that can't be that none of them is believed any more.
    fn strays_repeatedly(&self) -> bool {
        let stray = self.progress.stray;
        stray >= MANY_STRAY && stray * STRAY_ONE_IN > stray + self.looks().len() as u64
    }

    /// Whether a reference is due again.
    pub fn is_late(&self) -> bool {
        self.is_late_within(Duration::ZERO)
    }

    /// Whether a reference becomes due within some time.
    pub fn is_late_within(&self, time: Duration) -> bool {
        let is_late = self.last.is_none_or(|last| last.elapsed() + time >= REFERENCE_EVERY);
        self.is_reference() && is_late && !self.has_ended()
    }

    /// Whether the run waits for it: not if it has come to another end, nor while its interval is as narrow as was asked. It
    /// is wanted again if that widens.
    pub fn is_wanted(&self, precision: f64) -> bool {
        let is_narrow = self.missing_windows() == 0
            && self.progress.launches >= LEAST_LAUNCHES
            && self.half.is_some_and(|half| half <= precision);
        !self.has_ended() && !self.is_reference() && !is_narrow
    }

    /// How long its last turn took; `None` before its first.
    pub fn pace(&self) -> Option<Duration> {
        (!self.turn_took.is_zero()).then_some(self.turn_took)
    }

    /// How long a turn will take: at least what a window is asked to take. What the last one took may have been bad luck, but
    /// is the best guess.
    pub fn turn_time(&self, timing: &Timing) -> Duration {
        self.turn_took.max(Duration::from_nanos(timing.settle_ns + timing.window_ns))
    }

    /// What the machine does of it alone; not a number before its first window.
    pub fn ops_per_s_alone(&self) -> f64 {
        let alone: Vec<f64> = self.looks().iter().map(|look| look.throughput).collect();
        mean(&alone)
    }
}

#[cfg(test)]
mod tests {
    use super::samples::runner;
    use super::*;

    #[test]
    fn a_case_is_wanted_until_it_is_narrow_by_enough_windows_of_enough_launches() {
        let with = |windows, launches, half| {
            let mut runner = runner(0, "zip/zip").with_windows(windows).with_half(half);
            runner.progress.launches = launches;
            runner.is_wanted(0.01)
        };
        assert!(!with(8, 5, 0.01));
        assert!(with(7, 5, 0.01) && with(8, 4, 0.01) && with(8, 5, 0.011));
        let mut ended = runner(0, "zip/zip");
        ended.progress.ended = true;
        assert!(!ended.is_wanted(0.01) && !runner(0, "zip/zip").for_reference().is_wanted(0.01));
    }

    #[test]
    fn a_worker_that_gives_impossible_windows_is_believed_until_it_is_no_bad_luck() {
        let with = |stray, windows| {
            let mut runner = runner(0, "zip/zip").with_windows(windows);
            runner.progress.stray = stray;
            runner.strays_repeatedly()
        };
        assert!(with(3, 26) && !with(3, 27) && !with(2, 0));
    }

    #[test]
    fn a_turn_is_expected_to_take_what_the_last_took_and_never_less_than_its_window() {
        let timing = Timing { settle_ns: 10, window_ns: 90, rounds_per_launch: 1 };
        let mut runner = runner(0, "zip/zip");
        assert_eq!((runner.turn_time(&timing), runner.pace()), (Duration::from_nanos(100), None));
        runner.turn_took = Duration::from_nanos(101);
        assert_eq!(runner.turn_time(&timing), Duration::from_nanos(101));
    }
}
