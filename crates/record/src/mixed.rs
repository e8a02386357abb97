//! Samples of a mix: all its workloads at once.

use super::sample::Measured;
use serde::{Deserialize, Serialize};

/// All cases of a mix, measured at the same time on the same CPUs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Mixed {
    /// The round; each case also has a sample of its own in it.
    pub round: u64,
    #[schemars(length(min = 1))]
    pub shares: Vec<MixedShare>,
}

impl Mixed {
    /// Least time that each case runs together with the others. Processes that share CPUs alternate every few
    /// milliseconds, and a sample must hold many such time slices.
    pub const SAMPLE_NS: u64 = 1_000_000_000;

    /// Why a share is unusable that would be fine as a sample of its own: its CPU time is what counts here.
    pub fn stray(share: &Measured) -> Option<String> {
        (share.process_cpu_ns == 0).then(|| "a share of the mix has no CPU time".to_owned())
    }
}

/// One case of a mix while all others run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct MixedShare {
    pub launch: u64,
    pub case: usize,
    /// The niceness of its processes: each step means 1.25 times less CPU time.
    #[schemars(range(min = -20, max = 19))]
    pub nice: i32,
    #[serde(flatten)]
    pub measured: Measured,
}
