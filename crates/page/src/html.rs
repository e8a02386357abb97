//! The page's data inside the page's program: one file.

use super::Page;
use std::fmt::Write;
use terminal::is_hidden;

/// What `npm run build` made of `report/`.
const TEMPLATE: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../report/dist/page.html"));
/// Where the data goes.
const PLACE: &str = "{\"sizeup\":\"data\"}";

/// The whole page.
///
/// # Errors
/// When the data can't be written as JSON, or the template has no place for them.
pub fn html(page: &Page) -> anyhow::Result<String> {
    let (before, after) = TEMPLATE
        .split_once(PLACE)
        .ok_or_else(|| anyhow::anyhow!("the report's template has no place for data"))?;
    Ok([before, &inert(&serde_json::to_string(page)?), after].concat())
}

/// The same JSON without any character that HTML gives a meaning, or that can't be seen.
pub(super) fn inert(json: &str) -> String {
    let mut inert = String::with_capacity(json.len());
    for c in json.chars() {
        if matches!(c, '<' | '>' | '&') || is_hidden(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(inert, "\\u{unit:04x}");
            }
        } else {
            inert.push(c);
        }
    }
    inert
}
