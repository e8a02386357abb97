//! The findings of `sizeup doctor`, as a table.

use doctor::{Evidence, Finding, Moment, Pulses, Severity};
use record::Activity;
use serde::Serialize;
use table::Table;

/// A machine's examination, for people and for scripts.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DoctorView {
    /// Whether nothing is worse than a note.
    pub fit: bool,
    /// For how long it was looked at.
    pub seconds: f64,
    /// What every rule said.
    pub findings: Vec<Finding>,
    /// How the machine was at the end.
    pub moment: Option<Moment>,
    /// What happened meanwhile.
    pub activity: Option<Activity>,
    /// What the pulses showed; `None` if none could be taken.
    pub pulses: Option<Pulses>,
}

impl DoctorView {
    /// What rules said of the evidence.
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

/// A line for every rule; then, of what is not fine, what it means and what can be done, the worst first.
pub fn doctor_table(view: &DoctorView) -> String {
    let mut table = Table::wrapped(&["check", "", "what was seen"]);
    for finding in &view.findings {
        let (severity, seen) = match finding.severity {
            Severity::NotAvailable => ("–".to_owned(), format!("not available: {}", finding.seen)),
            severity => (severity.to_string(), finding.seen.clone()),
        };
        table.row([finding.id.clone(), severity, unbroken(&seen)]);
    }
    let mut worth: Vec<&Finding> =
        view.findings.iter().filter(|finding| finding.severity >= Severity::Note).collect();
    worth.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let mut explained = Table::wrapped(&["", ""]);
    for finding in worth {
        explained.row([finding.severity.to_string(), finding.id.clone()]);
        explained.row(["  means".to_owned(), unbroken(&finding.meaning)]);
        if !finding.remedy.is_empty() {
            explained.row(["  do".to_owned(), unbroken(&finding.remedy)]);
        }
    }
    let text = format!("{table}{explained}\n{}\n", sum(&view.findings));
    text.replace(NO_BREAK, " ")
}

/// A blank at which no line is broken, while lines are broken.
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

/// `Unfit to be measured: 1 unfit, 2 warnings, 3 notes.`
fn sum(findings: &[Finding]) -> String {
    let count = |severity: Severity| findings.iter().filter(|f| f.severity == severity).count();
    let [unfit, warnings, notes] = [Severity::Unfit, Severity::Warning, Severity::Note].map(count);
    let verdict = match (unfit, warnings) {
        (0, 0) => "Fit to be measured",
        (0, _) => "Measure with care",
        _ => "Unfit to be measured",
    };
    let plural =
        |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let counts = [plural(warnings, "warning"), plural(notes, "note")].join(", ");
    match unfit {
        0 => format!("{verdict}: {counts}."),
        _ => format!("{verdict}: {unfit} unfit, {counts}."),
    }
}

/// `warning: cpu-quota: quota of 1.5 CPUs for 2 CPUs`.
pub fn finding_line(finding: &Finding) -> String {
    format!("{}: {}: {}", finding.severity, finding.id, finding.seen)
}
