//! What is said of a run before it measures.

use super::talk;
use crate::tables::finding_line;
use measure::session::Notice;

/// Says a notice on stderr.
pub(super) fn tell(notice: &Notice) {
    match notice {
        Notice::CantRun { case, why } => talk(format_args!("{case} can't run here: {why}")),
        Notice::Stderr { worker, line } => {
            talk(format_args!("the worker {worker} wrote to stderr: {line}"));
        }
        Notice::Findings(findings) => {
            for finding in *findings {
                talk(format_args!("{}; {}", finding_line(finding), finding.meaning));
            }
            talk("`sizeup doctor` says more, and what can be done");
        }
        Notice::LeftOut(what) => talk(what),
        Notice::OfFile { file, note } => talk(format_args!("{}: {note}", file.display())),
        Notice::NotRemoved { file, error } => {
            talk(format_args!("{} can't be removed: {error}", file.display()));
        }
    }
}
