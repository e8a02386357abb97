//! Price files, TOML or CSV.

use super::Price;
use crate::read_text;
use csv::StringRecord;
use foreign::given::{decimal, delimiter};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// A price file that can't be read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {what}", path.display())]
pub struct PriceError {
    path: PathBuf,
    what: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TomlFile {
    price: Vec<Spanned<Price>>,
}

/// How a price file looks, for who wrote another.
pub(super) const EXAMPLES: &str = "A price file is CSV (`label,per_hour` in its first line, then `c7g,2.32`) or TOML (`[[price]]`, then \
                        `label = \"c7g\"` and `per_hour = 2.32`)";

/// Reads a price file: TOML with a `[[price]]` for each, or CSV with a head. Both have `label` and `per_hour`, and may have
/// `currency`, `region`, `date`, `commitment`, `watts`, `vcpus`, `cores`, `memory_gib` and `source`.
///
/// # Errors
/// When it can't be read or holds what can't be, with the line.
pub fn read_prices(path: &Path) -> Result<Vec<Price>, PriceError> {
    let text = read_text(path).map_err(|what| PriceError { path: path.to_owned(), what })?;
    prices_in(&text, path)
}

/// Reads the text of a price file; `path` is for messages and the format.
///
/// # Errors
/// As [`read_prices`].
pub fn prices_in(text: &str, path: &Path) -> Result<Vec<Price>, PriceError> {
    let wrong = |what: String| PriceError { path: path.to_owned(), what };
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        return Err(wrong(format!("is empty. {EXAMPLES}")));
    }
    let ends_in =
        |end: &str| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(end));
    let is_csv = ends_in("csv") || (!ends_in("toml") && has_head(text));
    let prices = if is_csv { of_csv(text) } else { of_toml(text) };
    let prices = prices.map_err(|what| match is_csv || ends_in("toml") {
        true => wrong(what),
        false => wrong(format!("{what}. {EXAMPLES}")),
    })?;
    let mut keys = BTreeSet::new();
    if let Some(twice) = prices.iter().find(|price| !keys.insert(price.key())) {
        return Err(wrong(format!(
            "{:?} has two prices of the same region and commitment",
            twice.label
        )));
    }
    Ok(prices)
}

/// Prices as a file that [`read_prices`] reads: TOML.
///
/// # Errors
/// If a price can't be written as TOML.
pub fn prices_toml(prices: &[Price]) -> Result<String, toml::ser::Error> {
    #[derive(Serialize)]
    struct Written<'a> {
        price: &'a [Price],
    }
    toml::to_string(&Written { price: prices })
}

/// Whether the first line with anything in it names the columns of a CSV.
fn has_head(text: &str) -> bool {
    let head = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let is = |column: &str, needed: &str| column.trim().trim_matches('"') == needed;
    NEEDED.iter().all(|needed| head.split(delimiter(head)).any(|column| is(column, needed)))
}

fn of_toml(text: &str) -> Result<Vec<Price>, String> {
    let file: TomlFile = toml::from_str(text).map_err(|e| {
        format!("line {}: {}", line_of(text, e.span().map_or(0, |span| span.start)), e.message())
    })?;
    let checked = file.price.into_iter().map(|price| {
        let start = price.span().start;
        price
            .into_inner()
            .checked()
            .map_err(|what| format!("line {}: {what}", line_of(text, start)))
    });
    checked.collect()
}

fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

fn of_csv(text: &str) -> Result<Vec<Price>, String> {
    // Rows of another length are told by us, in plainer words.
    let head = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let delimiter = delimiter(head);
    let mut builder = csv::ReaderBuilder::new();
    builder.delimiter(delimiter as u8);
    let mut reader = builder.trim(csv::Trim::All).flexible(true).from_reader(text.as_bytes());
    let head = reader.headers().map_err(|e| e.to_string())?.clone();
    let on_line =
        |row: &StringRecord, what: String| format!("line {}: {what}", line_of_row(text, row));
    check_head(&head).map_err(|what| on_line(&head, what))?;
    let mut prices = Vec::new();
    for row in reader.into_records() {
        let row = row.map_err(|e| e.to_string())?;
        let price = of_row(&head, &row, delimiter).and_then(Price::checked);
        prices.push(price.map_err(|what| on_line(&row, what))?);
    }
    Ok(prices)
}

/// Where the row itself starts: the reader has it start with the empty lines before it.
fn line_of_row(text: &str, row: &StringRecord) -> usize {
    let start = row.position().map_or(0, |position| position.byte() as usize);
    let row = text[start..].trim_start_matches(['\r', '\n']);
    line_of(text, text.len() - row.len())
}

const COLUMNS: [&str; 11] = [
    "label",
    "per_hour",
    "currency",
    "region",
    "date",
    "commitment",
    "watts",
    "vcpus",
    "cores",
    "memory_gib",
    "source",
];
const NEEDED: [&str; 2] = ["label", "per_hour"];

fn check_head(head: &StringRecord) -> Result<(), String> {
    let count = |name: &str| head.iter().filter(|column| *column == name).count();
    if let Some(strange) = head.iter().find(|name| !COLUMNS.contains(name)) {
        let columns = COLUMNS.join(", ");
        return Err(format!(
            "unknown column {strange:?}. Columns are {columns}, separated by commas, semicolons or tabs"
        ));
    }
    if let Some(needed) = NEEDED.into_iter().find(|name| count(name) == 0) {
        return Err(format!("the column {needed} is missing"));
    }
    match head.iter().find(|name| count(name) > 1) {
        Some(twice) => Err(format!("the column {twice} appears twice")),
        None => Ok(()),
    }
}

/// Columns may be missing and fields be empty, but for those that a price needs.
fn of_row(head: &StringRecord, row: &StringRecord, delimiter: char) -> Result<Price, String> {
    if row.len() != head.len() {
        let (fields, s, columns) = (row.len(), if row.len() == 1 { "" } else { "s" }, head.len());
        return Err(format!(
            "{fields} field{s}, but the header has {columns}. Quote fields that contain {}",
            match delimiter {
                ',' => "commas",
                ';' => "semicolons",
                _ => "tabs",
            }
        ));
    }
    let find = |name| head.iter().position(|column| column == name).map(|at| &row[at]);
    let given = |name| find(name).filter(|text| !text.is_empty());
    let word = |name| given(name).map(str::to_owned);
    let number = |name, text: &str| {
        decimal(text, delimiter)
            .ok_or_else(|| format!("{name} is {text:?}. Use a number, e.g. 2.464"))
    };
    let count = |name| {
        let wrong = |text: &str| format!("{name} is {text:?}. Use a whole number, e.g. 16");
        given(name).map(|text| text.parse().map_err(|_| wrong(text))).transpose()
    };
    let date = |text: &str| {
        text.parse().map_err(|_| format!("date is {text:?}. Use YYYY-MM-DD, e.g. 2026-11-01"))
    };
    Ok(Price {
        label: word("label").unwrap_or_default(),
        per_hour: number("per_hour", find("per_hour").unwrap_or_default())?,
        currency: word("currency"),
        region: word("region"),
        date: given("date").map(date).transpose()?,
        commitment: word("commitment"),
        watts: given("watts").map(|text| number("watts", text)).transpose()?,
        vcpus: count("vcpus")?,
        cores: count("cores")?,
        memory_gib: given("memory_gib").map(|text| number("memory_gib", text)).transpose()?,
        source: word("source"),
    })
}
