//! The ratio of two groups' machines expected from cores and clock alone.

use super::cores_and_clock::CoresAndClock;
use super::group::Group;
use serde::Serialize;
use stats::mean;

/// Cores and clock of two groups.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct CoresTimesClock {
    /// The baseline's.
    pub baseline: CoresAndClock,
    /// The other's.
    pub other: CoresAndClock,
    /// Cores × clock of the other over those of the baseline: what all cores together would give if each did the same
    /// in a cycle.
    pub ratio: f64,
}

impl CoresTimesClock {
    /// `None` where cores or clock of a group are unknown, or it was never measured on all cores.
    pub(super) fn of(baseline: &Group, other: &Group) -> Option<Self> {
        Some(Self::between(cores_and_clock(baseline)?, cores_and_clock(other)?))
    }

    fn between(baseline: CoresAndClock, other: CoresAndClock) -> Self {
        let product = |machine: CoresAndClock| f64::from(machine.cores) * machine.clock_hz;
        Self { baseline, other, ratio: product(other) / product(baseline) }
    }
}

fn cores_and_clock(group: &Group) -> Option<CoresAndClock> {
    // A run of few threads does not know the clock of all cores; others of its machine may.
    let all: Vec<CoresAndClock> = group.runs.iter().filter_map(|run| run.cores_and_clock).collect();
    let cores = all.first()?.cores;
    let clock_hz = mean(&all.iter().map(|known| known.clock_hz).collect::<Vec<_>>());
    all.iter().all(|known| known.cores == cores).then_some(CoresAndClock { cores, clock_hz })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cdn_studys_cores_and_clocks_are_1_085() {
        // Centriq: 46 cores at 2.5 GHz; two Skylakes: 48 at 2.6.
        let machine = |cores, clock_hz| CoresAndClock { cores, clock_hz };
        let ratio = CoresTimesClock::between(machine(46, 2.5e9), machine(48, 2.6e9)).ratio;
        assert_eq!((ratio * 1000.0).round() / 1000.0, 1.085);
    }
}
