//! Resumes a run that was killed or stopped, if nothing relevant has changed.

use super::manifests::checked_manifests;
use super::tasks::tasks;
use super::{Notice, Notify, ROOT, Session, cpus_of, notified, variants};
use crate::examine::Preflight;
use crate::execute::{Interrupt, Manifests, Progress, monotonic_ns};
use crate::plan::most_telling;
use crate::telemetry::TelemetryAsk;
use anyhow::{Context, bail};
use catalog::{ANOTHER_MACHINE, Catalog, Definition};
use machine::Machine;
use record::{Claim, Finding, Note, Resume, Run, Variant, Writer, wall_clock_ns};
use std::path::Path;
use std::time::Duration;

/// A resumed run gets at least this time, so that it can end cleanly.
const LEAST_TIME: Duration = Duration::from_secs(5);

/// A run to resume.
pub struct Resumption<'a> {
    pub file: &'a Path,
    pub catalog: &'a Catalog,
    /// Its variants, from the command line only.
    pub variants: &'a [Variant],
    /// How long it goes on; by default for what is left of its budget.
    pub budget: Option<Duration>,
    /// How long a worker may take for an answer, in addition to the requested sample time.
    pub answer_timeout: Duration,
    /// Sensors and commands that are read while the run measures.
    pub telemetry: TelemetryAsk,
}

impl Session {
    /// Prepares to continue a run; `None` if nothing is left to do.
    ///
    /// # Errors
    /// When the file can't be read or claimed, or something has changed since the run started.
    pub fn resume(
        resumption: Resumption,
        notify: &mut Notify,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Option<Self>> {
        let Resumption { file, catalog, variants, budget, answer_timeout, telemetry } = resumption;
        // Another process may have added lines until the claim, so read the file again.
        let claim = match record::read(file)?.is_complete() {
            true => None,
            false => Some(Claim::take(file)?),
        };
        let run = record::read(file)?;
        for note in &run.notes {
            notify(&Notice::OfFile { file, note });
        }
        let (Some(claim), false) = (claim, run.is_complete()) else {
            return Ok(None);
        };
        if run.notes.contains(&Note::Changed) {
            bail!("{} was modified after it was closed and cannot be resumed", file.display());
        }
        // Before anything is started.
        variants::check_same(&run.header.variants, variants)?;
        let machine = Machine::read(Path::new(ROOT));
        check_machine(&run, &machine)?;
        check_definitions(&run, catalog)?;
        let plan = run.header.plan.clone();
        let tasks = tasks(&plan, variants, catalog, run.header.injected.as_deref())?;
        let preflight = Preflight::start(Path::new(ROOT), &cpus_of(&plan));
        let manifests = checked_manifests(&tasks, answer_timeout, notify, interrupt);
        let findings = notified(preflight.end(Path::new(ROOT), &machine), notify);
        check_emulation(&run, &findings)?;
        check_build(&run, &manifests)?;
        let resume = Resume { at_unix_ns: wall_clock_ns()?, at_ns: monotonic_ns(), torn_bytes: 0 };
        let writer = Writer::resume(claim, run.whole_bytes, resume)?;
        let left = Duration::from_nanos(plan.budget_ns.saturating_sub(run.spent_ns));
        Ok(Some(Self {
            order: most_telling(&plan, &run.header.categories),
            plan,
            tasks,
            manifests,
            machine,
            writer,
            progress: Progress::of(&run),
            budget: budget.unwrap_or(left).max(LEAST_TIME),
            answer_timeout,
            telemetry,
        }))
    }
}

fn check_machine(run: &Run, machine: &Machine) -> anyhow::Result<()> {
    let differences = machine.fingerprint().differences(&run.header.machine.fingerprint());
    if differences.is_empty() {
        return Ok(());
    }
    bail!("the run started on a different machine: {}", differences.join("; "))
}

/// A run on native hardware can't continue under emulation, because its file would not show it.
fn check_emulation(run: &Run, findings: &[Finding]) -> anyhow::Result<()> {
    let was_emulated = run.notes.iter().any(|note| matches!(note, Note::Emulated { .. }));
    match findings.iter().find(|finding| finding.is_emulation()) {
        Some(finding) if !was_emulated => {
            bail!(
                "the run started on native hardware, but this machine is emulated: {}",
                finding.seen
            )
        }
        _ => Ok(()),
    }
}

fn check_definitions(run: &Run, catalog: &Catalog) -> anyhow::Result<()> {
    for (id, definition) in &run.header.workloads {
        let workload = catalog
            .workloads
            .get(id)
            .with_context(|| format!("unknown workload {id:?}: does --with FOLDER define it?"))?;
        let client = |definition: &Definition| definition.parameters["client"] == ANOTHER_MACHINE;
        if client(definition) != client(&workload.definition) {
            bail!("{id:?}: --client must be the same as when the run started");
        }
        if workload.definition != *definition {
            bail!("the definition of {id:?} has changed since the run started");
        }
    }
    Ok(())
}

fn check_build(run: &Run, manifests: &Manifests) -> anyhow::Result<()> {
    if run.header.sizeup != env!("CARGO_PKG_VERSION") {
        bail!("the run was started by a different version, sizeup {}", run.header.sizeup);
    }
    for (name, manifest) in &run.header.workers {
        match manifests.get(name) {
            Some(Ok(now)) if now.manifest.sha256 == manifest.sha256 => {}
            Some(Err(failure)) => bail!("the worker {name}: {failure}"),
            _ => bail!("the worker {name} is not the build that started the run"),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Severity, fixture};

    #[test]
    fn a_run_on_native_hardware_does_not_continue_under_emulation() {
        let finding = |severity| Finding {
            id: Finding::EMULATION.to_owned(),
            severity,
            seen: "by somebody".to_owned(),
            meaning: String::new(),
            remedy: String::new(),
        };
        let mut run = fixture::run(&[("a/x", &[100; 20])]);
        assert!(check_emulation(&run, &[finding(Severity::Fine)]).is_ok());
        let refusal = check_emulation(&run, &[finding(Severity::Unfit)]).unwrap_err();
        assert!(refusal.to_string().ends_with("this machine is emulated: by somebody"));
        run.notes.push(Note::Emulated { seen: String::new() });
        assert!(check_emulation(&run, &[finding(Severity::Unfit)]).is_ok());
    }
}
