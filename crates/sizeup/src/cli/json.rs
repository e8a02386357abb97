//! JSON for programs that may end on a terminal all the same.

use crate::briefing::Briefing;
use estimate::ViewKind;
use serde::Serialize;
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};
use std::io::{self, Write};
use terminal::is_hidden;

/// What every command prints for `--json`: its data, and what a reader wants to know of any of them.
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
    /// What the command found.
    data: &'a T,
    /// What must be known before any of it is believed.
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
    super::print(&text(command, view, answer, data, notes)?)
}

/// The same as text.
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
    let mut bytes = Vec::new();
    value.serialize(&mut Serializer::with_formatter(&mut bytes, Plain::default()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Escapes what serde_json leaves as it is: C1 controls, which some terminals obey, and marks of direction.
#[derive(Default)]
struct Plain<'a>(PrettyFormatter<'a>);

impl Formatter for Plain<'_> {
    fn begin_array<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.0.begin_array(to)
    }
    fn end_array<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.0.end_array(to)
    }
    fn begin_array_value<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(to, first)
    }
    fn end_array_value<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.0.end_array_value(to)
    }
    fn begin_object<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.0.begin_object(to)
    }
    fn end_object<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.0.end_object(to)
    }
    fn begin_object_key<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(to, first)
    }
    fn begin_object_value<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.0.begin_object_value(to)
    }
    fn end_object_value<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.0.end_object_value(to)
    }
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        to: &mut W,
        text: &str,
    ) -> io::Result<()> {
        let mut plain = 0;
        for (place, hidden) in text.char_indices().filter(|(_, c)| is_hidden(*c)) {
            to.write_all(&text.as_bytes()[plain..place])?;
            for unit in hidden.encode_utf16(&mut [0; 2]) {
                write!(to, "\\u{unit:04x}")?;
            }
            plain = place + hidden.len_utf8();
        }
        to.write_all(&text.as_bytes()[plain..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    proptest! {
        #[test]
        fn what_is_written_is_the_same_value_and_hides_nothing(text: String, deep: Vec<Vec<String>>) {
            let value = json!({ "a": text.clone(), text: deep, "b": [], "c": {}, "d": 1.5 });
            let written = pretty(&value).unwrap();
            prop_assert!(!written.chars().any(|c| is_hidden(c) && c != '\n'), "{written:?}");
            prop_assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), value);
        }
    }

    #[test]
    fn it_is_laid_out_as_others_lay_it_out() {
        let value = json!({ "a": [1, { "b": null }], "c": "d" });
        assert_eq!(pretty(&value).unwrap(), serde_json::to_string_pretty(&value).unwrap());
        assert_eq!(pretty(&"\u{9b}\u{e0041}x").unwrap(), "\"\\u009b\\udb40\\udc41x\"");
    }
}
