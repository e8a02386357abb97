//! A case's turn in a round: one sample.

use super::Runner;
use crate::execute::context::RunContext;
use crate::execute::launch::{Checked, LiveLaunch, impossible};
use crate::telemetry::{self, monotonic_ns};
use estimate::{ClockKernel, Look, Others};
use machine::{CpuTimes, Elapsed};
use record::{Measured, Record, Sample, WriteError};
use std::time::{Duration, Instant};

impl Runner {
    /// Takes one sample, from a new launch if one is due.
    pub fn turn(&mut self, run: &mut RunContext) -> Result<(), WriteError> {
        let start_ns = monotonic_ns();
        let timing = &run.settings().plan.timing;
        if self.samples_left == 0 {
            if !self.finish(run)? || !self.start(run)? {
                return Ok(());
            }
            self.samples_left = timing.rounds_per_launch;
        }
        let Some(launch) = &mut self.launch else { return Ok(()) };
        let before = CpuTimes::read(run.settings().root);
        let measured = launch.measure(timing);
        let after = CpuTimes::read(run.settings().root);
        match measured {
            Ok(checked) => {
                let elapsed = telemetry::elapsed(&before, &after, &self.case().cpus);
                self.keep(checked, elapsed, run)?;
                self.turn_took = Duration::from_nanos(monotonic_ns() - start_ns);
                self.last = Some(Instant::now());
                Ok(())
            }
            Err(failure) => self.fail(failure, run),
        }
    }

    fn keep(
        &mut self,
        checked: Checked,
        elapsed: Option<Elapsed>,
        run: &mut RunContext,
    ) -> Result<(), WriteError> {
        let Some(launch) = &self.launch else { return Ok(()) };
        let Checked { measured, stray } = checked;
        if stray.is_none()
            && let Err(failure) = run.count_sample(self.number(), &measured)
        {
            return self.fail(failure, run);
        }
        let sample = self.sample(launch, measured, elapsed, run.round());
        if stray.is_none() {
            let look = look(&sample, launch);
            self.progress.looks.push(look);
        }
        self.samples_left -= 1;
        run.write(&Record::Sample(sample))?;
        self.count_stray(stray, run)
    }

    fn sample(
        &self,
        launch: &LiveLaunch,
        measured: Measured,
        elapsed: Option<Elapsed>,
        round: u64,
    ) -> Sample {
        Sample {
            launch: launch.number,
            case: self.number(),
            round,
            steal_ticks: elapsed.map(|elapsed| elapsed.steal),
            idle_ticks: elapsed.map(|elapsed| elapsed.idle()),
            total_ticks: elapsed.map(|elapsed| elapsed.total),
            measured,
        }
    }

    /// Ends the case if its worker repeatedly gives impossible samples.
    pub fn count_stray(
        &mut self,
        stray: Option<String>,
        run: &mut RunContext,
    ) -> Result<(), WriteError> {
        let Some(what) = stray else { return Ok(()) };
        self.progress.stray += 1;
        if !self.strays_repeatedly() {
            return Ok(());
        }
        self.fail(impossible(&format!("{what} (repeatedly)")), run)
    }
}

fn look(sample: &Sample, launch: &LiveLaunch) -> Look {
    Look::at(
        &sample.measured,
        (sample.launch, sample.round),
        sample.steal_ticks,
        ClockKernel::of(&launch.ready),
        launch.ready.is_partly_elsewhere(),
    )
    .with_others(Others::of(sample))
}
