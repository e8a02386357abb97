//! Why a case has no figure.

use crate::record::{Outcome, OutcomeKind};
use serde::Deserialize;

/// A worker's failure, as it told it or as the harness saw it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// The protocol's kinds of errors, or the harness's: `start`, `timeout`, `died`, `flood`,
    /// `not-the-protocol`, `impossible`, `interrupted`.
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
            "unavailable" | "resources" => OutcomeKind::Unavailable,
            _ => OutcomeKind::Failed,
        };
        let [message, hint, stderr] = [self.message, self.hint, self.stderr].map(|t| printable(&t));
        Outcome { case, outcome, kind: self.kind, message, hint, stderr }
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
    "unknown-workload",
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

/// A text that does no harm on a terminal and names no home folder, as it goes into run files.
pub(super) fn printable(text: &str) -> String {
    let text = match std::env::var("HOME") {
        Ok(home) if home.len() > 1 => text.replace(&home, "~"),
        _ => text.to_owned(),
    };
    text.chars().map(|c| if c.is_control() && c != '\n' { '\u{fffd}' } else { c }).collect()
}
