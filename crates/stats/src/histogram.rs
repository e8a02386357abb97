//! Quantiles of counted values, with intervals.

use super::{Interval, quantile};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

/// A quantile rests on at least so many values beyond it.
const LEAST_BEYOND: f64 = 10.0;
/// An interval needs so many samples to draw from.
const LEAST_SAMPLES: usize = 6;
/// Enough for the ends of a 95 % interval to stand still to a few percent of its width.
const DRAWS: usize = 400;

/// Values and how often each was seen.
pub type Counts = [(u64, u64)];

/// Quantiles of all samples together, each with a 95 % interval from samples that are drawn from them anew, as
/// wholes: what is in one sample is alike (B. Efron 1979, the percentile bootstrap). `None` for fewer than 6 samples,
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

/// Samples over the values that there are, so that many of them are summed quickly.
struct Buckets {
    values: Vec<u64>,
    /// Of each sample, places in `values` and counts.
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

    /// How often each value is in some of the samples together.
    fn sum(&self, which: impl Iterator<Item = usize>) -> Vec<u64> {
        let mut counts = vec![0; self.values.len()];
        for (place, count) in which.flat_map(|sample| &self.samples[sample]) {
            counts[*place] += count;
        }
        counts
    }

    /// The value that this share of all does not exceed.
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

    fn of(samples: &[Vec<(u64, u64)>], share: f64) -> Option<Interval> {
        let samples: Vec<&Counts> = samples.iter().map(Vec::as_slice).collect();
        quantile_intervals(&samples, &[share])[0]
    }

    #[test]
    fn a_quantile_is_the_value_that_its_share_does_not_exceed() {
        let sample: Vec<(u64, u64)> = (1..=100).map(|value| (value, 10)).collect();
        let interval = |share| of(&vec![sample.clone(); 6], share).unwrap();
        assert_eq!(interval(0.5).centre, 50.0);
        assert_eq!(interval(0.99).centre, 99.0);
        // All samples are the same: nothing is uncertain.
        assert_eq!((interval(0.5).low, interval(0.5).high), (50.0, 50.0));
    }

    #[test]
    fn few_samples_and_few_values_beyond_give_no_interval() {
        let sample = vec![(1, 200), (2, 1)];
        assert_eq!(of(&vec![sample.clone(); 5], 0.5), None);
        // 1,206 values: 12 beyond 99 %, one beyond 99.9 %.
        assert!(of(&vec![sample.clone(); 6], 0.99).is_some());
        assert_eq!(of(&vec![sample; 6], 0.999), None);
    }

    /// Samples of a known law with a common part: the interval holds the truth about as often as it says.
    #[test]
    fn the_interval_holds_the_truth_of_a_known_law() {
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
            let interval = of(&samples, 0.9).unwrap();
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
            let [half, most] = [0.5, 0.8].map(|share| of(&samples, share));
            for interval in [half, most].into_iter().flatten() {
                prop_assert!(interval.low <= interval.centre && interval.centre <= interval.high);
            }
            if let (Some(half), Some(most)) = (half, most) {
                prop_assert!(half.centre <= most.centre);
            }
        }
    }
}
