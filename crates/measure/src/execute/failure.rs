//! Why a case has no figure.

use record::{Outcome, OutcomeKind};
use serde::Deserialize;
use terminal::Printable;

/// Replaces text that must not get into a run file.
const HIDDEN: &str = "[hidden]";

/// The text without this word, in whatever case.
fn hide(text: &str, word: &str) -> String {
    let (lower, word) = (text.to_ascii_lowercase(), word.to_ascii_lowercase());
    let (mut hidden, mut copied) = (String::new(), 0);
    for (start, _) in lower.match_indices(&word) {
        let end = start + word.len();
        let is_in_a_word = text[..start].ends_with(char::is_alphanumeric)
            || text[end..].starts_with(char::is_alphanumeric);
        if !is_in_a_word {
            hidden += &text[copied..start];
            hidden += HIDDEN;
            copied = end;
        }
    }
    hidden + &text[copied..]
}

/// A worker's failure, as reported by the worker or detected by the harness.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// The protocol's kinds of errors, or the harness's: `start`, `timeout`, `died`, `flood`,
    /// `not-the-protocol`, `impossible`, `memory`, `interrupted`.
    pub kind: String,
    /// The event, and where it happened.
    pub message: String,
    /// The user's next step; may be empty.
    pub hint: String,
    /// The tail of the worker's stderr.
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

    /// Without names that must not get into a run file.
    pub(super) fn without(mut self, names: &[String]) -> Self {
        for text in [&mut self.message, &mut self.hint, &mut self.stderr] {
            *text = names.iter().fold(std::mem::take(text), |text, name| hide(&text, name));
        }
        self
    }

    /// A violation of the protocol.
    pub(super) fn not_the_protocol(message: impl Into<String>) -> Self {
        Self::new("not-the-protocol", message, "the worker violates docs/protocol.md")
    }

    /// The outcome of the case.
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

/// The kinds that a worker may report. Any other becomes `internal`, so that it can't pass for one of the harness's.
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

/// A line for run files: safe on a terminal and without the home folder.
fn presentable(line: &str) -> String {
    match std::env::var("HOME") {
        Ok(home) if home.len() > 1 => Printable::from(line.replace(&home, "~")).into(),
        _ => Printable::from(line).into(),
    }
}

/// [`presentable`] for several lines.
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
        // Line breaks of stderr stay; other control characters do not.
        assert_eq!(outcome.stderr, "first\n\u{fffd}second\u{fffd}");
    }

    #[test]
    fn a_name_is_hidden_where_it_is_a_word() {
        let names = ["me@Load1", "Load1", "me"].map(str::to_owned);
        let text = "ME@load1: message of load1.example.org (load10, xme) for me";
        let mut failure = Failure::new("died", text, "ssh load1");
        failure.stderr = "LOAD1\nähme@load10".to_owned();
        let failure = failure.without(&names);
        let copied = "[hidden]: message of [hidden].example.org (load10, xme) for [hidden]";
        assert_eq!(failure.message, copied);
        assert_eq!(failure.hint, "ssh [hidden]");
        assert_eq!(failure.stderr, "[hidden]\nähme@load10");
    }

    #[test]
    fn a_home_folder_is_not_named() {
        let Some(home) = std::env::var("HOME").ok().filter(|home| home.len() > 1) else { return };
        let outcome = Failure::new("start", format!("{home}/x can't be started"), "").outcome(0);
        assert_eq!(outcome.message, "~/x can't be started");
    }
}
