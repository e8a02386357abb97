//! Telemetry sources and the readings that they have.

use machine::Fact;
use serde::{Deserialize, Serialize};

/// A source of readings was looked for, or its state changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Telemetry {
    pub at_ns: u64,
    /// `rapl`, `hwmon-temperature`, `ipmi`, …
    #[schemars(length(min = 1))]
    pub source: String,
    /// The sources of its readings, or why it has none.
    pub readings: Fact<Vec<String>>,
}

/// A time in which nothing was measured, so that meters show what the idle machine takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Idle {
    pub start_ns: u64,
    pub end_ns: u64,
}
