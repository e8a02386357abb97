//! All work of a mix at once, as it is kept.

use super::window::Measured;
use serde::{Deserialize, Serialize};

/// All cases of a mix, measured at once on the same CPUs, which they share.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Mixed {
    /// Its round: each case has a window of it alone, too.
    pub round: u64,
    /// Each case.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub shares: Vec<MixedShare>,
}

impl Mixed {
    /// How long each case works beside the others, at least: work that shares CPUs takes turns of some milliseconds, and a
    /// sample must hold many.
    pub const WINDOW_NS: u64 = 1_000_000_000;

    /// Why no figure can be made of a share that would do alone: how much each case had of the CPUs is what counts.
    pub fn stray(share: &Measured) -> Option<String> {
        (share.process_cpu_ns == 0).then(|| "a share of a mix without CPU time".to_owned())
    }
}

/// One case of a mix while all others ran.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MixedShare {
    /// Its launch.
    pub launch: u64,
    /// Its case.
    pub case: usize,
    /// How far it stood back for the others: 1.25 times less CPU time for each step.
    #[cfg_attr(feature = "schema", schemars(range(min = -20, max = 19)))]
    pub nice: i32,
    /// What the worker measured.
    #[serde(flatten)]
    pub measured: Measured,
}
