//! A run in progress: cohorts of live workers and rounds of samples. It decides which cases come next; `runner` carries
//! them out.

use super::admission::{too_few_cpus, too_large};
use super::beside::sample_beside;
use super::budget::{is_worth_a_cohort, share};
use super::context::RunContext;
use super::mixed::MixedTurn;
use super::opening::open;
use super::progress::Progress;
use super::rolling::Rolling;
use super::round::{concentrated, least_converged_half, pace, shuffled, together};
use super::runner::Runner;
use super::settings::Settings;
use super::sustain::sustain;
use super::task::Task;
use super::widths::Widths;
use super::{Event, Interrupt, Watch};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use record::{Ended, Outcome, OutcomeKind, Record, WriteError, Writer};
use std::time::{Duration, Instant};

/// Measures until all tasks have converged, the time is over or the user stops the run.
/// A case's failure becomes its outcome and does not stop the run.
///
/// # Errors
/// When the run file can't be written.
pub fn execute(
    settings: &Settings,
    tasks: Vec<Task>,
    progress: Progress,
    writer: &mut Writer,
    watch: &mut dyn Watch,
    interrupt: &Interrupt,
) -> Result<Ended, WriteError> {
    let Progress { next_launch, next_round, cases, copies, rolling_list } = progress;
    let next = (next_launch, next_round);
    let mut run = RunContext::new(settings, writer, watch, interrupt, copies, next);
    let mut known = cases.into_iter();
    let cases: Vec<Runner> =
        tasks.into_iter().map(|task| Runner::new(task, known.next().unwrap_or_default())).collect();
    for case in &cases {
        if let Some(build) = case.reported_build() {
            run.builds().learn(&case.task().program.name, build);
        }
    }
    let sharing = settings.plan.thread_counts_on_shared_cores(settings.topology);
    let rolling = settings.plan.rolling.as_ref().map(|mix| Rolling::new(mix, rolling_list));
    Execution { settings, run, cases, widths: Widths::new(sharing), rolling }.carry_out()
}

/// A run in progress.
struct Execution<'a> {
    settings: &'a Settings<'a>,
    run: RunContext<'a>,
    /// By their numbers in the plan.
    cases: Vec<Runner>,
    widths: Widths,
    rolling: Option<Rolling<'a>>,
}

impl Execution<'_> {
    fn carry_out(mut self) -> Result<Ended, WriteError> {
        let ended = self.refuse_misfits().and_then(|()| self.run.idle());
        let ended = ended.and_then(|()| self.cohorts());
        let ended = ended.and_then(|ended| self.sustain(ended));
        if matches!(ended, Ok(Ended::Budget)) {
            self.record_unfinished()?;
        }
        self.rolling.iter_mut().for_each(|rolling| rolling.kill(&mut self.run));
        for case in &mut self.cases {
            case.kill(&mut self.run);
        }
        self.run.end_orphans();
        ended
    }

    /// Loads rows without pauses, if that is asked for and nothing stopped the run.
    fn sustain(&mut self, ended: Ended) -> Result<Ended, WriteError> {
        let Some(longest_ns) = self.settings.plan.sustain_ns.filter(|_| !self.run.is_stopped())
        else {
            return Ok(ended);
        };
        sustain(&mut self.cases, Duration::from_nanos(longest_ns), &mut self.run)?;
        Ok(if self.run.is_stopped() { Ended::Interrupted } else { ended })
    }

    /// Ends the cases that don't fit into memory, or have too few CPUs, before their workers start.
    fn refuse_misfits(&mut self) -> Result<(), WriteError> {
        for case in self.cases.iter_mut().filter(|case| !case.has_ended()) {
            let task = case.task();
            let misfit = too_few_cpus(task).or_else(|| too_large(task, self.settings.limits));
            if let Some(failure) = misfit {
                case.fail(failure, &mut self.run)?;
            }
        }
        Ok(())
    }

    /// Gives each case without a sample an outcome.
    fn record_unfinished(&mut self) -> Result<(), WriteError> {
        let is_unfinished = |case: &&Runner| case.samples() == 0 && !case.has_ended();
        for case in self.cases.iter().filter(is_unfinished) {
            self.run.write(&Record::Outcome(Outcome {
                case: case.number(),
                outcome: OutcomeKind::Unfinished,
                kind: "budget".to_owned(),
                message: "the budget ran out before the first sample".to_owned(),
                hint: "raise --budget".to_owned(),
                stderr: String::new(),
            }))?;
        }
        Ok(())
    }

    /// Measures cohorts of all cases, and again of those that have not converged if enough time is left.
    fn cohorts(&mut self) -> Result<Ended, WriteError> {
        let budget = Duration::from_nanos(self.settings.plan.budget_ns);
        loop {
            let mut waiting = self.waiting();
            let wanted = waiting.len();
            if wanted == 0 {
                return Ok(Ended::Precision);
            }
            self.cohorts_of(&mut waiting)?;
            if self.run.is_stopped() {
                return Ok(Ended::Interrupted);
            }
            let has_opened = waiting.len() < wanted;
            if !has_opened || !is_worth_a_cohort(self.run.left(), budget) {
                let is_done = self.waiting().is_empty();
                return Ok(if is_done { Ended::Precision } else { Ended::Budget });
            }
        }
    }

    /// Measures as many cases at a time as there is room for, each cohort with its share of the time. Cases that were not
    /// opened stay in `waiting`.
    fn cohorts_of(&mut self, waiting: &mut Vec<usize>) -> Result<(), WriteError> {
        while !waiting.is_empty() {
            let before = waiting.len();
            let live = open(&mut self.cases, waiting, &mut self.run)?;
            let opened = before - waiting.len();
            let until = Instant::now() + share(self.run.left(), opened, before);
            self.rounds(&live, until)?;
            self.close(&live)?;
            if self.run.is_stopped() || opened == 0 {
                break;
            }
        }
        Ok(())
    }

    /// The numbers of the cases that the run waits for, in the order in which they are launched.
    fn waiting(&mut self) -> Vec<usize> {
        self.widths.refresh(&mut self.cases);
        let precision = self.precision_of_rounds();
        let is_wanted = |case: &usize| self.cases[*case].is_wanted(precision);
        self.settings.order.iter().copied().filter(is_wanted).collect()
    }

    /// The requested margin.
    fn precision(&self) -> f64 {
        self.settings.plan.precision_ppm as f64 / 1e6
    }

    /// The margin at which a case stops. A mix uses all the time, and each of its rounds has all cases.
    fn precision_of_rounds(&self) -> f64 {
        if self.has_mix() { 0.0 } else { self.precision() }
    }

    fn rows(&self) -> impl Iterator<Item = &Runner> {
        self.cases.iter().filter(|case| case.case().is_row())
    }

    /// Whether there is a mix, at once or rolling, whose cases can all still be measured.
    fn has_mix(&self) -> bool {
        self.settings.plan.has_whole() && !self.rows().any(Runner::has_ended)
    }

    /// Rounds until all have converged or it is time to end the workers.
    fn rounds(&mut self, live: &[usize], until: Instant) -> Result<(), WriteError> {
        loop {
            let round = self.next_round(live);
            if round.is_empty() {
                return Ok(());
            }
            if !self.turns(&round, until)? {
                return self.run.flush();
            }
            self.mixed_turn(until)?;
            self.rolling_turn(until)?;
            self.end_round()?;
        }
    }

    /// The live cases of the next round, in its order; empty when all have converged.
    fn next_round(&mut self, live: &[usize]) -> Vec<usize> {
        self.widths.refresh(&mut self.cases);
        let precision = self.precision_of_rounds();
        let live = live.iter().map(|&case| &self.cases[case]);
        let mut due: Vec<&Runner> = live.clone().filter(|case| case.is_wanted(precision)).collect();
        if due.is_empty() {
            return Vec::new();
        }
        if let Some(pace) = pace(&self.cases).filter(|_| !self.has_mix()) {
            due = concentrated(due, self.settings.order, pace, self.run.left());
        }
        due.extend(live.filter(|case| case.is_late()));
        let mut groups = together(due);
        // Every second round is only for the half with the largest margins, where time helps most.
        if self.run.round() % 2 == 1 && !self.has_mix() {
            groups = least_converged_half(groups);
        }
        let seed = self.settings.plan.seed.wrapping_add(self.run.round());
        shuffled(groups, seed).into_iter().map(Runner::number).collect()
    }

    /// Takes the samples of a round; false if it was stopped, or there was time for none.
    fn turns(&mut self, round: &[usize], until: Instant) -> Result<bool, WriteError> {
        let mut has_time = false;
        for (place, &number) in round.iter().enumerate() {
            if self.run.is_stopped() {
                return Ok(false);
            }
            let case = &self.cases[number];
            // Figures for some cases are worth more than too few samples for all, so a case gets enough samples for a
            // figure before others are launched.
            let until = if case.has_figure() { until } else { self.settings.deadline };
            let companions = self.companions(number);
            let samples = u32::try_from(companions.len()).unwrap_or(u32::MAX);
            if !self.run.has_time_for(case.turn_time(&self.settings.plan.timing, samples), until) {
                continue;
            }
            has_time = true;
            self.turn(number, &companions)?;
            self.run.flush_if_due()?;
            let event =
                Event::Sample { round: self.run.round(), place: place + 1, count: round.len() };
            self.run.see(&event);
        }
        Ok(has_time)
    }

    /// A case's turn: a sample beside each of its companions.
    fn turn(&mut self, number: usize, companions: &[Option<usize>]) -> Result<(), WriteError> {
        let start = Instant::now();
        if !self.cases[number].renew(&mut self.run)? {
            return Ok(());
        }
        for co_runners in companions {
            match *co_runners {
                None => self.cases[number].sample_alone(&mut self.run)?,
                Some(co_runners) => {
                    let Ok([row, co_runners]) = self.cases.get_disjoint_mut([number, co_runners])
                    else {
                        continue;
                    };
                    sample_beside(row, co_runners, &mut self.run)?;
                }
            }
        }
        self.cases[number].end_turn(start.elapsed());
        self.run.write_telemetry()
    }

    /// Beside whom each sample of a case's turn is taken, in random order: alone (`None`) and, of a row, beside each number of
    /// co-runners.
    fn companions(&self, number: usize) -> Vec<Option<usize>> {
        let case = &self.cases[number];
        let co_runners = self.settings.plan.co_runners().map(|(co_runners, _)| Some(co_runners));
        let all = [None].into_iter().chain(co_runners);
        let mut companions: Vec<Option<usize>> =
            if case.case().is_row() { all.collect() } else { vec![None] };
        let seed = self.settings.plan.seed ^ (number as u64) << 32;
        companions.shuffle(&mut ChaCha8Rng::seed_from_u64(seed.wrapping_add(self.run.round())));
        // How long the co-runners must work shows only a sample alone.
        if case.looks().is_empty() {
            companions.sort();
        }
        companions
    }

    /// Measures the whole mix at once, if there is one, all its cases are live and there is time.
    fn mixed_turn(&mut self, until: Instant) -> Result<(), WriteError> {
        let plan = self.settings.plan;
        let Some(mix) = plan.mix.as_ref().filter(|_| self.has_mix()) else { return Ok(()) };
        match MixedTurn::of(&mut self.cases, mix, &plan.timing) {
            Some(turn) if self.run.has_time_for(turn.time(), until) => turn.take(&mut self.run),
            _ => Ok(()),
        }
    }

    /// Sends all threads through the list of a rolling mix, if there is one and no row of it has ended.
    fn rolling_turn(&mut self, until: Instant) -> Result<(), WriteError> {
        let is_whole = self.has_mix();
        match &mut self.rolling {
            Some(rolling) if is_whole => rolling.turn(&mut self.cases, &mut self.run, until),
            Some(rolling) => {
                rolling.kill(&mut self.run);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Records telemetry, flushes, and reports how many rows have converged.
    fn end_round(&mut self) -> Result<(), WriteError> {
        self.run.write_readings()?;
        self.run.flush()?;
        let mut margins: Vec<f64> = self.rows().filter_map(Runner::margin).collect();
        margins.sort_by(f64::total_cmp);
        let converged = margins.iter().filter(|margin| **margin <= self.precision()).count();
        let median_margin = margins.get(margins.len() / 2).copied();
        let event = Event::Round { round: self.run.round(), converged, median_margin };
        self.run.see(&event);
        self.run.next_round();
        Ok(())
    }

    /// Ends the workers of a cohort.
    fn close(&mut self, live: &[usize]) -> Result<(), WriteError> {
        self.run.see(&Event::Closing);
        // Before the workers end, so that their CPU time counts as ours.
        self.run.write_activity()?;
        if let Some(rolling) = &mut self.rolling {
            rolling.finish(&mut self.cases, &mut self.run)?;
        }
        for &case in live {
            self.cases[case].finish(&mut self.run)?;
        }
        self.run.flush()
    }
}
