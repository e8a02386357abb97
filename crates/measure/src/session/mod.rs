//! A run from its first check to the last line of its file: created (`create`) or resumed (`resume`), reduced to what fits
//! into the budget (`short_budget`), then carried out. A `pilot` is a short run whose file is discarded.
//!
//! Nothing is printed here; messages for the user are [`Notice`]s.

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
pub use name::{default_label, file_name, free_path};
pub use notice::{Notice, Notify};
pub use pilot::Pilot;
pub use resume::Resumption;
pub use variants::flag;

use crate::execute::{
    Interrupt, Manifests, Progress, Settings, Task, Watch, execute, monotonic_ns,
};
use crate::telemetry::TelemetryAsk;
use doctor::{Finding, findings_of_run, validity_of};
use estimate::RunEstimate;
use machine::Machine;
use record::{Close, Ended, Note, Plan, Record, Run, WriteError, Writer};
use std::path::Path;
use std::time::{Duration, Instant};

/// Where the system describes itself.
const ROOT: &str = "/";

/// A run that is ready to be measured.
pub struct Session {
    plan: Plan,
    /// The plan's cases, the most representative first.
    order: Vec<usize>,
    tasks: Vec<Task>,
    manifests: Manifests,
    machine: Machine,
    writer: Writer,
    progress: Progress,
    /// The remaining budget.
    budget: Duration,
    answer_timeout: Duration,
    telemetry: TelemetryAsk,
}

/// The result of measuring.
pub struct Finished {
    pub run: Run,
    /// Why the run file could not be completed.
    pub not_written: Option<WriteError>,
}

impl Session {
    /// The remaining budget.
    pub fn budget(&self) -> Duration {
        self.budget
    }

    /// Reserves 1 % of the budget for reading the file and printing the table.
    fn time_to_measure(&self) -> Duration {
        self.budget.mul_f64(0.99)
    }

    /// Measures until the budget, which began at `started`, runs out or all is done. Returns the content of the run file,
    /// even if it could not be completed, e.g. because of a full disk.
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
            telemetry: &self.telemetry,
        };
        let writer = &mut self.writer;
        let ended = execute(&settings, self.tasks, self.progress, writer, watch, interrupt);
        let not_written = match ended {
            Ok(ended) => close(self.writer, ended).err(),
            Err(error) => {
                // Write as much as there is room for before reading the file.
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

/// Judges what was measured, for readers that have only the file, and ends it.
fn close(mut writer: Writer, ended: Ended) -> Result<(), WriteError> {
    let at_ns = monotonic_ns();
    writer.flush()?;
    // An unreadable file can't be judged; its reader will say why.
    if let Ok(mut run) = record::read(writer.path()) {
        run.close = Some(Close { at_ns, ended, sha256: String::new() });
        run.notes.retain(|note| *note != Note::Open);
        let estimates = RunEstimate::of(&run);
        let findings = findings_of_run(&run, &estimates);
        writer.write(&Record::Validity(validity_of(&run, &estimates, &findings)))?;
    }
    writer.close(ended, at_ns)
}

/// The CPUs that a plan measures on.
fn cpus_of(plan: &Plan) -> Vec<u32> {
    plan.cases.iter().flat_map(|case| &case.cpus).copied().collect()
}

/// Reports the problems found and passes them on.
fn notified(findings: Vec<Finding>, notify: &mut Notify) -> Vec<Finding> {
    if !findings.is_empty() {
        notify(&Notice::Findings(&findings));
    }
    findings
}
