//! Why a case has no figure.

use record::{Outcome, OutcomeKind};
use serde::Deserialize;
use terminal::printable;

/// A worker's failure, as it told it or as the harness saw it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// The protocol's kinds of errors, or the harness's: `start`, `timeout`, `died`, `flood`,
    /// `not-the-protocol`, `impossible`, `memory`, `interrupted`.
    pub kind: String,
    /// What happened, and where.
    pub message: String,
    /// What to do next; may be empty.
    pub hint: String,
    /// The last that the worker wrote to stderr.
    pub stderr: String,
}

impl Failure {
    pub(super) fn new(kind: &str, message: impl Into<String>, hint: &str) -> Self {
        Self {
            kind: kind.to_owned(),
            message: message.into(),
            hint: hint.to_owned(),
            stderr: String::new(),
        }
    }

    /// What a worker wrote that is no answer to what it was asked.
    pub(super) fn not_the_protocol(message: impl Into<String>) -> Self {
        Self::new("not-the-protocol", message, "the worker doesn't keep to docs/protocol.md")
    }

    /// What this makes of a case.
    pub(super) fn outcome(self, case: usize) -> Outcome {
        let outcome = match self.kind.as_str() {
            "unavailable" | "resources" | "memory" => OutcomeKind::Unavailable,
            _ => OutcomeKind::Failed,
        };
        Outcome {
            case,
            outcome,
            kind: self.kind,
            message: presentable(&self.message),
            hint: presentable(&self.hint),
            stderr: presentable_lines(&self.stderr),
        }
    }
}

/// A worker's own `error` answer.
#[derive(Deserialize)]
pub(super) struct ErrorAnswer {
    kind: String,
    message: String,
    #[serde(default)]
    hint: String,
}

/// The kinds that a worker may tell; another is its fault, and must not pass for one of ours.
const KINDS: [&str; 9] = [
    "protocol",
    "bad-request",
    "unknown-operation",
    "input",
    "unavailable",
    "resources",
    "wrong-answer",
    "operation-failed",
    "internal",
];

impl From<ErrorAnswer> for Failure {
    fn from(answer: ErrorAnswer) -> Self {
        let kind = KINDS.into_iter().find(|kind| *kind == answer.kind).unwrap_or("internal");
        Self::new(kind, answer.message, &answer.hint)
    }
}

/// A line that does no harm on a terminal and names no home folder, as it goes into run files.
fn presentable(line: &str) -> String {
    match std::env::var("HOME") {
        Ok(home) if home.len() > 1 => printable(&line.replace(&home, "~")),
        _ => printable(line),
    }
}

/// The same of what has several lines: all of them.
fn presentable_lines(text: &str) -> String {
    text.lines().map(presentable).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_worker_wrote_does_no_harm_in_a_run_file() {
        let mut failure = Failure::new("died", "one\ntwo \u{202e}evil\u{1b}[2J", "a\nb");
        failure.stderr = "first\r\n\u{2066}second\t\n".to_owned();
        let outcome = failure.outcome(0);
        assert_eq!(outcome.message, "one\u{fffd}two \u{fffd}evil\u{fffd}[2J");
        assert_eq!(outcome.hint, "a\u{fffd}b");
        // Of stderr lines remain, and nothing else that a terminal obeys.
        assert_eq!(outcome.stderr, "first\n\u{fffd}second\u{fffd}");
    }

    #[test]
    fn a_home_folder_is_not_named() {
        let Some(home) = std::env::var("HOME").ok().filter(|home| home.len() > 1) else { return };
        let outcome = Failure::new("start", format!("{home}/x can't be started"), "").outcome(0);
        assert_eq!(outcome.message, "~/x can't be started");
    }
}
