//! JSON for programs that may end on a terminal all the same.

use crate::briefing::Briefing;
use estimate::ViewKind;
use serde::Serialize;
use terminal::{Printable, printable_json};

/// The JSON object around every command's data: program, version, answer and caveats.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Envelope<'a, T: ?Sized> {
    program: &'a str,
    version: &'a str,
    command: &'a str,
    /// Which figures were judged, where that is a choice.
    view: Option<ViewKind>,
    /// The answer in sentences, the first of which says the most; empty where there is nothing to answer.
    answer: &'a [String],
    /// The command's own data; its schema is the command's.
    data: &'a T,
    /// Caveats that qualify the data.
    notes: &'a [String],
}

/// Prints what a command found: in which view, if it has one, and with the notes that stand on stderr or above its table.
pub(super) fn print(
    command: &str,
    view: Option<ViewKind>,
    answer: &Briefing,
    data: &(impl Serialize + ?Sized),
    notes: &[String],
) -> anyhow::Result<()> {
    super::print(Printable::lines(&text(command, view, answer, data, notes)?))
}

/// The envelope as text, without printing it.
pub(super) fn text(
    command: &str,
    view: Option<ViewKind>,
    answer: &Briefing,
    data: &(impl Serialize + ?Sized),
    notes: &[String],
) -> anyhow::Result<String> {
    let answer = &answer.sentences()[..];
    let (program, version) = (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
    let envelope = Envelope { program, version, command, view, answer, data, notes };
    Ok(format!("{}\n", pretty(&envelope)?))
}

/// Pretty JSON in which hidden characters are escapes.
pub(super) fn pretty(value: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string_pretty(value).map(|json| printable_json(&json))
}
