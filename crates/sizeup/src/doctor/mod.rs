//! Whether a machine is fit to be measured, and what stood against it while it was.
//!
//! `evidence` is gathered (by an `examination`, whose pulses `probe` takes, by a `glance` before a run, or
//! from a run's file), `rules` judge it and give findings. A run is judged by the same rules as the machine
//! is before it. `docs/doctor.md` describes every rule.
//!
//! Architecture invariant: rules are pure functions of the evidence.

mod evidence;
mod examination;
mod glance;
mod probe;
mod pulses;
mod rules;
mod siblings;

pub use crate::record::{Finding, Severity};
pub use evidence::{Evidence, Moment};
pub use examination::examine;
pub use glance::Glance;
use probe::{Probe, pulses};
pub use pulses::{CpuPulses, Pulses};
pub use rules::{Kind, RULES, Rule, judge};
pub use siblings::{Candidate, Pair, Verdict};

use crate::estimate::RunEstimate;
use crate::record::Run;
use std::collections::BTreeSet;

/// What is to be said of a run: what was told at its start, and what happened while it measured.
pub fn findings_of_run(run: &Run, estimate: &RunEstimate) -> Vec<Finding> {
    let evidence = Evidence::of_run(run, Pulses::of_run(run, estimate));
    let happened = judge(&evidence, &[Kind::Activity, Kind::Pulse]);
    // What was seen for minutes says more than a glance at the start.
    let is_known = |finding: &&Finding| finding.severity != Severity::NotAvailable;
    let later: BTreeSet<&str> = happened.iter().filter(is_known).map(|f| f.id.as_str()).collect();
    let at_start = run.header.findings.iter().filter(|told| !later.contains(told.id.as_str()));
    let mut findings: Vec<Finding> = at_start.cloned().collect();
    findings.extend(happened);
    findings
}

#[cfg(test)]
mod tests;
