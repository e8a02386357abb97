//! Checks whether a machine is fit to be measured, and which problems a run had.
//!
//! `rules` judge `evidence` (from the machine by `measure::examine`, or from a run file) and give findings. The same
//! rules judge a machine before a run and the run afterwards. `docs/doctor.md` describes every rule.
//!
//! Architecture invariant: rules are pure functions of the evidence.

#![allow(missing_docs)]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests read what they wrote"))]

mod evidence;
mod pulses;
mod rules;
mod siblings;
mod validity;

pub use evidence::{Evidence, Moment};
pub use pulses::{CpuPulses, CpuSeries, Pulses};
pub use record::{Finding, Severity};
pub use rules::pulse::MOST_WIDTH_FACTOR;
pub use rules::{RULES, Rule, RuleKind, judge};
pub use siblings::{Candidate, Go, Pair, Sharing, kept};
pub use validity::{LEAST_OTHERS_CPUS, validity_of};

use estimate::RunEstimate;
use record::Run;
use std::collections::BTreeSet;

/// A run's findings: those at its start, and those on what happened while it measured.
pub fn findings_of_run(run: &Run, estimate: &RunEstimate) -> Vec<Finding> {
    let evidence = Evidence::of_run(run, Pulses::of_run(run, estimate));
    let happened = judge(&evidence, &[RuleKind::Activity, RuleKind::Pulse]);
    // Minutes of observation outweigh the preflight check.
    let is_known = |finding: &&Finding| finding.severity != Severity::NotAvailable;
    let later: BTreeSet<&str> = happened.iter().filter(is_known).map(|f| f.id.as_str()).collect();
    let at_start = run.header.findings.iter().filter(|f| !later.contains(f.id.as_str()));
    let mut findings: Vec<Finding> = at_start.cloned().collect();
    findings.extend(happened);
    findings
}

#[cfg(test)]
mod tests;
