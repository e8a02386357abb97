//! Lines for a terminal.

use crate::Printable;
use std::fmt::{self, Display};
use std::ops::Deref;

/// A line of a terminal: printable text, and around parts of it the styles of [`Tone`](super::Tone). Only tables and
/// printable text become one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScreenLine(pub(super) String);

impl ScreenLine {
    /// A title, in bold where there are colours.
    pub fn strong(text: impl Into<Printable>, color: bool) -> Self {
        let text = text.into();
        match color {
            true => Self(format!("\u{1b}[1m{text}\u{1b}[0m")),
            false => text.into(),
        }
    }
}

impl<T: Into<Printable>> From<T> for ScreenLine {
    fn from(text: T) -> Self {
        Self(text.into().into())
    }
}

impl Deref for ScreenLine {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Display for ScreenLine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self)
    }
}
