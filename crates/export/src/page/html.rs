//! The page's data inside the page's program: one file.

use super::Page;
use super::headless::{Description, describe};
use data_encoding::BASE64;
use flate2::{Compression, write::GzEncoder};
use std::fmt::Write as _;
use std::io::Write as _;
use terminal::Printable;

/// Built from `report/` by `npm run build`.
const TEMPLATE: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../report/dist/page.html"));
/// Where the data goes.
const PLACE: &str = "SIZEUP-DATA";

/// Where title and description go.
const HEAD: &str = "<title>sizeup report</title><!-- description -->";

/// The whole page. `image` is where its share card lies, as a link has it.
///
/// # Errors
/// When the data can't be written as JSON, the program fails, or the template has no place for something.
pub fn html(page: &Page, image: Option<&str>) -> anyhow::Result<String> {
    let json = serde_json::to_string(page)?;
    filled(&json, &describe(&json)?, image)
}

/// The whole page of data that were written as JSON, and were described.
pub(super) fn filled(
    json: &str,
    description: &Description,
    image: Option<&str>,
) -> anyhow::Result<String> {
    let no_place = || anyhow::anyhow!("the report's template has no place for data");
    let (before, rest) = TEMPLATE.split_once(HEAD).ok_or_else(no_place)?;
    let (between, after) = rest.split_once(PLACE).ok_or_else(no_place)?;
    let head = head(description, image);
    Ok([before, &head, between, &packed(json)?, after].concat())
}

/// Title and description, also in the form that other sites read.
fn head(Description { title, text }: &Description, image: Option<&str>) -> String {
    let [title, text] = [title, text].map(|text| Printable::from(text).markup());
    let mut head = format!("<title>{title}</title>\n");
    let _ = writeln!(head, "<meta name=\"description\" content=\"{text}\">");
    let image = image.map(|image| Printable::from(image).markup());
    let tags = [("title", Some(title)), ("description", Some(text)), ("image", image)];
    for (name, content) in tags.into_iter().chain([("type", Some("website".to_owned()))]) {
        if let Some(content) = content {
            let _ = writeln!(head, "<meta property=\"og:{name}\" content=\"{content}\">");
        }
    }
    head
}

/// JSON as the page's program unpacks it: gzip in base64, in which HTML sees nothing but letters. Pages are mailed, and this
/// is a fifth as long.
fn packed(json: &str) -> std::io::Result<String> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(json.as_bytes())?;
    Ok(BASE64.encode(&gzip.finish()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::GzDecoder;
    use proptest::prelude::*;
    use std::io::Read;

    proptest! {
        #[test]
        fn packed_data_are_the_same_data_in_letters_that_html_gives_no_meaning(text: String) {
            let packed = packed(&text).unwrap();
            let is_plain = |c: char| c.is_ascii_alphanumeric() || "+/=".contains(c);
            prop_assert!(packed.chars().all(is_plain), "{packed:?}");
            let gzip = BASE64.decode(packed.as_bytes()).unwrap();
            let mut unpacked = String::new();
            GzDecoder::new(&gzip[..]).read_to_string(&mut unpacked).unwrap();
            prop_assert_eq!(unpacked, text);
        }
    }
}
