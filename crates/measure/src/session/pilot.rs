//! A short run whose file is discarded. It estimates how much rows vary on this machine before the full run.

use super::{Finished, NewRun, Notice, Notify, Session};
use crate::execute::{Interrupt, Task, Watch};
use record::{Plan, Run};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A pilot takes at least this long, and a tenth of the budget …
const SHORTEST_PILOT: Duration = Duration::from_secs(5);
const PILOT_SHARE: f64 = 0.1;
/// … and long enough for this many samples of each row, some of which may be on shared cores. Each sample has this
/// overhead for pulses, wake-up and launches.
const PILOT_SAMPLES: u32 = 16;
const SAMPLE_OVERHEAD: Duration = Duration::from_millis(25);

/// A pilot that is ready to be measured.
pub struct Pilot {
    session: Session,
    /// The budget of the full run.
    pub budget: Duration,
    /// The target margin of the full run.
    pub precision: f64,
    file: Temporary,
}

impl Pilot {
    /// Creates the pilot of a run.
    ///
    /// # Errors
    /// As [`Session::create`].
    pub fn create(new: NewRun, notify: &mut Notify, interrupt: &Interrupt) -> anyhow::Result<Self> {
        let path =
            std::env::temp_dir().join(format!("sizeup-pilot-{}.run.jsonl", std::process::id()));
        let new = NewRun { output: Some(path.clone()), measure_machine: false, ..new };
        let mut session = Session::create(new, notify, interrupt)?;
        let file = Temporary(path);
        let budget = session.budget;
        session.budget = pilot_time(&session.plan, &session.tasks, budget);
        let precision = session.plan.precision_ppm as f64 / 1e6;
        // The pilot measures variation, so it does not stop when its rows have converged.
        session.plan.precision_ppm = 0;
        Ok(Self { session, budget, precision, file })
    }

    pub fn time(&self) -> Duration {
        self.session.budget
    }

    /// Measures it.
    ///
    /// # Errors
    /// When its file can't be written or read.
    pub fn carry_out(
        self,
        started: Instant,
        watch: &mut dyn Watch,
        notify: &mut Notify,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Run> {
        let Finished { run, not_written } = self.session.carry_out(started, watch, interrupt)?;
        if let Err(error) = std::fs::remove_file(&self.file.0) {
            notify(&Notice::NotRemoved { file: &self.file.0, error: &error });
        }
        not_written.map_or(Ok(run), |error| Err(error.into()))
    }
}

/// How long the pilot of a plan takes.
fn pilot_time(plan: &Plan, tasks: &[Task], budget: Duration) -> Duration {
    let of_task = |task: &Task| {
        let timing = task.timing(plan.timing);
        let turn = Duration::from_nanos(timing.warmup_ns + timing.sample_ns) + SAMPLE_OVERHEAD;
        turn * PILOT_SAMPLES + Duration::from_millis(task.workload.needs.setup_ms)
    };
    let of_rows: Duration = tasks.iter().map(of_task).sum();
    of_rows.max(budget.mul_f64(PILOT_SHARE)).max(SHORTEST_PILOT)
}

/// A file that is removed in any case.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        // Usually it is gone by now; otherwise an earlier error has been reported.
        let _ = std::fs::remove_file(&self.0);
    }
}
