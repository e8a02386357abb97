//! Telemetry, one file per source. A missing source is omitted; the machine's specification says why.

mod activity;
mod clock;
mod elapsed;
mod frequency;
mod load;

pub use activity::ActivityWatch;
pub use clock::monotonic_ns;
pub use elapsed::elapsed;

use record::Reading;
use std::path::Path;

/// The current readings of all sources.
pub fn readings(root: &Path, at_ns: u64) -> Vec<Reading> {
    load::readings(root)
        .into_iter()
        .chain(frequency::readings(root))
        .map(|(source, value)| Reading { at_ns, source, value })
        .collect()
}
