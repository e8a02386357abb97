//! Asking workers what they are made of.

use crate::catalog::Program;
use crate::execute::{Interrupt, Receipts, receipt};
use std::collections::BTreeMap;
use std::time::Duration;

/// How long commands that measure nothing wait for a receipt.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// One receipt a worker, or why there is none.
pub(super) fn receipts<'a>(
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
pub(super) fn why_not(program: &Program, asked_as: &String, receipts: &Receipts) -> Option<String> {
    match &receipts[&program.name] {
        Err(failure) => Some(failure.message.clone()),
        Ok(listed) if !listed.workloads.contains(asked_as) => {
            Some(format!("the worker {} does not have it", program.name))
        }
        Ok(_) => None,
    }
}
