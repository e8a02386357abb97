//! Price files, TOML or CSV.

use super::price::Price;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs;
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

/// Reads a price file: TOML with a `[[price]]` for each, or CSV with a head, if its name ends so. Both have `label` and
/// `per_hour`, and may have `currency`, `region`, `date`, `commitment` and `watts`.
///
/// # Errors
/// When it can't be read or holds what can't be, with the line.
pub fn read(path: &Path) -> Result<Vec<Price>, PriceError> {
    let wrong = |what: String| PriceError { path: path.to_owned(), what };
    let is_regular = fs::metadata(path).is_ok_and(|of| of.is_file());
    if path.exists() && !is_regular {
        return Err(wrong("is not a regular file".to_owned()));
    }
    let text = fs::read_to_string(path).map_err(|e| wrong(format!("can't be read: {e}")))?;
    let is_csv = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("csv"));
    let prices = if is_csv { of_csv(&text) } else { of_toml(&text) }.map_err(wrong)?;
    let mut labels = BTreeSet::new();
    if let Some(twice) = prices.iter().find(|price| !labels.insert(&price.label)) {
        return Err(wrong(format!("{:?} has two prices", twice.label)));
    }
    Ok(prices)
}

fn of_toml(text: &str) -> Result<Vec<Price>, String> {
    let line_of = |at: usize| text[..at].matches('\n').count() + 1;
    let file: TomlFile = toml::from_str(text).map_err(|e| {
        format!("line {}: {}", line_of(e.span().map_or(0, |span| span.start)), e.message())
    })?;
    let checked = file.price.into_iter().map(|price| {
        let line = line_of(price.span().start);
        price.into_inner().checked().map_err(|what| format!("line {line}: {what}"))
    });
    checked.collect()
}

fn of_csv(text: &str) -> Result<Vec<Price>, String> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let head = reader.headers().map_err(|e| e.to_string())?.clone();
    let mut prices = Vec::new();
    for record in reader.into_records() {
        let record = record.map_err(|e| e.to_string())?;
        let line = record.position().map_or(0, csv::Position::line);
        let price: Price =
            record.deserialize(Some(&head)).map_err(|e| format!("line {line}: {e}"))?;
        prices.push(price.checked().map_err(|what| format!("line {line}: {what}"))?);
    }
    Ok(prices)
}
