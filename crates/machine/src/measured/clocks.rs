//! The clock of cores by how many of them work.

use serde::{Deserialize, Serialize};

/// Far below and above any core's.
const POSSIBLE_HZ: std::ops::RangeInclusive<f64> = 1e6..=1e11;

/// The clock with some cores at work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ClockStep {
    /// How many work, one thread each.
    pub cores: usize,
    /// Mean over these cores, in Hz: median over samples.
    pub clock_hz: f64,
    /// Lower and upper quartile over samples, in Hz.
    pub quartiles_hz: [f64; 2],
    /// The slowest and the fastest core, in Hz: medians over samples.
    pub cores_hz: [f64; 2],
    pub samples: usize,
}

impl ClockStep {
    /// Whether all clocks can be.
    pub fn is_possible(&self) -> bool {
        let [lower, upper] = self.quartiles_hz;
        let [slowest, fastest] = self.cores_hz;
        let all = [self.clock_hz, lower, upper, slowest, fastest];
        all.into_iter().all(|hz| POSSIBLE_HZ.contains(&hz))
    }

    /// Half of the distance between the quartiles over the median.
    pub fn spread(&self) -> f64 {
        (self.quartiles_hz[1] - self.quartiles_hz[0]) / 2.0 / self.clock_hz
    }
}
