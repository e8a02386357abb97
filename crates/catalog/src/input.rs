//! Input files, pinned by digest.

use super::CatalogError;
use super::source::TableText;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// A file that workloads work on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Input {
    /// Where it lies.
    pub path: PathBuf,
    pub bytes: u64,
    /// Its SHA-256 in hex.
    pub sha256: String,
    /// A description in a phrase.
    pub about: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct InputTable {
    #[serde(default)]
    input: Vec<InputEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct InputEntry {
    name: Spanned<String>,
    file: PathBuf,
    bytes: u64,
    sha256: Spanned<String>,
    about: String,
    #[serde(rename = "version")]
    _version: u64,
    #[serde(rename = "source")]
    _source: String,
}

/// Reads a table of inputs whose files lie in `folder`. The workers check the files.
pub(super) fn read(
    source: &TableText,
    folder: &Path,
) -> Result<BTreeMap<String, Input>, CatalogError> {
    let mut inputs = BTreeMap::new();
    for entry in source.parse::<InputTable>()?.input {
        let digest = entry.sha256.get_ref();
        if digest.len() != 64 || !digest.bytes().all(|b| b.is_ascii_hexdigit()) {
            let what = format!("{digest:?} is not a SHA-256 in hex");
            return Err(source.error(entry.sha256.span(), what));
        }
        let input = Input {
            path: folder.join(entry.file),
            bytes: entry.bytes,
            sha256: entry.sha256.into_inner(),
            about: entry.about,
        };
        let at = entry.name.span();
        let name = entry.name.into_inner();
        if inputs.insert(name.clone(), input).is_some() {
            return Err(source.error(at, format!("the input {name:?} is defined twice")));
        }
    }
    Ok(inputs)
}
