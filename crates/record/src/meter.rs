//! Power measured by an external meter.

use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// Prefix of the source of power readings; the meter's name follows.
pub const POWER: &str = "power_w.";
/// Prefix of the source of energy readings: joules since a meter's first reading of the run.
pub const ENERGY: &str = "energy_j.";
/// Plausible power of a machine: no server takes 100 kW.
pub const POSSIBLE_WATTS: RangeInclusive<f64> = 0.01..=1e5;

/// A meter's log was joined to the run after it ended. The meter's readings follow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Meter {
    /// The source of its readings, e.g. `power_w.wall`.
    #[schemars(regex(pattern = r"^power_w\."))]
    pub source: String,
    /// File name of the log, without its folder.
    pub file: String,
    /// Offset added to the meter's times, in ns.
    pub offset_ns: i64,
    /// Closing digest of the run file it was joined to; both files are the same run.
    #[schemars(regex(pattern = r"^[0-9a-fA-F]{64}$"))]
    pub run_sha256: String,
}

impl Meter {
    pub(super) fn check(&self) -> Result<(), String> {
        if !self.source.starts_with(POWER) {
            return Err(format!(
                "the meter's source is {:?}; it must start with {POWER}",
                self.source
            ));
        }
        let is_digest =
            self.run_sha256.len() == 64 && self.run_sha256.bytes().all(|b| b.is_ascii_hexdigit());
        if is_digest { Ok(()) } else { Err("the meter has no digest of its run".to_owned()) }
    }
}
