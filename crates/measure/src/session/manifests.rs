//! Reads the manifests of workers.

use super::{Notice, Notify};
use crate::execute::{Interrupt, Manifests, Task, manifest};
use catalog::{Program, Workload};
use std::collections::BTreeMap;
use std::time::Duration;

/// Most lines of a worker's stderr to report.
const MOST_STDERR_LINES: usize = 10;

/// How long commands that measure nothing wait for a manifest.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// Each worker's manifest, or why there is none.
pub fn manifests<'a>(
    programs: impl IntoIterator<Item = &'a Program>,
    patience: Duration,
    interrupt: &Interrupt,
) -> Manifests {
    let programs: BTreeMap<&String, &Program> =
        programs.into_iter().map(|program| (&program.name, program)).collect();
    programs
        .into_iter()
        .map(|(name, program)| (name.clone(), manifest(program, patience, interrupt)))
        .collect()
}

/// Why a program can't run a workload; `None` if it can.
pub fn why_not(program: &Program, workload: &Workload, manifests: &Manifests) -> Option<String> {
    match &manifests[&program.name] {
        Err(failure) => Some(failure.message.clone()),
        Ok(listed) => listed.why_not(workload),
    }
}

/// The manifests of all workers of a plan. Reports workloads that can't run; their cases get an outcome when they are
/// launched.
pub(super) fn checked_manifests(
    tasks: &[Task],
    patience: Duration,
    notify: &mut Notify,
    interrupt: &Interrupt,
) -> Manifests {
    let manifests = manifests(tasks.iter().map(|task| &task.program), patience, interrupt);
    let why_not = |task: &Task| why_not(&task.program, &task.workload, &manifests);
    let unable: BTreeMap<String, String> =
        tasks.iter().filter_map(|task| Some((task.case.name(), why_not(task)?))).collect();
    for (case, why) in &unable {
        notify(&Notice::CantRun { case, why });
    }
    // A loader that can't apply a variant's setting, for example, only prints a warning.
    for (worker, listed) in &manifests {
        for line in listed.iter().flat_map(|l| l.stderr.lines()).take(MOST_STDERR_LINES) {
            notify(&Notice::Stderr { worker, line });
        }
    }
    manifests
}
