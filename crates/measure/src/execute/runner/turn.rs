//! A case's turn in a round: one window.

use super::Runner;
use crate::execute::context::RunContext;
use crate::execute::launch::{Checked, LiveLaunch, impossible};
use crate::telemetry::{self, monotonic_ns};
use estimate::{ClockKernel, Look, Others};
use machine::{CpuTimes, Elapsed};
use record::{Measured, Record, Window, WriteError};
use std::time::{Duration, Instant};

impl Runner {
    /// One window, on a fresh launch if it is due.
    pub fn turn(&mut self, run: &mut RunContext) -> Result<(), WriteError> {
        let start_ns = monotonic_ns();
        let timing = &run.settings().plan.timing;
        if self.windows_left == 0 {
            if !self.finish(run)? || !self.start(run)? {
                return Ok(());
            }
            self.windows_left = timing.rounds_per_launch;
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

    /// Records a window.
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
        let window = self.window(launch, measured, elapsed, run.round());
        if stray.is_none() {
            let look = look(&window, launch);
            self.progress.looks.push(look);
        }
        self.windows_left -= 1;
        run.write(&Record::Window(window))?;
        self.count_stray(stray, run)
    }

    fn window(
        &self,
        launch: &LiveLaunch,
        measured: Measured,
        elapsed: Option<Elapsed>,
        round: u64,
    ) -> Window {
        Window {
            launch: launch.number,
            case: self.number(),
            round,
            steal_ticks: elapsed.map(|elapsed| elapsed.steal),
            idle_ticks: elapsed.map(|elapsed| elapsed.idle()),
            total_ticks: elapsed.map(|elapsed| elapsed.total),
            measured,
        }
    }

    /// Ends the case if its worker gives windows that can't be, and not only once.
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
        self.fail(impossible(&format!("{what}, and not for the first time")), run)
    }
}

fn look(window: &Window, launch: &LiveLaunch) -> Look {
    Look::at(
        &window.measured,
        (window.launch, window.round),
        window.steal_ticks,
        ClockKernel::of(&launch.ready),
        launch.ready.is_partly_elsewhere(),
    )
    .beside(Others::of(window))
}
