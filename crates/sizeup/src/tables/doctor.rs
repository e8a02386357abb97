//! Findings of `sizeup doctor`.

use crate::briefing::{Briefing, Extent};
use doctor::{Evidence, Finding, Moment, Pulses, Severity};
use judge::numbers::counted;
use record::Activity;
use serde::Serialize;
use terminal::table::{Heading, Table};

/// A machine's examination, for people and for scripts.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DoctorView {
    /// Whether nothing is worse than a note.
    pub fit: bool,
    /// For how long it was looked at.
    pub seconds: f64,
    /// One per rule.
    pub findings: Vec<Finding>,
    /// How the machine was at the end.
    pub moment: Option<Moment>,
    /// System activity while doctor watched.
    pub activity: Option<Activity>,
    /// `None` if no pulse could be taken.
    pub pulses: Option<Pulses>,
}

impl DoctorView {
    /// Fit unless a finding is bad.
    pub fn of(evidence: Evidence, findings: Vec<Finding>) -> Self {
        Self {
            fit: !findings.iter().any(|finding| finding.severity.is_bad()),
            seconds: evidence.activity.as_ref().map_or(0.0, Activity::seconds),
            findings,
            moment: evidence.moment,
            activity: evidence.activity,
            pulses: evidence.pulses.and_then(Result::ok),
        }
    }
}

/// The verdict, then what is wrong, what that means and what can be done, the worst first; all checks by `--all`.
pub fn doctor_briefing(view: &DoctorView, extent: Extent) -> Briefing {
    let mut answer = Briefing::default();
    let found = |severity: Severity| -> Vec<&Finding> {
        view.findings.iter().filter(|finding| finding.severity == severity).collect()
    };
    let [unfit, warnings, notes] = [Severity::Unfit, Severity::Warning, Severity::Note].map(found);
    let seen = |findings: &[&Finding]| {
        findings.iter().map(|finding| without_asides(&finding.seen)).collect::<Vec<_>>().join("; ")
    };
    match (&unfit[..], &warnings[..]) {
        ([], []) => answer.say(format!(
            "Fit to be measured: {}, {}.",
            counted(view.findings.len(), "check"),
            counted(notes.len(), "note")
        )),
        ([], warnings) => answer.say(format!("Measure with care: {}.", seen(warnings))),
        (unfit, _) => answer.warn(format!("Not fit to be measured: {}.", seen(unfit))),
    }
    for finding in unfit.iter().chain(&warnings) {
        let mut table = Table::new([Heading::left(""), Heading::left("").wraps()]);
        table.row(["seen", &finding.seen].map(unbroken));
        table.row(["means", &finding.meaning].map(unbroken));
        if !finding.remedy.is_empty() {
            table.row(["do", &finding.remedy].map(unbroken));
        }
        answer.table(format!("{}: {}", finding.severity, finding.id), table, "lines");
    }
    let is_shown = |finding: &&Finding| extent.all || finding.severity == Severity::Note;
    let mut table = Table::new([Heading::left(""), Heading::left(""), Heading::left("").wraps()]);
    for finding in view.findings.iter().filter(is_shown) {
        let severity = match finding.severity {
            Severity::NotAvailable => "–".to_owned(),
            severity => severity.to_string(),
        };
        let seen = match finding.severity {
            Severity::NotAvailable => format!("not available: {}", finding.seen),
            Severity::Note => format!("{}. {}", finding.seen, finding.meaning),
            _ => finding.seen.clone(),
        };
        table.row([finding.id.clone(), severity, unbroken(&seen)]);
    }
    answer.table(if extent.all { "All checks" } else { "Notes" }, table, "checks");
    if !extent.all {
        answer.next("sizeup doctor --all   # every check");
    }
    answer
}

/// A blank at which no line is broken; on the screen it is one.
const NO_BREAK: char = '\u{a0}';

/// Keeps numbers and what they are of on one line.
fn unbroken(text: &str) -> String {
    let mut unbroken = text.to_owned();
    for (loose, firm) in [(" %", "%"), (" s;", "s;"), (" s)", "s)")] {
        unbroken = unbroken.replace(loose, &format!("{NO_BREAK}{firm}"));
    }
    for word in ["CPU ", "CPUs ", "pid "] {
        unbroken = unbroken.replace(word, &format!("{}{NO_BREAK}", word.trim_end()));
    }
    unbroken
}

/// `warning: cpu-quota: quota of 1.5 CPUs for 2 CPUs`.
pub fn finding_line(finding: &Finding) -> String {
    format!("{}: {}: {}", finding.severity, finding.id, finding.seen)
}

/// A text without what stands in parentheses, such as processes, which follow below or in the notes.
pub fn without_asides(text: &str) -> String {
    let mut parts = text.split(" (");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |kept, part| kept + part.split_once(')').map_or("", |(_, rest)| rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_are_left_out_of_the_sentence() {
        let seen = "other processes used 78 % of CPU 0 (sh, pid 1: 0.4 s), 75 % of CPU 1 (sh, pid 2: 0.4 s)";
        assert_eq!(without_asides(seen), "other processes used 78 % of CPU 0, 75 % of CPU 1");
        assert_eq!(without_asides("clock 2.85 GHz"), "clock 2.85 GHz");
        assert_eq!(without_asides("a (b"), "a");
    }
}
