//! Makes text safe for a terminal. Labels, paths and messages come from files, firmware and workers: none may rewrite
//! the user's screen.

#![allow(missing_docs)]

use unicode_general_category::{GeneralCategory, get_general_category};

/// Whether a character controls a terminal, changes the direction of text, breaks lines, or is invisible: text from
/// outside must not contain it.
pub fn is_hidden(c: char) -> bool {
    use GeneralCategory::{
        Control, Format, LineSeparator, ParagraphSeparator, PrivateUse, Surrogate, Unassigned,
    };
    !c.is_ascii_graphic()
        && matches!(
            get_general_category(c),
            Control
                | Format
                | LineSeparator
                | ParagraphSeparator
                | PrivateUse
                | Surrogate
                | Unassigned
        )
}

/// Replaces every hidden character.
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if is_hidden(c) { '\u{fffd}' } else { c }).collect()
}
