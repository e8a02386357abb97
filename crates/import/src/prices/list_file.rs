//! Name and date of a list's file.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use std::fs::Metadata;
use std::path::Path;

/// A list as a file.
pub(crate) struct ListFile {
    /// Its file's name.
    pub name: String,
    /// When the file was last changed, in UTC.
    pub saved: Option<Date>,
}

impl ListFile {
    /// The date of a pipe, or of a packed file, is not known.
    pub fn of(path: &Path, metadata: Option<&Metadata>) -> Self {
        let name = match foreign::given::is_stdin(path) {
            true => Some("standard input".to_owned()),
            false => path.file_name().map(|name| name.to_string_lossy().into_owned()),
        };
        let changed = metadata
            .and_then(|about| about.modified().ok())
            .and_then(|time| Timestamp::try_from(time).ok());
        let saved = changed.map(|time| time.to_zoned(TimeZone::UTC).date());
        Self { name: name.unwrap_or_default(), saved }
    }

    /// `Azure retail prices (vms.json)`.
    pub fn source(&self, publisher: &str) -> Option<String> {
        Some(format!("{publisher} ({})", self.name))
    }
}
