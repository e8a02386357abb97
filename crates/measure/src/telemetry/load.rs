//! The load average: how many tasks want to run.

use machine::LoadAverage;
use std::path::Path;

/// `load1`, the mean over the last minute.
pub(super) fn readings(root: &Path) -> Option<(String, f64)> {
    let load = LoadAverage::read(root);
    load.known().map(|load| ("load1".to_owned(), load.one_minute))
}
