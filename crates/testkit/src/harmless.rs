//! Checks on every output: printable, of limited length, without NaN or infinity.

use terminal::is_hidden;

/// No answer about a few short runs is longer.
pub const MOST_OUTPUT_BYTES: usize = 8 << 20;

/// Nothing in a text for a terminal commands it or is not to be seen, but the ends of lines, and it has an end.
///
/// # Panics
/// When something does.
#[track_caller]
pub fn assert_harmless(text: &str) {
    let bad = text.char_indices().find(|(_, c)| *c != '\n' && is_hidden(*c));
    if let Some((place, c)) = bad {
        let start = text[..place].rfind('\n').map_or(0, |end| end + 1);
        let line = text[start..].lines().next().unwrap_or_default();
        panic!("{c:?} is in the line {line:?}");
    }
    assert!(text.len() <= MOST_OUTPUT_BYTES, "{} bytes", text.len());
}

/// No figure in a text is none.
///
/// # Panics
/// When one is.
#[track_caller]
pub fn assert_figures(text: &str) {
    for line in text.lines() {
        let mut words = line.split(|c: char| !c.is_alphanumeric());
        let none = words.find(|word| ["NaN", "nan", "inf", "Infinity", "undefined"].contains(word));
        assert!(none.is_none(), "{none:?} is in the line {line:?}");
    }
}
