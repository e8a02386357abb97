//! Batches of an operation as times.

use machine::BatchTimes;
use stats::quantile;

/// Fewer batches than this make no figure.
const LEAST: usize = 5;

/// Their median and quartiles; `None` for too few batches.
pub(super) fn batch_times(batches_ns: &[f64]) -> Option<BatchTimes> {
    let mut sorted = batches_ns.to_vec();
    sorted.sort_by(f64::total_cmp);
    (sorted.len() >= LEAST).then(|| BatchTimes {
        ns: quantile(&sorted, 0.5),
        quartiles_ns: [0.25, 0.75].map(|share| quantile(&sorted, share)),
        batches: sorted.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_that_was_interrupted_moves_no_figure() {
        let times = batch_times(&[50.0, 52.0, 51.0, 9_000.0, 50.0]).unwrap();
        assert_eq!((times.ns, times.batches), (51.0, 5));
        assert!(times.spread() < 0.05, "{times:?}");
        assert_eq!(batch_times(&[50.0; 4]), None);
    }
}
