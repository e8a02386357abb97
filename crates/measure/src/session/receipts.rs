//! Asking workers what they are made of.

use super::{Notice, Tell};
use crate::execute::{Interrupt, Receipts, Task, receipt};
use catalog::Program;
use std::collections::BTreeMap;
use std::time::Duration;

/// So much of what a worker wrote to stderr is told.
const MOST_STDERR_LINES: usize = 10;

/// How long commands that measure nothing wait for a receipt.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// One receipt a worker, or why there is none.
pub fn receipts<'a>(
    programs: impl IntoIterator<Item = &'a Program>,
    patience: Duration,
    interrupt: &Interrupt,
) -> Receipts {
    let programs: BTreeMap<&String, &Program> =
        programs.into_iter().map(|program| (&program.name, program)).collect();
    programs
        .into_iter()
        .map(|(name, program)| (name.clone(), receipt(program, patience, interrupt)))
        .collect()
}

/// Why a program can't do what it is asked for under this name; `None` if it can.
pub fn why_not(program: &Program, asked_as: &String, receipts: &Receipts) -> Option<String> {
    match &receipts[&program.name] {
        Err(failure) => Some(failure.message.clone()),
        Ok(listed) if !listed.workloads.contains(asked_as) => {
            Some(format!("the worker {} does not have it", program.name))
        }
        Ok(_) => None,
    }
}

/// The receipts of all workers of a plan; tells which workloads can't run. Their cases get that as their
/// outcome when they are launched.
pub(super) fn checked_receipts(
    tasks: &[Task],
    patience: Duration,
    tell: &mut Tell,
    interrupt: &Interrupt,
) -> Receipts {
    let receipts = receipts(tasks.iter().map(|task| &task.program), patience, interrupt);
    let why_not = |task: &Task| why_not(&task.program, &task.asked_as, &receipts);
    let unable: BTreeMap<String, String> =
        tasks.iter().filter_map(|task| Some((task.case.name(), why_not(task)?))).collect();
    for (case, why) in &unable {
        tell(&Notice::CantRun { case, why });
    }
    // A loader that could not do what a variant asks of it, say, only complains.
    for (worker, listed) in &receipts {
        for line in listed.iter().flat_map(|l| l.stderr.lines()).take(MOST_STDERR_LINES) {
            tell(&Notice::Stderr { worker, line });
        }
    }
    receipts
}
