//! One case's turn in a round, and the life of its worker.

use super::Event;
use super::execution::Execution;
use super::failure::Failure;
use super::launch::{Checked, LiveLaunch, Patience, impossible};
use super::orphans::end_orphans;
use super::ready::learn;
use crate::telemetry::{self, monotonic_ns};
use estimate::{ClockKernel, Look, Others};
use machine::{CpuTimes, Elapsed};
use record::{Record, Timing, Verified, WriteError};
use stats::mean;
use std::time::{Duration, Instant};

impl Execution<'_> {
    /// Whether there is time for a turn of this case and for ending all workers after it.
    pub fn has_time_for(&self, case: usize, until: Instant) -> bool {
        self.has_time_for_window(case, &self.settings.plan.timing, until)
    }

    /// The same for a window of another length.
    pub fn has_time_for_window(&self, case: usize, timing: &Timing, until: Instant) -> bool {
        let live = self.benches.iter().filter(|bench| bench.launch.is_some()).count();
        let ending_ns = if self.endings_ns.is_empty() { 2e7 } else { mean(&self.endings_ns) };
        // At least what a window is asked to take; what the last one took may have been bad luck, but
        // is the best guess.
        let turn_ns = self.benches[case].turn_ns.max(timing.settle_ns + timing.window_ns);
        let needed_ns = turn_ns + (ending_ns * live as f64) as u64;
        Instant::now() + Duration::from_nanos(needed_ns) < until
    }

    /// One window of a case, on a fresh launch if it is due.
    pub fn turn(&mut self, i: usize) -> Result<(), WriteError> {
        let start_ns = monotonic_ns();
        if self.benches[i].windows_left == 0 {
            if !self.finish(i)? || !self.launch(i)? {
                return Ok(());
            }
            self.benches[i].windows_left = self.settings.plan.timing.rounds_per_launch;
        }
        let bench = &mut self.benches[i];
        let Some(launch) = &mut bench.launch else {
            return Ok(());
        };
        let before = CpuTimes::read(self.settings.root);
        let measured = launch.measure(&self.settings.plan.timing);
        let after = CpuTimes::read(self.settings.root);
        match measured {
            Ok(checked) => {
                let elapsed = telemetry::elapsed(&before, &after, &bench.task.case.cpus);
                self.keep(i, checked, elapsed)?;
                self.benches[i].turn_ns = monotonic_ns() - start_ns;
                self.benches[i].last = Some(Instant::now());
                Ok(())
            }
            Err(failure) => self.fail(i, failure),
        }
    }

    /// Records a window.
    fn keep(
        &mut self,
        i: usize,
        checked: Checked,
        elapsed: Option<Elapsed>,
    ) -> Result<(), WriteError> {
        let bench = &mut self.benches[i];
        let Some(launch) = &bench.launch else {
            return Ok(());
        };
        let Checked { measured, stray } = checked;
        if stray.is_none()
            && let Err(what) = self.copies.add(bench.task.number, &measured)
        {
            return self.fail(i, impossible(&what));
        }
        let window = record::Window {
            launch: launch.number,
            case: bench.task.number,
            round: self.round,
            steal_ticks: elapsed.map(|elapsed| elapsed.steal),
            idle_ticks: elapsed.map(|elapsed| elapsed.idle()),
            total_ticks: elapsed.map(|elapsed| elapsed.total),
            measured,
        };
        let look = Look::at(
            &window.measured,
            (window.launch, window.round),
            window.steal_ticks,
            ClockKernel::of(&launch.ready),
            launch.ready.is_partly_elsewhere(),
        );
        if stray.is_none() {
            bench.progress.looks.push(look.beside(Others::of(&window)));
        }
        bench.windows_left -= 1;
        self.writer.write(&Record::Window(window))?;
        self.count_stray(i, stray)
    }

    /// Ends a case whose worker gives windows that can't be, and not only once.
    pub fn count_stray(&mut self, i: usize, stray: Option<String>) -> Result<(), WriteError> {
        let Some(what) = stray else { return Ok(()) };
        let bench = &mut self.benches[i];
        bench.progress.stray += 1;
        if !bench.strays_repeatedly() {
            return Ok(());
        }
        self.fail(i, impossible(&format!("{what}, and not for the first time")))
    }

    /// Starts a worker for a case; false if that failed.
    pub fn launch(&mut self, i: usize) -> Result<bool, WriteError> {
        let task = &self.benches[i].task;
        let (number, start_ns) = (self.next_launch, monotonic_ns());
        let seed = self.settings.plan.seed.wrapping_add(number) & i64::MAX as u64;
        let worker = task.program.name.clone();
        let started = match (self.builds.get(&worker), self.settings.receipts.get(&worker)) {
            (Some(build), _) => LiveLaunch::start(
                task,
                number,
                seed,
                build,
                Patience(self.settings.answer_timeout),
                self.interrupt,
            ),
            // The user did not wait for it: no outcome either.
            (_, Some(Err(failure))) if failure.kind == "interrupted" => Err(failure.clone()),
            (_, Some(Err(failure))) => {
                Err(Failure { kind: "unavailable".to_owned(), ..failure.clone() })
            }
            _ => Err(Failure::new("unavailable", "the worker was not asked for a receipt", "")),
        };
        self.next_launch += 1;
        match started {
            Ok(launch) => {
                self.launchings_ns.push((monotonic_ns() - start_ns) as f64);
                if let Some(build) = self.builds.get_mut(&worker) {
                    learn(build, &launch.ready.build);
                }
                self.writer.write(&Record::Launch(Box::new(record::Launch {
                    launch: number,
                    case: self.benches[i].task.number,
                    at_ns: monotonic_ns(),
                    ready: launch.ready.clone(),
                })))?;
                self.benches[i].launch = Some(launch);
                self.benches[i].progress.launches += 1;
                Ok(true)
            }
            Err(failure) => self.fail(i, failure).map(|()| false),
        }
    }

    /// Has a worker verify its work for the last time and end; false if that failed.
    pub fn finish(&mut self, i: usize) -> Result<bool, WriteError> {
        let Some(launch) = self.benches[i].launch.take() else {
            return Ok(true);
        };
        let (number, start_ns) = (launch.number, monotonic_ns());
        match launch.finish() {
            Ok(verified) => {
                let at_ns = monotonic_ns();
                self.endings_ns.push((at_ns - start_ns) as f64);
                let verified = Verified { launch: number, at_ns, verified };
                self.writer.write(&Record::Verified(verified))?;
                Ok(true)
            }
            Err(failure) => self.fail(i, failure).map(|()| false),
        }
    }

    /// Ends a case whose worker failed, with everything that worker left behind.
    pub fn fail(&mut self, i: usize, failure: Failure) -> Result<(), WriteError> {
        self.benches[i].launch = None;
        self.end_orphans();
        // Being told to stop is no fault of the case.
        if failure.kind == "interrupted" {
            return Ok(());
        }
        self.benches[i].progress.ended = true;
        let outcome = failure.outcome(self.benches[i].task.number);
        let case = self.benches[i].task.case.clone();
        self.see(&Event::Ended { case: &case, outcome: &outcome });
        self.writer.write(&Record::Outcome(outcome))
    }

    pub fn close(&mut self, live: &[usize]) -> Result<(), WriteError> {
        self.see(&Event::Closing);
        // While the workers are there: what they used is ours.
        let activity = self.activity.look();
        self.writer.write(&Record::Activity(activity))?;
        for &i in live {
            self.finish(i)?;
        }
        self.writer.flush()
    }

    pub fn end_orphans(&self) {
        let living =
            self.benches.iter().filter_map(|bench| bench.launch.as_ref().map(LiveLaunch::pid));
        end_orphans(&living.collect());
    }
}
