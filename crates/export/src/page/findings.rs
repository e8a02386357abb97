//! Findings about a run, phrased for a page: a page is passed on, so it names no process and no CPU, and gives no command.
//!
//! A finding's own text is for whoever owns the machine; nothing of it comes onto a page. The figures come from what the
//! run recorded while it measured.

use doctor::{Finding, Severity};
use record::{Activity, Run};
use serde::Serialize;

/// Something that disturbed a run, or a rule that had nothing to look at.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Finding"))]
pub(super) struct PageFinding {
    /// The rule's ID; see `docs/doctor.md`.
    id: &'static str,
    severity: Severity,
    /// The problem; empty for a rule that had no data.
    what: String,
}

/// Rule and what was the matter if it is not fine.
const WHAT: [(&str, &str); 24] = [
    ("emulation", "software emulated the CPU"),
    ("virtualisation", "it is a virtual machine, whose host may run other guests"),
    ("governor", "the clock followed the load"),
    ("turbo", "the clock depended on heat and on how many cores were busy"),
    ("frequency-cap", "the clock was kept below its maximum"),
    ("smt", "threads shared cores (SMT)"),
    ("allowed-cpus", "sizeup was not allowed to use all CPUs"),
    ("cpu-quota", "a control group limited CPU time"),
    ("throttling", "a quota stopped the workloads now and then"),
    ("heat", "cores slowed down from heat"),
    ("memory", "memory was short for many threads"),
    ("swap", "memory had been short before"),
    ("swapping", "memory was short"),
    ("load", "other work ran shortly before"),
    ("steal", "the hypervisor took CPU time"),
    ("others", "other processes used CPU time"),
    ("unseen", "processes not visible to sizeup used CPU time"),
    ("pulse", "sizeup could not probe the cores"),
    ("cpu-share", "a thread alone on a CPU did not get all of it"),
    ("clock", "the clock was not steady"),
    ("neighbour", "other work shared the cores"),
    ("whole-core", "other work shared the cores all the time"),
    ("memory-neighbour", "other work used the memory"),
    ("siblings", "the kernel does not know which CPUs share a core"),
];

/// Findings worth a reader's while: all but those of rules that found nothing.
pub(super) fn public(findings: &[Finding], run: &Run) -> Vec<PageFinding> {
    let activity = Activity::sum(&run.activity);
    let findings = findings.iter().filter(|finding| finding.severity != Severity::Fine);
    findings.map(|finding| PageFinding::of(finding, activity.as_ref())).collect()
}

impl PageFinding {
    fn of(finding: &Finding, activity: Option<&Activity>) -> Self {
        let known = WHAT.iter().find(|(id, _)| *id == finding.id);
        let (id, what) =
            *known.unwrap_or(&("unknown", "this version of sizeup does not know the finding"));
        let measured = match (id, activity) {
            _ if finding.severity == Severity::NotAvailable => Some(String::new()),
            ("others", Some(activity)) => Some(format!(
                "other processes used {:.1} CPUs while it ran",
                activity.others_cpus()
            )),
            ("steal", Some(activity)) => activity
                .elapsed
                .and_then(|elapsed| elapsed.steal_share())
                .map(|share| format!("the hypervisor took {:.1} % of CPU time", share * 100.0)),
            _ => None,
        };
        Self { id, severity: finding.severity, what: measured.unwrap_or_else(|| what.to_owned()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use doctor::RULES;

    #[test]
    fn every_rule_has_its_sentence() {
        let known: Vec<&str> = WHAT.iter().map(|(id, _)| *id).collect();
        let rules: Vec<&str> = RULES.iter().map(|rule| rule.id).collect();
        assert_eq!(known, rules);
    }
}
