//! What may be shown on a terminal. Labels, paths and messages come from files, firmware and workers: none may rewrite
//! the screen of whoever reads them.

use unicode_general_category::{GeneralCategory, get_general_category};

/// Whether a character rewrites a terminal, turns the direction of text, breaks lines, or can't be seen: what came from
/// elsewhere must not.
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

/// A text with every hidden character replaced.
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if is_hidden(c) { '\u{fffd}' } else { c }).collect()
}
