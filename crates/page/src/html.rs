//! The page's data inside the page's program: one file.

use super::Page;
use super::headless::{Description, description};
use std::fmt::Write;
use terminal::is_hidden;

/// What `npm run build` made of `report/`.
const TEMPLATE: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../report/dist/page.html"));
/// Where the data goes.
const PLACE: &str = "{\"sizeup\":\"data\"}";

/// Where title and description go.
const HEAD: &str = "<title>sizeup report</title><!-- description -->";

/// The whole page. `image` is where its share card lies, as a link has it.
///
/// # Errors
/// When the data can't be written as JSON, the program fails, or the template has no place for something.
pub fn html(page: &Page, image: Option<&str>) -> anyhow::Result<String> {
    let no_place = || anyhow::anyhow!("the report's template has no place for data");
    let (before, rest) = TEMPLATE.split_once(HEAD).ok_or_else(no_place)?;
    let (between, after) = rest.split_once(PLACE).ok_or_else(no_place)?;
    let head = head(&description(page)?, image);
    Ok([before, &head, between, &inert(&serde_json::to_string(page)?), after].concat())
}

/// Title and description, also in the form that other sites read.
fn head(Description { title, text }: &Description, image: Option<&str>) -> String {
    let mut head = format!("<title>{}</title>\n", escaped(title));
    let _ = writeln!(head, "<meta name=\"description\" content=\"{}\">", escaped(text));
    let tags = [("title", Some(&**title)), ("description", Some(text)), ("type", Some("website"))];
    for (name, content) in tags.into_iter().chain([("image", image)]) {
        if let Some(content) = content {
            let _ =
                writeln!(head, "<meta property=\"og:{name}\" content=\"{}\">", escaped(content));
        }
    }
    head
}

/// Text that HTML takes for nothing else, also in an attribute.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' | '>' | '&' | '"' | '\'' => {
                let _ = write!(escaped, "&#{};", u32::from(c));
            }
            c if is_hidden(c) => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
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
