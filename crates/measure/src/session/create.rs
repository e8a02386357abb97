//! Beginning a run.

use super::header::{Made, header};
use super::manifests::{checked_manifests, why_not};
use super::name::{default_label, default_path};
use super::tasks::tasks;
use super::{ROOT, Session, Tell, cpus_of, told};
use crate::examine::Glance;
use crate::execute::{Interrupt, Manifests, Progress, Task};
use crate::plan::{Ask, most_telling, plan};
use anyhow::bail;
use catalog::Catalog;
use machine::Machine;
use record::{ThreadSpec, Writer};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A run that is to begin.
pub struct NewRun<'a> {
    /// Where its workloads are from.
    pub catalog: &'a Catalog,
    /// What is to be measured.
    pub ask: Ask,
    /// What the machine is to be called; by default its product and CPU.
    pub label: Option<String>,
    /// A name for this very machine.
    pub host: Option<String>,
    /// The run file; by default one in `runs/`.
    pub output: Option<PathBuf>,
    /// The workload whose worker is to damage its output.
    pub planted: Option<String>,
    /// How long a worker may take for an answer, beyond what it was asked to take.
    pub answer_timeout: Duration,
}

impl Session {
    /// Checks that a run can be done here and writes the first line of its file.
    ///
    /// # Errors
    /// When the machine can't do what is asked, or the file is there already or can't be written.
    pub fn create(new: NewRun, tell: &mut Tell, interrupt: &Interrupt) -> anyhow::Result<Self> {
        let NewRun { catalog, ask, label, host, output, planted, answer_timeout } = new;
        if let Some(path) = output.as_ref().filter(|path| path.exists()) {
            bail!(
                "{} is there already and is never written over: name another file, or go on with --resume",
                path.display()
            );
        }
        let machine = Machine::read(Path::new(ROOT));
        let planned = plan(&ask, &machine.topology, &machine.limits)?;
        let tasks = tasks(&planned.plan, &ask.variants, catalog, planted.as_deref())?;
        let glance = Glance::start(Path::new(ROOT), &cpus_of(&planned.plan));
        let manifests = checked_manifests(&tasks, answer_timeout.min(ask.budget), tell, interrupt);
        check_comparable(&tasks, &manifests)?;
        let findings = told(glance.end(Path::new(ROOT), &machine), tell);
        let label = label.unwrap_or_else(|| default_label(&machine));
        let made = Made { label, host, planted, findings };
        let header = header(&ask, &planned, catalog, &manifests, &machine, made)?;
        let path = output.unwrap_or_else(|| default_path(&header));
        // Nothing is lost yet: that is no incomplete run but a file name that can't be taken.
        let writer = Writer::create(&path, &header).map_err(|e| anyhow::anyhow!("{e}"))?;
        let order = most_telling(&planned.plan, &planned.categories);
        Ok(Self {
            plan: planned.plan,
            order,
            tasks,
            manifests,
            machine,
            writer,
            progress: Progress::default(),
            budget: ask.budget,
            answer_timeout,
        })
    }
}

/// Variants are there to be compared: without two of any case that can run, nothing would come of it.
fn check_comparable(tasks: &[Task], manifests: &Manifests) -> anyhow::Result<()> {
    let mut able: BTreeMap<(&str, ThreadSpec), usize> = BTreeMap::new();
    let mut reason = None;
    for task in tasks.iter().filter(|task| task.case.variant.is_some()) {
        let count = able.entry((&task.case.workload, task.case.thread_spec)).or_default();
        match why_not(&task.program, &task.workload, manifests) {
            None => *count += 1,
            Some(why) => reason = Some(why),
        }
    }
    match reason {
        Some(why) if able.values().all(|count| *count < 2) => {
            bail!("no two variants of any workload can run here: {why}")
        }
        _ => Ok(()),
    }
}
