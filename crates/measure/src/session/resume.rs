//! Going on where a run was killed or stopped, if all is as it was.

use super::manifests::checked_manifests;
use super::tasks::tasks;
use super::{Notice, ROOT, Session, Tell, cpus_of, told, variants};
use crate::examine::Glance;
use crate::execute::{Interrupt, Manifests, Progress, monotonic_ns};
use crate::plan::most_telling;
use anyhow::{Context, bail};
use catalog::{ANOTHER_MACHINE, Catalog, Definition};
use machine::Machine;
use record::{Claim, Finding, Note, Resume, Run, Variant, Writer};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// A resumed run has at least this time, so that it can end cleanly.
const LEAST_TIME: Duration = Duration::from_secs(5);

/// A run that is to go on.
pub struct Resumption<'a> {
    /// Its file.
    pub file: &'a Path,
    /// Where its workloads are from.
    pub catalog: &'a Catalog,
    /// Its variants, which are taken from the command line only.
    pub variants: &'a [Variant],
    /// How long a worker may take for an answer, beyond what it was asked to take.
    pub answer_timeout: Duration,
}

impl Session {
    /// What is needed to go on; `None` if nothing is left to do.
    ///
    /// # Errors
    /// When the file can't be read or claimed, or anything is not as it was when the run was begun.
    pub fn resume(
        of: Resumption,
        tell: &mut Tell,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Option<Self>> {
        let Resumption { file, catalog, variants, answer_timeout } = of;
        // Who wrote it until now may have added lines: what counts is what is read while it is claimed.
        let claim = match record::read(file)?.is_complete() {
            true => None,
            false => Some(Claim::take(file)?),
        };
        let run = record::read(file)?;
        for note in &run.notes {
            tell(&Notice::OfFile { file, note });
        }
        let (Some(claim), false) = (claim, run.is_complete()) else {
            return Ok(None);
        };
        if run.notes.contains(&Note::Changed) {
            bail!("{} was changed after it was closed and can't be resumed", file.display());
        }
        // Before anything is started.
        variants::check_same(&run.header.variants, variants)?;
        let machine = Machine::read(Path::new(ROOT));
        check_machine(&run, &machine)?;
        check_definitions(&run, catalog)?;
        let plan = run.header.plan.clone();
        let tasks = tasks(&plan, variants, catalog, run.header.planted.as_deref())?;
        let glance = Glance::start(Path::new(ROOT), &cpus_of(&plan));
        let manifests = checked_manifests(&tasks, answer_timeout, tell, interrupt);
        let findings = told(glance.end(Path::new(ROOT), &machine), tell);
        check_emulation(&run, &findings)?;
        check_build(&run, &manifests)?;
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
        let at_unix_ns = u64::try_from(now.as_nanos())?;
        let resume = Resume { at_unix_ns, at_ns: monotonic_ns(), torn_bytes: 0 };
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
            budget: left.max(LEAST_TIME),
            answer_timeout,
        }))
    }
}

fn check_machine(run: &Run, machine: &Machine) -> anyhow::Result<()> {
    let differences = machine.fingerprint().differences(&run.header.machine.fingerprint());
    if differences.is_empty() {
        return Ok(());
    }
    bail!("the run was started on another machine: {}", differences.join("; "))
}

/// A run that was measured on a CPU can't go on under a translator: its file would not tell.
fn check_emulation(run: &Run, findings: &[Finding]) -> anyhow::Result<()> {
    let was_told = run.notes.iter().any(|note| matches!(note, Note::Emulated { .. }));
    match findings.iter().find(|finding| finding.tells_emulation()) {
        Some(finding) if !was_told => {
            bail!(
                "the run was started on a CPU, and here instructions are translated: {}",
                finding.seen
            )
        }
        _ => Ok(()),
    }
}

fn check_definitions(run: &Run, catalog: &Catalog) -> anyhow::Result<()> {
    for (id, definition) in &run.header.workloads {
        let workload = catalog.workloads.get(id).with_context(|| {
            format!("the run's workload {id:?} is not known here; --with FOLDER?")
        })?;
        let client = |of: &Definition| of.parameters["client"] == ANOTHER_MACHINE;
        if client(definition) != client(&workload.definition) {
            bail!("{id:?} was begun with --client or without: resume it as it was begun");
        }
        if workload.definition != *definition {
            bail!("the definition of {id:?} is not what it was when the run was started");
        }
    }
    Ok(())
}

fn check_build(run: &Run, manifests: &Manifests) -> anyhow::Result<()> {
    if run.header.sizeup != env!("CARGO_PKG_VERSION") {
        bail!("the run was started by sizeup {}", run.header.sizeup);
    }
    for (name, manifest) in &run.header.workers {
        match manifests.get(name) {
            Some(Ok(now)) if now.manifest.sha256 == manifest.sha256 => {}
            Some(Err(failure)) => bail!("the worker {name}: {failure}"),
            _ => bail!("the worker {name} is another build than when the run was started"),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Severity, samples};

    #[test]
    fn a_run_of_a_cpu_does_not_go_on_under_a_translator() {
        let finding = |severity| Finding {
            id: Finding::EMULATION.to_owned(),
            severity,
            seen: "by somebody".to_owned(),
            meaning: String::new(),
            remedy: String::new(),
        };
        let mut run = samples::run(&[("a/x", &[100; 20])]);
        assert!(check_emulation(&run, &[finding(Severity::Fine)]).is_ok());
        let refusal = check_emulation(&run, &[finding(Severity::Unfit)]).unwrap_err();
        assert!(refusal.to_string().ends_with("instructions are translated: by somebody"));
        run.notes.push(Note::Emulated { seen: String::new() });
        assert!(check_emulation(&run, &[finding(Severity::Unfit)]).is_ok());
    }
}
