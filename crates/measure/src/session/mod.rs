//! A run from its first check to the last line of its file: begun (`create`) or gone on with (`resume`), without what there
//! is no time for (`short_budget`), then carried out. A `pilot` is a short one whose file is not kept.
//!
//! Nothing is printed here: what the user must know is a [`Notice`].

mod create;
mod header;
mod manifests;
mod name;
mod notice;
mod pilot;
mod resume;
mod short_budget;
mod tasks;
mod variants;

pub use create::NewRun;
pub use manifests::{PATIENCE, manifests, why_not};
pub use name::file_name;
pub use notice::{Notice, Tell};
pub use pilot::Pilot;
pub use resume::Resumption;
pub use variants::flag;

use crate::execute::{
    Interrupt, Manifests, Progress, Settings, Task, Watch, execute, monotonic_ns,
};
use doctor::Finding;
use machine::Machine;
use record::{Plan, Run, WriteError, Writer};
use std::path::Path;
use std::time::{Duration, Instant};

/// Where the system describes itself.
const ROOT: &str = "/";

/// Everything that is needed to measure.
pub struct Session {
    plan: Plan,
    /// The plan's cases, the most telling first.
    order: Vec<usize>,
    tasks: Vec<Task>,
    manifests: Manifests,
    machine: Machine,
    writer: Writer,
    progress: Progress,
    /// Time that is left of the budget.
    budget: Duration,
    answer_timeout: Duration,
}

/// What measuring came to.
pub struct Finished {
    /// What the run file holds.
    pub run: Run,
    /// Why it could not be written to its end.
    pub not_written: Option<WriteError>,
}

impl Session {
    /// Time that is left of the budget.
    pub fn budget(&self) -> Duration {
        self.budget
    }

    /// A hundredth of the budget is for reading the file again and printing the table.
    fn time_to_measure(&self) -> Duration {
        self.budget.mul_f64(0.99)
    }

    /// Measures until the budget, which began at `started`, is used up or all is done, and gives what the run file holds
    /// then: where it can't be written any more (a full disk, say), what was measured until then.
    ///
    /// # Errors
    /// When the run file can't be read.
    pub fn carry_out(
        mut self,
        started: Instant,
        watch: &mut dyn Watch,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Finished> {
        let path = self.writer.path().to_owned();
        let settings = Settings {
            plan: &self.plan,
            manifests: &self.manifests,
            limits: &self.machine.limits,
            topology: &self.machine.topology,
            order: &self.order,
            deadline: started + self.time_to_measure(),
            answer_timeout: self.answer_timeout,
            root: Path::new(ROOT),
        };
        let writer = &mut self.writer;
        let ended = execute(&settings, self.tasks, self.progress, writer, watch, interrupt);
        let not_written = match ended {
            Ok(ended) => self.writer.close(ended, monotonic_ns()).err(),
            Err(error) => {
                // What there is still room for, before it is read.
                let _ = self.writer.flush();
                Some(error)
            }
        };
        match (record::read(&path), not_written) {
            (Ok(run), not_written) => Ok(Finished { run, not_written }),
            (Err(_), Some(error)) => Err(error.into()),
            (Err(error), None) => Err(error.into()),
        }
    }
}

/// The CPUs that a plan measures on.
fn cpus_of(plan: &Plan) -> Vec<u32> {
    plan.cases.iter().flat_map(|case| &case.cpus).copied().collect()
}

/// Says what stands against measuring.
fn told(findings: Vec<Finding>, tell: &mut Tell) -> Vec<Finding> {
    if !findings.is_empty() {
        tell(&Notice::Findings(&findings));
    }
    findings
}
