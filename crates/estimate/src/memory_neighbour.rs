//! The effect of a neighbour on the memory on a row.

use super::clusters::clusters;
use super::cores::{Cores, LEAST_OWN_SAMPLES, OwnLook};
use super::look::Look;
use super::warning::Warning;
use serde::Serialize;
use stats::{Interval, clustered_median};

/// A row's samples beside a neighbour on the memory, and its loss there.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct MemoryNeighbour {
    /// Share of the row's samples on uncontended cores beside one.
    pub share: f64,
    /// Ops per cycle beside one over those without; `None` with too few samples of either kind.
    pub left: Option<Interval>,
    /// Whether the uncontended figure leaves out the samples beside one; there are enough others then.
    pub is_left_out: bool,
}

/// A row cares for a neighbour if it certainly loses more than this.
const LEAST_LOSS: f64 = 0.02;

impl MemoryNeighbour {
    /// `None` without samples beside a neighbour.
    pub(super) fn of(looks: &[Look], cores: &Cores) -> Option<Self> {
        let (quiet, beside) = cores.by_memory(looks);
        if beside.is_empty() {
            return None;
        }
        let share = beside.len() as f64 / (quiet.len() + beside.len()) as f64;
        let is_enough = quiet.len().min(beside.len()) >= LEAST_OWN_SAMPLES;
        let middle = |samples: &[(usize, OwnLook)]| {
            let launches: Vec<u64> =
                samples.iter().map(|(number, _)| looks[*number].launch).collect();
            let figures = samples.iter().map(|(_, own)| own.per_ghz);
            clustered_median(&clusters(&launches).into_iter().zip(figures).collect::<Vec<_>>())
        };
        let left = is_enough.then(|| Some(middle(&beside)?.ratio_to(&middle(&quiet)?))).flatten();
        Some(Self { share, left, is_left_out: quiet.len() >= LEAST_OWN_SAMPLES })
    }

    /// The figure includes such samples, or the row loses throughput in them; otherwise `None`.
    pub(super) fn warning(self) -> Option<Warning> {
        let loss =
            self.left.filter(|left| left.high < 1.0 - LEAST_LOSS).map(|left| 1.0 - left.centre);
        (!self.is_left_out || loss.is_some())
            .then_some(Warning::MemoryNeighbour { share: self.share, loss })
    }
}
