//! Power that a meter outside of the run measured, and how it came into the file.

use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// Sources of readings of power begin so; what follows is the meter's name.
pub const POWER: &str = "power_w.";
/// A machine takes no less than a hundredth of a watt and no more than a hall of them.
pub const POSSIBLE_WATTS: RangeInclusive<f64> = 0.01..=1e7;

/// A meter's log was joined to the run after the run had ended. Its readings follow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Meter {
    /// The source of its readings, e.g. `power_w.wall`.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = r"^power_w\.")))]
    pub source: String,
    /// The name of the log, without its folder.
    pub file: String,
    /// What was added to the meter's times, in ns.
    pub offset_ns: i64,
    /// The closing digest of the run file that it was joined to: both files are the same run.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = r"^[0-9a-fA-F]{64}$")))]
    pub run_sha256: String,
}

impl Meter {
    pub(super) fn check(&self) -> Result<(), String> {
        if !self.source.starts_with(POWER) {
            return Err(format!("a meter whose source is {:?}, not {POWER}…", self.source));
        }
        let is_digest =
            self.run_sha256.len() == 64 && self.run_sha256.bytes().all(|b| b.is_ascii_hexdigit());
        if is_digest { Ok(()) } else { Err("a meter without the digest of its run".to_owned()) }
    }
}
