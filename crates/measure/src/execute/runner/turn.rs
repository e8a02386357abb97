//! A case's samples.

use super::Runner;
use crate::execute::context::RunContext;
use crate::execute::launch::{Checked, impossible};
use crate::telemetry;
use estimate::Look;
use machine::{CpuTimes, Elapsed};
use record::{Measured, Record, Sample, WriteError};
use std::time::{Duration, Instant};

impl Runner {
    /// Replaces the launch if that is due; false if that failed.
    pub fn renew(&mut self, run: &mut RunContext) -> Result<bool, WriteError> {
        if self.samples_left > 0 {
            return Ok(true);
        }
        if !self.finish(run)? || !self.start(run)? {
            return Ok(false);
        }
        self.samples_left = self.timing(&run.settings().plan.timing).rounds_per_launch;
        Ok(true)
    }

    /// Takes one sample alone.
    pub fn sample_alone(&mut self, run: &mut RunContext) -> Result<(), WriteError> {
        let timing = self.timing(&run.settings().plan.timing);
        let Some(launch) = &mut self.launch else { return Ok(()) };
        let before = CpuTimes::read(run.settings().root);
        run.read_energy();
        let measured = launch.measure(&timing);
        run.read_energy();
        let after = CpuTimes::read(run.settings().root);
        match measured {
            Ok(checked) => {
                let elapsed = telemetry::elapsed(&before, &after, &self.case().cpus);
                self.keep(checked, elapsed, run)
            }
            Err(failure) => self.fail(failure, run),
        }
    }

    /// A turn of this length has ended.
    pub fn end_turn(&mut self, took: Duration) {
        self.turn_took = took;
        self.last = Some(Instant::now());
    }

    /// Keeps a sample taken while another case ran.
    pub fn keep_beside(&mut self, sample: &Sample, other: usize) {
        let Some(launch) = &self.launch else { return };
        let look = Look::of(sample, &launch.ready);
        self.progress.beside.entry(other).or_default().push(look);
    }

    fn keep(
        &mut self,
        checked: Checked,
        elapsed: Option<Elapsed>,
        run: &mut RunContext,
    ) -> Result<(), WriteError> {
        let Some(launch) = &self.launch else { return Ok(()) };
        let Checked { measured, stray, took } = checked;
        if stray.is_none()
            && let Err(failure) = run.count_sample(self.number(), &measured)
        {
            return self.fail(failure, run);
        }
        let sample = self.sample(launch.number, measured, elapsed, run.round());
        if stray.is_none() {
            let look = Look::of(&sample, &launch.ready);
            self.progress.looks.push(look);
        }
        self.lasted(took);
        self.samples_left -= 1;
        run.write(&Record::Sample(sample))?;
        self.count_stray(stray, run)
    }

    /// The record of what a launch measured.
    pub fn sample(
        &self,
        launch: u64,
        measured: Measured,
        elapsed: Option<Elapsed>,
        round: u64,
    ) -> Sample {
        Sample {
            launch,
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
