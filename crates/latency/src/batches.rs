//! Times of batches: their median, and how far they spread.

use serde::Serialize;
use stats::quantile;

/// Fewer batches than this make no figure.
const LEAST: usize = 5;

/// Times of an operation, each the mean over a batch of many.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BatchTimes {
    /// Median over the batches, in ns.
    pub ns: f64,
    /// Lower and upper quartile, in ns.
    pub quartiles_ns: [f64; 2],
    pub batches: usize,
}

impl BatchTimes {
    /// `None` of too few batches.
    pub(super) fn of(batches_ns: &[f64]) -> Option<Self> {
        let mut sorted = batches_ns.to_vec();
        sorted.sort_by(f64::total_cmp);
        (sorted.len() >= LEAST).then(|| Self {
            ns: quantile(&sorted, 0.5),
            quartiles_ns: [0.25, 0.75].map(|share| quantile(&sorted, share)),
            batches: sorted.len(),
        })
    }

    /// Half of the distance between the quartiles over the median.
    pub fn spread(&self) -> f64 {
        (self.quartiles_ns[1] - self.quartiles_ns[0]) / 2.0 / self.ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_that_was_interrupted_moves_no_figure() {
        let times = BatchTimes::of(&[50.0, 52.0, 51.0, 9_000.0, 50.0]).unwrap();
        assert_eq!((times.ns, times.batches), (51.0, 5));
        assert!(times.spread() < 0.05, "{times:?}");
        assert_eq!(BatchTimes::of(&[50.0; 4]), None);
    }
}
