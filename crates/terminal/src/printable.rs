//! Text that is safe to show.

use super::is_hidden;
use serde::{Serialize, Serializer};
use std::fmt::{self, Display};
use std::ops::Deref;

/// Text in one line without a hidden character. There is no other way to make one than to replace them, so whoever
/// takes a `Printable` need not ask where it is from.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Printable(String);

impl Printable {
    /// Takes anything that can be displayed.
    pub fn of(text: impl Display) -> Self {
        text.to_string().into()
    }

    /// As HTML and XML have it, also in an attribute: they take it for nothing but text.
    pub fn markup(&self) -> String {
        let mut markup = String::with_capacity(self.len());
        for c in self.chars() {
            match c {
                '<' | '>' | '&' | '"' | '\'' => markup.push_str(&format!("&#{};", u32::from(c))),
                c => markup.push(c),
            }
        }
        markup
    }

    /// Line by line.
    pub fn lines(text: &str) -> impl Iterator<Item = Self> {
        text.lines().map(Self::from)
    }
}

impl From<&str> for Printable {
    fn from(text: &str) -> Self {
        Self(text.chars().map(|c| if is_hidden(c) { '\u{fffd}' } else { c }).collect())
    }
}

impl From<String> for Printable {
    fn from(text: String) -> Self {
        if text.chars().any(is_hidden) { Self::from(text.as_str()) } else { Self(text) }
    }
}

impl From<&String> for Printable {
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

impl From<Printable> for String {
    fn from(text: Printable) -> Self {
        text.0
    }
}

impl Deref for Printable {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Display for Printable {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self)
    }
}

impl Serialize for Printable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}
