//! Which list a file is, and what is refused before it is read.

use crate::prices::list_file::ListFile;
use crate::prices::price_list::PriceList;
use crate::prices::{aws_csv, aws_json, aws_products, aws_spot, azure, sparecores};
use catalog::{Price, PriceError};
use foreign::given::{self, Plain};
use std::io::{self, BufReader, Read, Seek};
use std::path::{Path, PathBuf};

/// A larger list is refused: the largest of one cloud's region has about 500 MB, Spare Cores' database about 1 GB.
pub const LARGEST_BYTES: u64 = 2 << 30;
/// No price file of sizeup's own that comes through a pipe or packed has more.
const MOST_OWN_BYTES: u64 = 8 << 20;
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
        /// The problem, without the path.
        what: String,
    },
}

/// Reads those prices of a list that are wanted: sizeup's own file, Spare Cores' database, AWS's price list for EC2 (CSV or
/// JSON) or answers of its API, AWS's spot prices, or Azure's retail prices; from a file, packed or not, or a given pipe.
///
/// # Errors
/// If it can't be read, is none of these, is larger than [`LARGEST_BYTES`], or has too many prices.
pub fn read(path: &Path, is_wanted: &dyn Fn(&Price) -> bool) -> Result<Vec<Price>, PriceListError> {
    let wrong = |what: String| PriceListError::List { path: path.to_owned(), what };
    let unreadable = |e: io::Error| wrong(format!("can't be read: {e}"));
    let too_large = || {
        let limit = LARGEST_BYTES >> 30;
        wrong(format!("is larger than {limit} GiB, which is the limit. Use the list of a region"))
    };
    let Plain { mut file, is_copy } =
        given::plain(path, LARGEST_BYTES).map_err(|e| match e.kind() {
            io::ErrorKind::FileTooLarge => too_large(),
            _ => unreadable(e),
        })?;
    let metadata = file.metadata().map_err(unreadable)?;
    let mut head = Vec::new();
    (&file).take(HEAD_BYTES).read_to_end(&mut head).map_err(unreadable)?;
    file.rewind().map_err(unreadable)?;
    // It may grow meanwhile.
    let mut file = BufReader::new(file.take(metadata.len()));
    let origin = ListFile::of(path, (!is_copy).then_some(&metadata));
    let mut prices = PriceList::new(is_wanted);
    match Kind::of(&head) {
        Kind::Own => {
            let own = if is_copy {
                let mut text = String::new();
                file.by_ref().take(MOST_OWN_BYTES).read_to_string(&mut text).map_err(unreadable)?;
                catalog::prices_in(&text, path)?
            } else {
                catalog::read_prices(path)?
            };
            return Ok(own.into_iter().filter(|price| is_wanted(price)).collect());
        }
        Kind::SpareCores if is_copy => {
            Err("is a database, which can't be read packed or from a pipe: unpack it".to_owned())
        }
        Kind::SpareCores => sparecores::read(path, &origin, &mut prices),
        Kind::AwsCsv => aws_csv::read(file, &origin, &mut prices),
        Kind::AwsJson => aws_json::read(file, &origin, &mut prices),
        Kind::AwsProducts => aws_products::read(file, &origin, &mut prices),
        Kind::AwsSpot => aws_spot::read(file, &origin, &mut prices),
        Kind::Azure => azure::read(file, &origin, &mut prices),
        Kind::OtherJson => Err("is JSON, but neither AWS's price list (AmazonEC2), an answer of `aws pricing get-products`, \
                                AWS's spot price history nor Azure's retail prices"
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
    AwsProducts,
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
        let is_list_of_texts = of_list.is_some_and(|text| text.starts_with("\"{"));
        match is_json {
            _ if is_list_of_texts => Self::AwsProducts,
            true if has("PriceList") => Self::AwsProducts,
            false if text.trim_start_matches('"').starts_with("FormatVersion") => Self::AwsCsv,
            false => Self::Own,
            true if has("formatVersion") || has("offerCode") => Self::AwsJson,
            true if has("SpotPriceHistory") => Self::AwsSpot,
            true if has("Items") || has("armSkuName") || has("retailPrice") => Self::Azure,
            true => Self::OtherJson,
        }
    }
}
