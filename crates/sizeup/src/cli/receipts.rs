//! Asking all workers of some workloads what they are made of.

use crate::catalog::{Program, Workload};
use crate::execute::{Interrupt, Receipts, receipt};
use std::collections::BTreeMap;
use std::time::Duration;

/// How long commands that measure nothing wait for a receipt.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// One receipt a worker, or why there is none.
pub(super) fn receipts<'a>(
    workloads: impl IntoIterator<Item = &'a Workload>,
    patience: Duration,
    interrupt: &Interrupt,
) -> Receipts {
    let programs: BTreeMap<&String, &Program> =
        workloads.into_iter().map(|w| (&w.program.name, &w.program)).collect();
    programs
        .into_iter()
        .map(|(name, program)| (name.clone(), receipt(program, patience, interrupt)))
        .collect()
}

/// Why a workload can't run here; `None` if it can.
pub(super) fn why_not(workload: &Workload, receipts: &Receipts) -> Option<String> {
    match &receipts[&workload.program.name] {
        Err(failure) => Some(failure.message.clone()),
        Ok((_, has)) if !has.contains(&workload.asked_as) => {
            Some(format!("the worker {} does not have it", workload.program.name))
        }
        Ok(_) => None,
    }
}
