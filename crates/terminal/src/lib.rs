//! The one exit for text: what comes from a file, a host or a worker is shown as [`Printable`] only. Labels, paths and
//! messages are anybody's: none may rewrite a screen, or hide in one.

mod printable;
pub mod table;

pub use printable::Printable;

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

/// Escapes every hidden character except line ends. Outside of texts JSON has none, so its meaning is unchanged.
pub fn printable_json(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for c in json.chars() {
        if c == '\n' || !is_hidden(c) {
            escaped.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                escaped.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    escaped
}

#[cfg(test)]
mod tests;
