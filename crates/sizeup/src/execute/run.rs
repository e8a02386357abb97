//! The run itself: shifts of live workers, rounds of windows, and the two stops.

use super::admission::Room;
use super::bench::Bench;
use super::failure::Failure;
use super::launch::{Launch, Patience, Task, monotonic_ns};
use super::orphans::end_orphans;
use super::receipt::Receipts;
use super::{Event, Interrupt, Watch};
use crate::estimate::{Look, flicker_floor, speed_by_round};
use crate::machine::{CpuTimes, Limits};
use crate::record::{self, Ended, Measured, Plan, Record, Run, Verified, WriteError, Writer};
use crate::stats::mean;
use crate::telemetry;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

/// How a plan is to be done.
#[derive(Debug)]
pub struct Settings<'a> {
    /// What is done.
    pub plan: &'a Plan,
    /// Who does it.
    pub receipts: &'a Receipts,
    /// What this process may take.
    pub limits: &'a Limits,
    /// When the budget ends.
    pub deadline: Instant,
    /// How long a worker may take for an answer, beyond what it was asked to take.
    pub answer_timeout: Duration,
    /// Where `/proc` and `/sys` are.
    pub root: &'a Path,
}

/// What a resumed run has already; empty for a new one.
#[derive(Debug, Default)]
pub struct Progress {
    /// The next launch's number.
    pub next_launch: u64,
    /// The next round's number.
    pub next_round: u64,
    /// Each case's throughputs and launches so far, and whether it has come to another end.
    pub cases: Vec<(Vec<f64>, u64, bool)>,
    /// Mean speed of the cores in each round so far.
    pub speeds: Vec<f64>,
}

impl Progress {
    /// What a run file has.
    pub fn of(run: &Run) -> Self {
        let estimate = crate::estimate::RunEstimate::of(run);
        let cases = estimate.looks.iter().enumerate().map(|(case, looks)| {
            let launches: BTreeSet<u64> =
                run.windows_of(case).map(|window| window.launch).collect();
            let throughputs = looks.iter().map(|look| look.throughput).collect();
            (
                throughputs,
                launches.len() as u64,
                run.outcome(case).is_some(),
            )
        });
        Self {
            next_launch: run
                .launches
                .iter()
                .map(|launch| launch.launch + 1)
                .max()
                .unwrap_or(0),
            next_round: run
                .windows
                .iter()
                .map(|window| window.round + 1)
                .max()
                .unwrap_or(0),
            cases: cases.collect(),
            speeds: speed_by_round(estimate.looks.iter().flatten()),
        }
    }
}

/// Does the tasks until all are measured as narrowly as asked, the time is over or someone stops it.
/// What goes wrong with a case becomes its outcome and does not stop the run.
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
    let mut cases = progress.cases.into_iter();
    let benches = tasks
        .into_iter()
        .map(|task| {
            let (throughputs, launches, ended) = cases.next().unwrap_or_default();
            Bench::new(task, throughputs, launches, ended)
        })
        .collect();
    let mut execution = Execution {
        settings,
        interrupt,
        writer,
        watch,
        benches,
        round: progress.next_round,
        next_launch: progress.next_launch,
        speeds: progress.speeds,
        endings_ns: Vec::new(),
    };
    let ended = execution.shifts();
    for bench in &mut execution.benches {
        bench.launch = None;
    }
    execution.end_orphans();
    ended
}

struct Execution<'a> {
    settings: &'a Settings<'a>,
    interrupt: &'a Interrupt,
    writer: &'a mut Writer,
    watch: &'a mut dyn Watch,
    benches: Vec<Bench>,
    round: u64,
    next_launch: u64,
    /// Mean speed of the cores in each round.
    speeds: Vec<f64>,
    /// How long it took to end each worker so far.
    endings_ns: Vec<f64>,
}

impl Execution<'_> {
    /// As many cases at a time as there is room for, each shift with its share of the time.
    fn shifts(&mut self) -> Result<Ended, WriteError> {
        let mut waiting: Vec<usize> = (0..self.benches.len())
            .filter(|&i| !self.benches[i].ended)
            .collect();
        while !waiting.is_empty() && !self.interrupt.asked() {
            let cases = waiting.len();
            let live = self.open(&mut waiting)?;
            let now = Instant::now();
            let left = self.settings.deadline.saturating_duration_since(now);
            let share = (cases - waiting.len()) as f64 / cases as f64;
            self.rounds(&live, now + left.mul_f64(share))?;
            self.close(&live)?;
            if waiting.len() == cases || left.is_zero() {
                break;
            }
        }
        Ok(
            match (
                self.interrupt.asked(),
                self.benches.iter().all(|bench| bench.ended),
            ) {
                (true, _) => Ended::Interrupted,
                (false, true) => Ended::Precision,
                (false, false) => Ended::Budget,
            },
        )
    }

    /// Launches waiting cases as long as there is room and time.
    fn open(&mut self, waiting: &mut Vec<usize>) -> Result<Vec<usize>, WriteError> {
        let mut room = Room::of(self.settings.limits);
        let mut live = Vec::new();
        self.see(&Event::Opening {
            live: 0,
            cases: waiting.len(),
        });
        while let Some(&i) = waiting.first() {
            let threads = self.benches[i].task.case.threads;
            let is_first = live.is_empty();
            if self.interrupt.asked() || self.is_late() || !(is_first || room.is_for(threads)) {
                break;
            }
            waiting.remove(0);
            if self.launch(i)? {
                let resident_bytes = self.benches[i]
                    .launch
                    .as_ref()
                    .map_or(0, |l| l.ready.resident_bytes);
                room.take(threads, resident_bytes);
                // Staggered, so that replacing them is spread over the rounds.
                let per_launch = self.settings.plan.timing.rounds_per_launch;
                self.benches[i].windows_left = 1 + live.len() as u64 % per_launch;
                live.push(i);
                self.see(&Event::Opening {
                    live: live.len(),
                    cases: live.len() + waiting.len(),
                });
            }
        }
        Ok(live)
    }

    fn is_late(&self) -> bool {
        Instant::now() >= self.settings.deadline
    }

    /// Rounds until all are narrow or it is time to end the workers.
    fn rounds(&mut self, live: &[usize], until: Instant) -> Result<(), WriteError> {
        loop {
            let mut order: Vec<usize> = live
                .iter()
                .copied()
                .filter(|&i| !self.benches[i].ended)
                .collect();
            if order.is_empty() {
                return Ok(());
            }
            let seed = self.settings.plan.seed.wrapping_add(self.round);
            order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
            let mut speeds = Vec::new();
            for (place, &i) in order.iter().enumerate() {
                if self.interrupt.asked() || !self.has_time_for(i, until) {
                    self.writer.flush()?;
                    return Ok(());
                }
                speeds.extend(self.turn(i)?);
                let (round, place, of) = (self.round, place + 1, order.len());
                self.see(&Event::Window { round, place, of });
            }
            if !speeds.is_empty() {
                self.speeds.push(mean(&speeds));
            }
            self.end_round(live)?;
        }
    }

    /// Whether there is time for a turn of this case and for ending all workers after it.
    fn has_time_for(&self, case: usize, until: Instant) -> bool {
        let live = self
            .benches
            .iter()
            .filter(|bench| bench.launch.is_some())
            .count();
        let ending_ns = if self.endings_ns.is_empty() {
            2e7
        } else {
            mean(&self.endings_ns)
        };
        let needed_ns = self.benches[case].turn_ns + (ending_ns * live as f64) as u64;
        Instant::now() + Duration::from_nanos(needed_ns) < until
    }

    /// One window of a case, on a fresh launch if it is due; gives the cores' speed.
    fn turn(&mut self, i: usize) -> Result<Option<f64>, WriteError> {
        let start_ns = monotonic_ns();
        if self.benches[i].windows_left == 0 {
            if !self.finish(i)? || !self.launch(i)? {
                return Ok(None);
            }
            self.benches[i].windows_left = self.settings.plan.timing.rounds_per_launch;
        }
        let bench = &mut self.benches[i];
        let Some(launch) = &mut bench.launch else {
            return Ok(None);
        };
        let before = CpuTimes::read(self.settings.root);
        let measured = launch.measure(&self.settings.plan.timing, self.interrupt);
        let after = CpuTimes::read(self.settings.root);
        match measured {
            Ok(measured) => {
                let steal_ticks = telemetry::steal_ticks(&before, &after, &bench.task.case.cpus);
                let speed = self.keep(i, measured, steal_ticks)?;
                self.benches[i].turn_ns = monotonic_ns() - start_ns;
                Ok(Some(speed))
            }
            Err(failure) => {
                self.fail(i, failure)?;
                Ok(None)
            }
        }
    }

    /// Records a window; gives the cores' speed.
    fn keep(
        &mut self,
        i: usize,
        measured: Measured,
        steal_ticks: Option<u64>,
    ) -> Result<f64, WriteError> {
        let bench = &mut self.benches[i];
        let Some(launch) = &bench.launch else {
            return Ok(0.0);
        };
        let look = Look::at(
            &measured,
            self.round,
            steal_ticks,
            launch.ready.pulse.clock_cycles_per_op,
            bench.task.by_other_processes,
        );
        bench.throughputs.push(look.throughput);
        bench.windows_left -= 1;
        let (launch, case, round) = (launch.number, bench.task.number, self.round);
        let window = record::Window {
            launch,
            case,
            round,
            steal_ticks,
            measured,
        };
        self.writer.write(&Record::Window(window))?;
        Ok(look.speed)
    }

    /// Readings, flush, and a look at who is narrow enough.
    fn end_round(&mut self, live: &[usize]) -> Result<(), WriteError> {
        for reading in telemetry::readings(self.settings.root, monotonic_ns()) {
            self.writer.write(&Record::Reading(reading))?;
        }
        self.writer.flush()?;
        let floor = flicker_floor(&self.speeds);
        let precision = self.settings.plan.precision_ppm as f64 / 1e6;
        for &i in live {
            if !self.benches[i].ended && self.benches[i].is_narrow(floor, precision) {
                self.benches[i].ended = true;
                self.finish(i)?;
            }
        }
        let mut halves: Vec<f64> = self.benches.iter().filter_map(|b| b.half(floor)).collect();
        halves.sort_by(f64::total_cmp);
        let narrow = halves.iter().filter(|half| **half <= precision).count();
        let median_half = halves.get(halves.len() / 2).copied();
        self.see(&Event::Round {
            round: self.round,
            narrow,
            median_half,
        });
        self.round += 1;
        Ok(())
    }

    /// Starts a worker for a case; false if that failed.
    fn launch(&mut self, i: usize) -> Result<bool, WriteError> {
        let task = &self.benches[i].task;
        let number = self.next_launch;
        let seed = self.settings.plan.seed.wrapping_add(number) >> 1;
        let started = match self.settings.receipts.get(&task.program.name) {
            Some(Ok((receipt, _))) => Launch::start(
                task,
                number,
                seed,
                &receipt.build,
                Patience(self.settings.answer_timeout),
                self.interrupt,
            ),
            Some(Err(failure)) => Err(Failure {
                kind: "unavailable".to_owned(),
                ..failure.clone()
            }),
            None => Err(Failure::new(
                "unavailable",
                "the worker was not asked for a receipt",
                "",
            )),
        };
        self.next_launch += 1;
        match started {
            Ok(launch) => {
                self.writer.write(&Record::Launch(record::Launch {
                    launch: number,
                    case: self.benches[i].task.number,
                    at_ns: monotonic_ns(),
                    ready: launch.ready.clone(),
                }))?;
                self.benches[i].launch = Some(launch);
                self.benches[i].launches += 1;
                Ok(true)
            }
            Err(failure) => self.fail(i, failure).map(|()| false),
        }
    }

    /// Has a worker verify its work for the last time and end; false if that failed.
    fn finish(&mut self, i: usize) -> Result<bool, WriteError> {
        let Some(launch) = self.benches[i].launch.take() else {
            return Ok(true);
        };
        let (number, start_ns) = (launch.number, monotonic_ns());
        match launch.finish(self.interrupt) {
            Ok(verified) => {
                let at_ns = monotonic_ns();
                self.endings_ns.push((at_ns - start_ns) as f64);
                let verified = Verified {
                    launch: number,
                    at_ns,
                    verified,
                };
                self.writer.write(&Record::Verified(verified))?;
                Ok(true)
            }
            Err(failure) => self.fail(i, failure).map(|()| false),
        }
    }

    /// Ends a case whose worker failed, with everything that worker left behind.
    fn fail(&mut self, i: usize, failure: Failure) -> Result<(), WriteError> {
        self.benches[i].launch = None;
        self.end_orphans();
        // Being told to stop is no fault of the case.
        if failure.kind == "interrupted" {
            return Ok(());
        }
        self.benches[i].ended = true;
        let outcome = failure.outcome(self.benches[i].task.number);
        let case = self.benches[i].task.case.clone();
        self.see(&Event::Ended {
            case: &case,
            outcome: &outcome,
        });
        self.writer.write(&Record::Outcome(outcome))
    }

    fn close(&mut self, live: &[usize]) -> Result<(), WriteError> {
        self.see(&Event::Closing);
        for &i in live {
            self.finish(i)?;
        }
        self.writer.flush()
    }

    fn end_orphans(&self) {
        let living = self
            .benches
            .iter()
            .filter_map(|bench| bench.launch.as_ref().map(Launch::pid));
        end_orphans(&living.collect());
    }

    fn see(&mut self, event: &Event) {
        let left = self
            .settings
            .deadline
            .saturating_duration_since(Instant::now());
        self.watch.see(event, left);
    }
}
