//! Which list a file is, and what is refused before it is read.

use crate::list_file::ListFile;
use crate::price_list::PriceList;
use crate::{aws_csv, aws_json, aws_spot, azure, sparecores};
use catalog::{Price, PriceError};
use std::io::{self, BufReader, Read, Seek};
use std::path::{Path, PathBuf};

/// A larger list is refused: the largest of one cloud's region has about 500 MB, Spare Cores' database about 1 GB.
pub const LARGEST_BYTES: u64 = 2 << 30;
/// So much of a file shows what it is.
const HEAD_BYTES: u64 = 1024;

/// A price list that can't be read.
#[derive(Debug, thiserror::Error)]
pub enum PriceListError {
    /// It is sizeup's own, and wrong.
    #[error(transparent)]
    Own(#[from] PriceError),
    /// It is another's.
    #[error("{}: {what}", path.display())]
    List {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
}

/// Reads those prices of a list that are wanted: sizeup's own file, Spare Cores' database, AWS's price list for EC2 (CSV or
/// JSON), AWS's spot prices, or Azure's retail prices.
///
/// # Errors
/// If it can't be read, is none of these, is larger than [`LARGEST_BYTES`], or has too many prices.
pub fn read(path: &Path, is_wanted: &dyn Fn(&Price) -> bool) -> Result<Vec<Price>, PriceListError> {
    let wrong = |what: String| PriceListError::List { path: path.to_owned(), what };
    let unreadable = |e: io::Error| wrong(format!("can't be read: {e}"));
    let mut file = foreign::open(path).map_err(unreadable)?;
    let metadata = file.metadata().map_err(unreadable)?;
    if metadata.len() > LARGEST_BYTES {
        let limit = LARGEST_BYTES >> 30;
        return Err(wrong(format!(
            "is larger than {limit} GiB, which is the limit. Use the list of a region"
        )));
    }
    let mut head = Vec::new();
    (&file).take(HEAD_BYTES).read_to_end(&mut head).map_err(unreadable)?;
    file.rewind().map_err(unreadable)?;
    // It may grow meanwhile.
    let file = BufReader::new(file.take(metadata.len()));
    let origin = ListFile::of(path, &metadata);
    let mut prices = PriceList::new(is_wanted);
    match Kind::of(&head) {
        Kind::Own => {
            let own = catalog::read_prices(path)?;
            return Ok(own.into_iter().filter(|price| is_wanted(price)).collect());
        }
        Kind::SpareCores => sparecores::read(path, &origin, &mut prices),
        Kind::AwsCsv => aws_csv::read(file, &origin, &mut prices),
        Kind::AwsJson => aws_json::read(file, &origin, &mut prices),
        Kind::AwsSpot => aws_spot::read(file, &origin, &mut prices),
        Kind::Azure => azure::read(file, &origin, &mut prices),
        Kind::OtherJson => Err("is JSON, but neither AWS's price list (AmazonEC2), AWS's spot price history nor Azure's \
                                retail prices"
            .to_owned()),
    }
    .map_err(wrong)?;
    Ok(prices.into_prices())
}

/// Whose list it is.
enum Kind {
    Own,
    SpareCores,
    AwsCsv,
    AwsJson,
    AwsSpot,
    Azure,
    OtherJson,
}

impl Kind {
    fn of(head: &[u8]) -> Self {
        if head.starts_with(b"SQLite format 3\0") {
            return Self::SpareCores;
        }
        let text = String::from_utf8_lossy(head);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        // [[price]] is TOML.
        let of_list = text.strip_prefix('[').map(str::trim_start);
        let is_json = of_list.unwrap_or(text).starts_with('{');
        let has = |name: &str| text.contains(&format!("\"{name}\""));
        match is_json {
            false if text.trim_start_matches('"').starts_with("FormatVersion") => Self::AwsCsv,
            false => Self::Own,
            true if has("formatVersion") || has("offerCode") => Self::AwsJson,
            true if has("SpotPriceHistory") => Self::AwsSpot,
            true if has("Items") || has("armSkuName") || has("retailPrice") => Self::Azure,
            true => Self::OtherJson,
        }
    }
}
