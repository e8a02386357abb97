//! Cores and clock of a machine.

use serde::Serialize;

/// Cores and clock of a machine.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct CoresAndClock {
    /// Physical cores.
    pub cores: u32,
    /// Their clock in Hz, as it was measured with all of them at work.
    pub clock_hz: f64,
}
