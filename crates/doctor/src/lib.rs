//! Whether a machine is fit to be measured, and what stood against it while it was.
//!
//! `evidence` is gathered (from the machine by `measure::examine`, or from a run's file), `rules` judge it and give
//! findings. A run is judged by the same rules as the machine
//! is before it. `docs/doctor.md` describes every rule.
//!
//! Architecture invariant: rules are pure functions of the evidence.

mod evidence;
mod pulses;
mod rules;
mod siblings;

pub use evidence::{Evidence, Moment};
pub use pulses::{CpuPulses, CpuSeries, Pulses};
pub use record::{Finding, Severity};
pub use rules::{RULES, Rule, RuleKind, judge};
pub use siblings::{Candidate, Go, Pair, Sharing, kept};

use estimate::RunEstimate;
use record::Run;
use std::collections::BTreeSet;

/// What is to be said of a run: what was told at its start, and what happened while it measured.
pub fn findings_of_run(run: &Run, estimate: &RunEstimate) -> Vec<Finding> {
    let evidence = Evidence::of_run(run, Pulses::of_run(run, estimate));
    let happened = judge(&evidence, &[RuleKind::Activity, RuleKind::Pulse]);
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
