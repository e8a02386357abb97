//! A case in a run: its live worker and its progress. `turn` takes its samples, `worker` starts and ends its worker.

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
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// A case has not converged before it has this many samples …
pub(super) const LEAST_SAMPLES: usize = 8;
/// … from this many launches.
const LEAST_LAUNCHES: u64 = 5;

/// A worker with this many impossible samples …
const MANY_STRAY: u64 = 3;
/// … and more than one in this many is broken, not unlucky.
const STRAY_ONE_IN: u64 = 10;

/// A control has a sample this often.
const CONTROL_EVERY: Duration = Duration::from_secs(60);

/// Runs one case.
#[derive(Debug)]
pub(super) struct Runner {
    task: Task,
    /// Asleep between its samples.
    launch: Option<LiveLaunch>,
    /// Samples until a fresh launch replaces this one.
    samples_left: u64,
    /// How long a launch takes until it is ready: as its table says, and then as the last one took.
    setup_took: Duration,
    /// How long a turn takes for this case; zero before its first.
    turn_took: Duration,
    /// The longest time from a request to its sample.
    longest: Duration,
    /// When it had its last sample.
    last: Option<Instant>,
    /// The margin of its interval, as of the last estimate.
    margin: Option<f64>,
    progress: CaseProgress,
}

impl Runner {
    pub fn new(task: Task, progress: CaseProgress) -> Self {
        Self {
            setup_took: Duration::from_millis(task.workload.needs.setup_ms),
            task,
            launch: None,
            samples_left: 0,
            turn_took: Duration::ZERO,
            longest: Duration::ZERO,
            last: None,
            margin: None,
            progress,
        }
    }

    /// How its samples are taken in a run with this timing.
    pub fn timing(&self, of_run: &Timing) -> Timing {
        self.task.timing(*of_run)
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

    /// The build that its worker last reported, in a resumed run.
    pub fn reported_build(&self) -> Option<&WorkerBuild> {
        self.progress.build.as_ref()
    }

    /// Whether it was loaded without pauses, before the run was resumed.
    pub fn was_sustained(&self) -> bool {
        self.progress.sustained
    }

    pub fn launch(&self) -> Option<&LiveLaunch> {
        self.launch.as_ref()
    }

    pub fn launch_mut(&mut self) -> Option<&mut LiveLaunch> {
        self.launch.as_mut()
    }

    /// Its samples, in order.
    pub fn looks(&self) -> &[Look] {
        &self.progress.looks
    }

    pub fn looks_mut(&mut self) -> &mut Vec<Look> {
        &mut self.progress.looks
    }

    /// Its samples while another case ran, by that case's number.
    pub fn looks_beside_mut(&mut self) -> &mut BTreeMap<usize, Vec<Look>> {
        &mut self.progress.beside
    }

    /// The longest time from a request to its sample so far.
    pub fn longest(&self) -> Duration {
        self.longest
    }

    /// A sample took this long from its request.
    pub fn lasted(&mut self, took: Duration) {
        self.longest = self.longest.max(took);
    }

    pub fn margin(&self) -> Option<f64> {
        self.margin
    }

    pub fn set_margin(&mut self, margin: Option<f64>) {
        self.margin = margin;
    }

    pub fn samples_left(&self) -> u64 {
        self.samples_left
    }

    pub fn set_samples_left(&mut self, samples: u64) {
        self.samples_left = samples;
    }

    /// Whether it ended without being measured.
    pub fn has_ended(&self) -> bool {
        self.progress.ended
    }

    pub fn is_co_runner(&self) -> bool {
        self.case().co_runner
    }

    pub fn is_control(&self) -> bool {
        self.case().control
    }

    /// Whether this is the same work on as many threads, apart from the variant.
    pub fn is_variant_of(&self, other: &Self) -> bool {
        let (mine, others) = (self.case(), other.case());
        let is_same = mine.workload == others.workload && mine.thread_spec == others.thread_spec;
        is_same && (mine.control, mine.co_runner) == (others.control, others.co_runner)
    }

    /// How many samples it still needs for a figure.
    pub fn missing_samples(&self) -> usize {
        LEAST_SAMPLES.saturating_sub(self.looks().len())
    }

    /// Whether it has enough samples for a figure, or will never have one.
    pub fn has_figure(&self) -> bool {
        self.has_ended() || !self.case().is_row() || self.missing_samples() == 0
    }

    /// How many samples it has, alone and beside another case.
    pub fn samples(&self) -> usize {
        self.looks().len() + self.progress.beside.values().map(Vec::len).sum::<usize>()
    }

    /// Whether it has too many impossible samples to be trusted.
    fn strays_repeatedly(&self) -> bool {
        let stray = self.progress.stray;
        stray >= MANY_STRAY && stray * STRAY_ONE_IN > stray + self.samples() as u64
    }

    /// Whether a control is due again.
    pub fn is_late(&self) -> bool {
        self.is_late_within(Duration::ZERO)
    }

    /// Whether a control becomes due within some time.
    pub fn is_late_within(&self, time: Duration) -> bool {
        let is_late = self.last.is_none_or(|last| last.elapsed() + time >= CONTROL_EVERY);
        self.is_control() && is_late && !self.has_ended()
    }

    /// Whether it needs more samples: not once it has ended or converged. It is wanted again if its margin grows.
    pub fn is_wanted(&self, precision: f64) -> bool {
        let has_converged = self.missing_samples() == 0
            && self.progress.launches >= LEAST_LAUNCHES
            && self.margin.is_some_and(|margin| margin <= precision);
        !self.has_ended() && self.case().is_row() && !has_converged
    }

    /// How long its last turn took; `None` before its first.
    pub fn pace(&self) -> Option<Duration> {
        (!self.turn_took.is_zero()).then_some(self.turn_took)
    }

    /// Expected duration of a turn: that of the last one, but at least the requested time of its samples in a run with this
    /// timing, and of the set-up of a fresh launch if one is due.
    pub fn turn_time(&self, of_run: &Timing, samples: u32) -> Duration {
        let timing = self.timing(of_run);
        let is_due = self.samples_left == 0;
        let setup = if is_due { self.setup_took } else { Duration::ZERO };
        self.turn_took.max(Duration::from_nanos(timing.warmup_ns + timing.sample_ns) * samples)
            + setup
    }

    /// Its mean throughput alone; NaN before its first sample.
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
    fn a_case_is_wanted_until_it_has_converged_with_enough_samples_and_launches() {
        let with = |samples, launches, margin| {
            let mut runner = runner(0, "zip/zip").with_samples(samples).with_margin(margin);
            runner.progress.launches = launches;
            runner.is_wanted(0.01)
        };
        assert!(!with(8, 5, 0.01));
        assert!(with(7, 5, 0.01) && with(8, 4, 0.01) && with(8, 5, 0.011));
        let mut ended = runner(0, "zip/zip");
        ended.progress.ended = true;
        assert!(!ended.is_wanted(0.01) && !runner(0, "zip/zip").for_control().is_wanted(0.01));
    }

    #[test]
    fn a_worker_is_trusted_until_it_gives_too_many_impossible_samples() {
        let with = |stray, samples| {
            let mut runner = runner(0, "zip/zip").with_samples(samples);
            runner.progress.stray = stray;
            runner.strays_repeatedly()
        };
        assert!(with(3, 26) && !with(3, 27) && !with(2, 0));
    }

    #[test]
    fn a_turn_is_expected_to_take_what_the_last_took_and_never_less_than_its_sample() {
        let timing = Timing { warmup_ns: 10, sample_ns: 90, rounds_per_launch: 1 };
        let mut runner = runner(0, "zip/zip");
        runner.samples_left = 1;
        assert_eq!(
            (runner.turn_time(&timing, 1), runner.pace()),
            (Duration::from_nanos(100), None)
        );
        assert_eq!(runner.turn_time(&timing, 3), Duration::from_nanos(300));
        runner.turn_took = Duration::from_nanos(101);
        assert_eq!(runner.turn_time(&timing, 1), Duration::from_nanos(101));
        (runner.samples_left, runner.setup_took) = (0, Duration::from_nanos(7));
        assert_eq!(runner.turn_time(&timing, 1), Duration::from_nanos(108), "a launch is due");
    }
}
