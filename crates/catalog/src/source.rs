//! A table's text, and errors that say the file and the line.

use super::text::read_text;
use serde::de::DeserializeOwned;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A table that can't be used: where, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{}: {what}", path.display(), line.map(|l| format!(":{l}")).unwrap_or_default())]
pub struct CatalogError {
    path: PathBuf,
    line: Option<usize>,
    what: String,
}

impl CatalogError {
    /// A file or folder that can't be read.
    pub(super) fn unreadable(path: &Path, why: &str) -> Self {
        Self { path: path.to_owned(), line: None, what: format!("can't be read: {why}") }
    }

    /// A name that nothing has.
    pub(super) fn unknown(name: &Path, what: String) -> Self {
        Self { path: name.to_owned(), line: None, what }
    }

    /// The location of the running program is unknown because it is only available in /proc.
    pub(super) fn unlocated(why: &std::io::Error) -> Self {
        let what = format!(
            "does not give the location of sizeup ({why}): mount /proc (`mount -t proc proc /proc`), or set \
             SIZEUP_HOME to the release folder"
        );
        Self { path: "/proc/self/exe".into(), line: None, what }
    }
}

/// A table's text and where it comes from.
#[derive(Debug)]
pub(super) struct TableText {
    pub path: PathBuf,
    text: String,
}

impl TableText {
    pub fn read(path: &Path) -> Result<Self, CatalogError> {
        let wrong = |what: String| CatalogError { path: path.to_owned(), line: None, what };
        let text = read_text(path).map_err(wrong)?;
        Ok(Self { path: path.to_owned(), text })
    }

    /// The table as `T`, which must refuse unknown fields.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, CatalogError> {
        toml::from_str(&self.text).map_err(|e: toml::de::Error| {
            self.error(e.span().unwrap_or(0..0), e.message().to_owned())
        })
    }

    /// Whether the table has this key at its top. Invalid TOML has none; parsing it reports the error.
    pub fn has_key(&self, name: &str) -> bool {
        toml::from_str::<toml::Table>(&self.text).is_ok_and(|table| table.contains_key(name))
    }

    /// The folder that relative paths in the table start from.
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("."))
    }

    /// An error about no place in particular.
    pub fn error_of_all(&self, what: String) -> CatalogError {
        CatalogError { path: self.path.clone(), line: None, what }
    }

    /// An error about a place in the text.
    pub fn error(&self, at: Range<usize>, what: String) -> CatalogError {
        let before = self.text.get(..at.start).unwrap_or_default();
        let line = Some(before.bytes().filter(|byte| *byte == b'\n').count() + 1);
        CatalogError { path: self.path.clone(), line, what }
    }
}
