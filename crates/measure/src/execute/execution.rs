//! A run in progress: shifts of live workers and rounds of windows.

use super::admission::too_large;
use super::bench::Bench;
use super::settings::Settings;
use super::widths::Widths;
use super::{Event, Interrupt, Watch};
use crate::telemetry::{self, ActivityWatch, monotonic_ns};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use record::{Copies, Ended, Outcome, OutcomeKind, Record, WorkerBuild, WriteError, Writer};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Another shift is worth opening if this share of the budget is left.
const LEAST_SHARE_OF_TIME: f64 = 0.1;

/// How often at most it is looked at who else uses the machine.
const ACTIVITY_EVERY: Duration = Duration::from_secs(10);

/// A run in progress. How a single case gets its window is in `turn`.
pub(super) struct Execution<'a> {
    pub settings: &'a Settings<'a>,
    pub interrupt: &'a Interrupt,
    pub writer: &'a mut Writer,
    pub watch: &'a mut dyn Watch,
    pub benches: Vec<Bench>,
    pub round: u64,
    pub next_launch: u64,
    /// How long it took to start each worker so far.
    pub launchings_ns: Vec<f64>,
    /// How long it took to end each worker so far.
    pub endings_ns: Vec<f64>,
    /// What each worker is made of, as far as it is known.
    pub builds: BTreeMap<String, WorkerBuild>,
    /// How wide the intervals are.
    pub widths: Widths,
    /// Who else uses the machine.
    pub activity: ActivityWatch,
    /// Which samples there were.
    pub copies: Copies,
}

impl Execution<'_> {
    /// Ends the cases that this machine has no memory for, before anything of them is started.
    pub fn refuse_too_large(&mut self) -> Result<(), WriteError> {
        for i in 0..self.benches.len() {
            let bench = &self.benches[i];
            if !bench.progress.ended
                && let Some(failure) = too_large(&bench.task, self.settings.limits)
            {
                self.fail(i, failure)?;
            }
        }
        Ok(())
    }

    /// As many cases at a time as there is room for, each shift with its share of the time; and again
    /// those that are still wide, if much time is left.
    pub fn shifts(&mut self) -> Result<Ended, WriteError> {
        loop {
            let wanted = self.wanted();
            let order = self.settings.order.iter().copied();
            let mut waiting: Vec<usize> = order.filter(|case| wanted.contains(case)).collect();
            if waiting.is_empty() {
                return Ok(Ended::Precision);
            }
            let mut has_opened = false;
            while !waiting.is_empty() {
                let cases = waiting.len();
                let live = self.open(&mut waiting)?;
                let now = Instant::now();
                let left = self.settings.deadline.saturating_duration_since(now);
                let share = (cases - waiting.len()) as f64 / cases as f64;
                self.rounds(&live, now + left.mul_f64(share))?;
                self.close(&live)?;
                if self.interrupt.asked() {
                    return Ok(Ended::Interrupted);
                }
                if waiting.len() == cases {
                    break;
                }
                has_opened = true;
            }
            let budget = Duration::from_nanos(self.settings.plan.budget_ns);
            let is_late =
                Instant::now() + budget.mul_f64(LEAST_SHARE_OF_TIME) > self.settings.deadline;
            if is_late || !has_opened {
                let is_done = self.wanted().is_empty();
                return Ok(if is_done { Ended::Precision } else { Ended::Budget });
            }
        }
    }

    /// Says of each case that never had a window that the time was over before.
    pub fn tell_unfinished(&mut self) -> Result<(), WriteError> {
        for bench in &self.benches {
            if bench.progress.looks.is_empty() && !bench.progress.ended {
                self.writer.write(&Record::Outcome(Outcome {
                    case: bench.task.number,
                    outcome: OutcomeKind::Unfinished,
                    kind: "budget".to_owned(),
                    message: "the budget was used up before its first window".to_owned(),
                    hint: "give more time: --budget".to_owned(),
                    stderr: String::new(),
                }))?;
            }
        }
        Ok(())
    }

    /// The cases that the run waits for, in no order that means anything.
    fn wanted(&mut self) -> Vec<usize> {
        self.widths.refresh(&mut self.benches);
        let precision = self.precision();
        // A mix is measured for as long as there is time, and each of its rounds with all of it.
        let precision = if self.has_mix() { 0.0 } else { precision };
        let is_wanted = |&i: &usize| self.benches[i].is_wanted(self.widths.half(i), precision);
        (0..self.benches.len()).filter(is_wanted).collect()
    }

    /// The half-width that was asked for.
    fn precision(&self) -> f64 {
        self.settings.plan.precision_ppm as f64 / 1e6
    }

    pub fn is_late(&self) -> bool {
        Instant::now() >= self.settings.deadline
    }

    /// Rounds until all are narrow or it is time to end the workers.
    fn rounds(&mut self, live: &[usize], until: Instant) -> Result<(), WriteError> {
        loop {
            let wanted = self.wanted();
            let mut order: Vec<usize> =
                live.iter().copied().filter(|case| wanted.contains(case)).collect();
            if order.is_empty() {
                return Ok(());
            }
            self.concentrate(&mut order);
            order.extend(live.iter().copied().filter(|&i| self.benches[i].is_late()));
            let order = self.order(order);
            let mut has_time = false;
            for (place, &i) in order.iter().enumerate() {
                if self.interrupt.asked() {
                    return self.writer.flush();
                }
                if !self.has_time_for(i, self.end_for(i, until)) {
                    continue;
                }
                has_time = true;
                self.turn(i)?;
                self.writer.flush_if_due()?;
                let (round, place, of) = (self.round, place + 1, order.len());
                self.see(&Event::Window { round, place, of });
            }
            if !has_time {
                return self.writer.flush();
            }
            self.mixed_turn(until)?;
            self.end_round()?;
        }
    }

    /// Until when a case may be measured in a shift that should end at `until`: figures of some cases are worth
    /// more than too few windows of all, so that a case gets the windows of a figure before others are launched.
    fn end_for(&self, case: usize, until: Instant) -> Instant {
        if self.benches[case].has_figure() { until } else { self.settings.deadline }
    }

    /// The cases of a round in random order; variants of one next to each other, in random order, too.
    fn order(&self, cases: Vec<usize>) -> Vec<usize> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for case in cases {
            let is_first =
                |group: &Vec<usize>| self.benches[case].is_variant_of(&self.benches[group[0]]);
            match groups.iter_mut().find(|group| is_first(group)) {
                Some(group) => group.push(case),
                None => groups.push(vec![case]),
            }
        }
        // Every second round is for the wider half only: time goes first to where it is needed. Rows that lack a figure come
        // first, and of rows that are as wide (on a busy machine none may have a width) those with fewer windows.
        if self.round % 2 == 1 && !self.has_mix() {
            let half = |group: &Vec<usize>| self.widths.half(group[0]).unwrap_or(f64::INFINITY);
            let has_figures =
                |group: &Vec<usize>| group.iter().all(|&case| self.benches[case].has_figure());
            let windows = |group: &Vec<usize>| self.benches[group[0]].progress.looks.len();
            groups.sort_by(|a, b| {
                let by_width = || half(b).total_cmp(&half(a));
                let by_windows = || windows(a).cmp(&windows(b));
                has_figures(a).cmp(&has_figures(b)).then_with(by_width).then_with(by_windows)
            });
            groups.truncate(groups.len().div_ceil(2));
        }
        let seed = self.settings.plan.seed.wrapping_add(self.round);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        groups.shuffle(&mut random);
        groups.iter_mut().for_each(|group| group.shuffle(&mut random));
        groups.concat()
    }

    /// Readings, flush, and a word on how narrow the rows are.
    fn end_round(&mut self) -> Result<(), WriteError> {
        for reading in telemetry::readings(self.settings.root, monotonic_ns()) {
            self.writer.write(&Record::Reading(reading))?;
        }
        if let Some(activity) = self.activity.look_if_due(ACTIVITY_EVERY) {
            self.writer.write(&Record::Activity(activity))?;
        }
        self.writer.flush()?;
        let precision = self.precision();
        let is_row = |i: &usize| !self.benches[*i].is_reference();
        let rows = (0..self.benches.len()).filter(is_row);
        let mut halves: Vec<f64> = rows.filter_map(|i| self.widths.half(i)).collect();
        halves.sort_by(f64::total_cmp);
        let narrow = halves.iter().filter(|half| **half <= precision).count();
        let median_half = halves.get(halves.len() / 2).copied();
        self.see(&Event::Round { round: self.round, narrow, median_half });
        self.round += 1;
        Ok(())
    }

    pub fn see(&mut self, event: &Event) {
        let left = self.settings.deadline.saturating_duration_since(Instant::now());
        self.watch.see(event, left);
    }
}
