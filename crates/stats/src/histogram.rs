//! Quantiles of counted values, with intervals.

use super::{Interval, quantile};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

/// A quantile needs at least this many values beyond it.
const LEAST_BEYOND: f64 = 10.0;
/// An interval needs this many samples for resampling.
const LEAST_SAMPLES: usize = 6;
/// HostsToDecide to keep the ends of a 95 % interval stable to a few percent of its width.
const DRAWS: usize = 400;

/// Values and their frequencies.
pub type Counts = [(u64, u64)];

/// Quantiles of all samples together, each with a 95 % interval by resampling whole samples, as values within a sample
/// are correlated (B. Efron 1979, the percentile bootstrap). `None` for fewer than 6 samples,
/// and where fewer than 10 values lie beyond a quantile. The same samples give the same intervals.
pub fn quantile_intervals(samples: &[&Counts], shares: &[f64]) -> Vec<Option<Interval>> {
    let table = Buckets::of(samples);
    let whole = table.sum(0..samples.len());
    let all = whole.iter().sum::<u64>() as f64;
    let has_interval =
        |share: f64| samples.len() >= LEAST_SAMPLES && all * (1.0 - share) >= LEAST_BEYOND;
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let draws = if shares.iter().any(|share| has_interval(*share)) { DRAWS } else { 0 };
    let drawn: Vec<Vec<u64>> = (0..draws)
        .map(|_| table.sum((0..samples.len()).map(|_| random.random_range(0..samples.len()))))
        .collect();
    let interval = |share: &f64| {
        let centre = table.quantile(&whole, *share)?;
        let mut around: Vec<f64> =
            drawn.iter().filter_map(|counts| table.quantile(counts, *share)).collect();
        around.sort_by(f64::total_cmp);
        let (low, high) = (quantile(&around, 0.025), quantile(&around, 0.975));
        let freedom = (samples.len() - 1) as f64;
        Some(Interval { centre, low: low.min(centre), high: high.max(centre), freedom })
    };
    shares.iter().map(|share| has_interval(*share).then(|| interval(share)).flatten()).collect()
}

/// Samples over their distinct values, for fast sums of many of them.
struct Buckets {
    values: Vec<u64>,
    /// For each sample, indices into `values` and counts.
    samples: Vec<Vec<(usize, u64)>>,
}

impl Buckets {
    fn of(samples: &[&Counts]) -> Self {
        let values: BTreeSet<u64> =
            samples.iter().flat_map(|sample| sample.iter().map(|(value, _)| *value)).collect();
        let values: Vec<u64> = values.into_iter().collect();
        let place = |value: u64| values.partition_point(|other| *other < value);
        let samples = samples
            .iter()
            .map(|sample| sample.iter().map(|(value, count)| (place(*value), *count)).collect())
            .collect();
        Self { values, samples }
    }

    /// Total count of each value in some of the samples.
    fn sum(&self, which: impl Iterator<Item = usize>) -> Vec<u64> {
        let mut counts = vec![0; self.values.len()];
        for (place, count) in which.flat_map(|sample| &self.samples[sample]) {
            counts[*place] += count;
        }
        counts
    }

    /// The value that this share of all values does not exceed.
    fn quantile(&self, counts: &[u64], share: f64) -> Option<f64> {
        let wanted = share * counts.iter().sum::<u64>() as f64;
        let mut below = 0;
        let place = counts.iter().position(|count| {
            below += count;
            below as f64 >= wanted
        })?;
        Some(self.values[place] as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn quantile(samples: &[Vec<(u64, u64)>], share: f64) -> Option<Interval> {
        let samples: Vec<&Counts> = samples.iter().map(Vec::as_slice).collect();
        quantile_intervals(&samples, &[share])[0]
    }

    #[test]
    fn a_quantile_is_the_value_that_its_share_does_not_exceed() {
        let sample: Vec<(u64, u64)> = (1..=100).map(|value| (value, 10)).collect();
        let interval = |share| quantile(&vec![sample.clone(); 6], share).unwrap();
        assert_eq!(interval(0.5).centre, 50.0);
        assert_eq!(interval(0.99).centre, 99.0);
        // All samples are equal: there is no uncertainty.
        assert_eq!((interval(0.5).low, interval(0.5).high), (50.0, 50.0));
    }

    #[test]
    fn few_samples_and_few_values_beyond_give_no_interval() {
        let sample = vec![(1, 200), (2, 1)];
        assert_eq!(quantile(&vec![sample.clone(); 5], 0.5), None);
        // 1,206 values: 12 beyond 99 %, one beyond 99.9 %.
        assert!(quantile(&vec![sample.clone(); 6], 0.99).is_some());
        assert_eq!(quantile(&vec![sample; 6], 0.999), None);
    }

    /// Samples of a known distribution with a common part: the interval has about its nominal coverage.
    #[test]
    fn the_interval_covers_the_truth_of_a_known_distribution() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut held = 0;
        for _ in 0..200 {
            let samples: Vec<Vec<(u64, u64)>> = (0..30)
                .map(|_| {
                    let mut sample: Vec<u64> =
                        (0..50).map(|_| random.random_range(0..10_000)).collect();
                    sample.sort_unstable();
                    sample.into_iter().map(|value| (value, 1)).collect()
                })
                .collect();
            let interval = quantile(&samples, 0.9).unwrap();
            held += usize::from(interval.low <= 9_000.0 && 9_000.0 <= interval.high);
        }
        assert!((176..=200).contains(&held), "{held} of 200");
    }

    proptest! {
        #[test]
        fn the_centre_lies_within_and_a_higher_share_gives_no_lower_value(
            samples in prop::collection::vec(
                prop::collection::vec((1..1_000_000_u64, 5..100_u64), 1..20), 6..12),
        ) {
            let [margin, most] = [0.5, 0.8].map(|share| quantile(&samples, share));
            for interval in [margin, most].into_iter().flatten() {
                prop_assert!(interval.low <= interval.centre && interval.centre <= interval.high);
            }
            if let (Some(margin), Some(most)) = (margin, most) {
                prop_assert!(margin.centre <= most.centre);
            }
        }
    }
}
