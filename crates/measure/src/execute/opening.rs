//! The opening of a shift: which cases are launched together.

use super::Event;
use super::admission::Room;
use super::bench::{Bench, LEAST_WINDOWS};
use super::execution::Execution;
use record::{Timing, WriteError};
use stats::median;
use std::time::{Duration, Instant};

/// Beside a window, pulses, waking up and the share of a launch take about this long.
const BESIDE_A_WINDOW: Duration = Duration::from_millis(40);

impl Execution<'_> {
    /// Launches the references that become due before the end, then waiting cases as long as there is room and time.
    pub fn open(&mut self, waiting: &mut Vec<usize>) -> Result<Vec<usize>, WriteError> {
        let mut room = Room::of(self.settings.limits);
        let cases = waiting.len();
        let mut live = Vec::new();
        self.see(&Event::Opening { live: 0, cases });
        for i in 0..self.benches.len() {
            let left = self.settings.deadline.saturating_duration_since(Instant::now());
            if !left.is_zero() && self.benches[i].is_late_within(left) {
                self.admit(i, &mut live, &mut room)?;
            }
        }
        while let Some(&i) = waiting.first() {
            let is_first = waiting.len() == cases;
            let task = &self.benches[i].task;
            let has_room = is_first || room.is_for(task.case.threads, task.memory_bytes);
            let has_time = self.has_time_for_figures(live.len()) || is_first && self.is_worth_it(i);
            if self.interrupt.asked() || self.is_late() || !has_room || !has_time {
                break;
            }
            waiting.remove(0);
            self.admit(i, &mut live, &mut room)?;
            self.see(&Event::Opening { live: cases - waiting.len(), cases });
        }
        Ok(live)
    }

    /// Launches a case, and counts it among the live ones if that succeeded.
    fn admit(
        &mut self,
        i: usize,
        live: &mut Vec<usize>,
        room: &mut Room,
    ) -> Result<(), WriteError> {
        if !self.launch(i)? {
            return Ok(());
        }
        let bench = &self.benches[i];
        let resident_bytes = bench.launch.as_ref().map_or(0, |launch| launch.ready.resident_bytes);
        // It may take again what it took while it was set up.
        room.take(bench.task.case.threads, resident_bytes.max(bench.task.memory_bytes));
        // Staggered, so that replacing them is spread over the rounds; but variants are replaced together.
        let sibling = live.iter().find(|&&other| bench.is_variant_of(&self.benches[other]));
        self.benches[i].windows_left = match sibling {
            Some(&other) => self.benches[other].windows_left,
            None => 1 + live.len() as u64 % self.settings.plan.timing.rounds_per_launch,
        };
        live.push(i);
        Ok(())
    }

    /// Whether there is time for one more beside so many live cases, with the windows of a figure for each. How long
    /// launches take here tells how busy the machine is: each case will have one more.
    fn has_time_for_figures(&self, live: usize) -> bool {
        let launch_ns =
            if self.launchings_ns.is_empty() { 0.0 } else { median(&self.launchings_ns) };
        let launches = Duration::from_nanos((launch_ns * (live + 1) as f64) as u64);
        let windows = least_time(self.settings.plan.timing, live + 1);
        Instant::now() + launches + windows < self.settings.deadline
    }

    /// Whether a case is worth a shift that may be too short for a figure: it has one, or nobody has.
    fn is_worth_it(&self, case: usize) -> bool {
        let has_windows = |bench: &Bench| !bench.progress.looks.is_empty();
        self.benches[case].has_figure() || !self.benches.iter().any(has_windows)
    }
}

/// What the windows of a figure for each of so many cases take, launches not counted.
pub fn least_time(timing: Timing, cases: usize) -> Duration {
    let turn = Duration::from_nanos(timing.settle_ns + timing.window_ns) + BESIDE_A_WINDOW;
    turn.saturating_mul(u32::try_from(cases * LEAST_WINDOWS).unwrap_or(u32::MAX))
}
