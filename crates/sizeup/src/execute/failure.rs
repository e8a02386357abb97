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
        let Self { kind, message, hint, stderr } = self;
        Outcome { case, outcome, kind, message, hint, stderr }
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

impl From<ErrorAnswer> for Failure {
    fn from(answer: ErrorAnswer) -> Self {
        Self::new(&answer.kind, answer.message, &answer.hint)
    }
}
