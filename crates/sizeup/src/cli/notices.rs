//! Notices printed before a run measures.

use super::diagnostic;
use crate::tables::finding_line;
use judge::numbers::counted;
use measure::session::Notice;

/// Says a notice on stderr, and keeps it among the notes.
pub(super) fn notify(notice: &Notice, notes: &mut Vec<String>) {
    if let Notice::MeasuresMachine(what) = notice {
        return diagnostic(what);
    }
    let shown = lines(notice);
    shown.iter().for_each(diagnostic);
    notes.extend(shown);
    if matches!(notice, Notice::Findings(_)) {
        diagnostic("run `sizeup doctor` for details and remedies");
    }
}

fn lines(notice: &Notice) -> Vec<String> {
    match notice {
        Notice::CantRun { case, why } => vec![format!("{case} can't run here: {why}")],
        Notice::Stderr { worker, line } => {
            vec![format!("the worker {worker} wrote to stderr: {line}")]
        }
        Notice::Findings(findings) => {
            let line = |finding| format!("{}; {}", finding_line(finding), finding.meaning);
            findings.iter().map(line).collect()
        }
        Notice::TakeTurns { threads, cpus } => vec![format!(
            "{threads} threads on {} take turns: each works only part of the time, and samples take longer; `--threads all` uses each \
             CPU once",
            counted(*cpus, "CPU")
        )],
        Notice::MeasuresMachine(what) | Notice::LeftOut(what) => vec![what.to_string()],
        Notice::OfFile { file, note } => vec![format!("{}: {note}", file.display())],
        Notice::NotRemoved { file, error } => {
            vec![format!("{} can't be removed: {error}", file.display())]
        }
    }
}
