//! A short run whose file is not kept: how rows spread here, before a whole run is measured.

use super::{Finished, NewRun, Notice, Session, Tell};
use crate::execute::{Interrupt, Watch};
use record::{Plan, Run};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A pilot takes at least this long, and a tenth of the budget …
const SHORTEST_PILOT: Duration = Duration::from_secs(5);
const PILOT_SHARE: f64 = 0.1;
/// … and long enough for so many windows of each row, of which some may lie on shared cores. A pulse, waking
/// up and starting workers take this long beside each.
const PILOT_WINDOWS: u32 = 16;
const BESIDE_A_WINDOW: Duration = Duration::from_millis(25);

/// A pilot that is to be measured.
pub struct Pilot {
    session: Session,
    /// The budget of the run that it is for.
    pub budget: Duration,
    /// The precision that this is to reach: half of the width of intervals.
    pub precision: f64,
    file: Temporary,
}

impl Pilot {
    /// Begins the pilot of a run.
    ///
    /// # Errors
    /// As [`Session::create`].
    pub fn create(new: NewRun, tell: &mut Tell, interrupt: &Interrupt) -> anyhow::Result<Self> {
        let path =
            std::env::temp_dir().join(format!("sizeup-pilot-{}.run.jsonl", std::process::id()));
        let new = NewRun { output: Some(path.clone()), ..new };
        let mut session = Session::create(new, tell, interrupt)?;
        let file = Temporary(path);
        let budget = session.budget;
        session.budget = pilot_time(&session.plan, budget);
        let precision = session.plan.precision_ppm as f64 / 1e6;
        // The pilot goes on though its rows may be narrow: how they spread is what it is for.
        session.plan.precision_ppm = 0;
        Ok(Self { session, budget, precision, file })
    }

    /// How long it takes.
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
        tell: &mut Tell,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Run> {
        let Finished { run, not_written } = self.session.carry_out(started, watch, interrupt)?;
        if let Err(error) = std::fs::remove_file(&self.file.0) {
            tell(&Notice::NotRemoved { file: &self.file.0, error: &error });
        }
        not_written.map_or(Ok(run), |error| Err(error.into()))
    }
}

/// How long the pilot of a plan takes.
fn pilot_time(plan: &Plan, budget: Duration) -> Duration {
    let turn =
        Duration::from_nanos(plan.timing.settle_ns + plan.timing.window_ns) + BESIDE_A_WINDOW;
    let of_rows = turn * PILOT_WINDOWS * u32::try_from(plan.cases.len()).unwrap_or(u32::MAX);
    of_rows.max(budget.mul_f64(PILOT_SHARE)).max(SHORTEST_PILOT)
}

/// A file that does not stay, come what may.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        // Mostly it is gone by now; where it isn't, the user is told of what went wrong before.
        let _ = std::fs::remove_file(&self.0);
    }
}
