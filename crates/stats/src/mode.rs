//! Modes: values that are more frequent than those around them.

/// Standard deviation of the Gaussian kernel that smooths values: half the spread of single pulses of an uncontended
/// core (see `docs/methodology.md`).
const SMOOTHING: f64 = 0.02;
const BIN: f64 = SMOOTHING / 4.0;
/// The kernel ends here, in bins.
const REACH: usize = 16;
/// A mode is at least this much higher than the valley below it, which has at most this many bins: values below by a
/// factor of 1.25 are no longer near it.
const LEAST_PROMINENCE: f64 = 1.5;
const DEPTH: usize = 45;
/// Values this far from the median are outliers.
const MOST_DISTANCE: f64 = 3.0;

/// The topmost mode of a sorted series that has at least `least` values near it and is clearly higher than the
/// valley below it, and those values. Modes that are only shoulders of a higher one do not count.
pub(super) fn topmost_mode(sorted: &[f64], least: usize) -> Option<&[f64]> {
    let median = *sorted.get(sorted.len() / 2)?;
    let sorted = between(sorted, median - MOST_DISTANCE, median + MOST_DISTANCE);
    // Half a bin more: the least value must not be rounded below its bin.
    let start = sorted[0] - BIN * (REACH as f64 + 0.5);
    let density = density(sorted, start);
    let centre = |bin: usize| start + (bin as f64 + 0.5) * BIN;
    (1..density.len() - 1)
        .rev()
        .filter(|&i| density[i] > density[i - 1] && density[i] >= density[i + 1])
        .filter(|&i| is_prominent(&density[..=i]))
        .map(|i| between(sorted, centre(i) - 2.0 * SMOOTHING, centre(i) + 2.0 * SMOOTHING))
        .find(|near| near.len() >= least)
}

/// The values of a sorted series between two values.
pub(super) fn between(sorted: &[f64], from: f64, to: f64) -> &[f64] {
    let first = sorted.partition_point(|value| *value < from);
    let last = sorted.partition_point(|value| *value <= to).max(first);
    &sorted[first..last]
}

/// The smoothed frequency of values in each bin.
fn density(sorted: &[f64], start: f64) -> Vec<f64> {
    let bin = |value: f64| ((value - start) / BIN) as usize;
    let mut density = vec![0.0; bin(sorted[sorted.len() - 1]) + REACH + 1];
    let bell: Vec<f64> = (0..=2 * REACH)
        .map(|i| (-0.5 * ((i as f64 - REACH as f64) * BIN / SMOOTHING).powi(2)).exp())
        .collect();
    for &value in sorted {
        let first = bin(value) - REACH;
        for (height, part) in density[first..].iter_mut().zip(&bell) {
            *height += part;
        }
    }
    density
}

/// Whether the last height is well above the valley between it and the next greater height.
fn is_prominent(heights: &[f64]) -> bool {
    let [below @ .., peak] = heights else { return false };
    let valley = below.iter().rev().take(DEPTH).take_while(|height| *height <= peak);
    peak >= &(LEAST_PROMINENCE * valley.copied().fold(f64::INFINITY, f64::min))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mean;
    use proptest::prelude::*;

    /// Evenly spaced quantiles of something bell-shaped: the mean of three even spreads.
    fn bell(count: usize, centre: f64, spread: f64) -> Vec<f64> {
        let even = |i: usize, step: usize| ((i * step) % count) as f64 / count as f64 - 0.5;
        let value = |i| centre + 2.0 * spread * (even(i, 1) + even(i, 7) + even(i, 13));
        (0..count).map(value).collect()
    }

    fn mode(parts: &[Vec<f64>]) -> Option<f64> {
        let mut all = parts.concat();
        all.sort_by(f64::total_cmp);
        topmost_mode(&all, 8).map(mean)
    }

    #[test]
    fn a_narrow_mode_is_found_above_a_broad_one_whatever_their_sizes() {
        for (broad, narrow) in [(901, 101), (501, 501), (101, 901)] {
            let found = mode(&[bell(broad, 1.0, 0.14), bell(narrow, 1.36, 0.04)]).unwrap();
            assert!((found - 1.36).abs() < 0.02, "{broad} {narrow}: {found}");
        }
    }

    #[test]
    fn a_few_outliers_above_are_not_a_mode() {
        let found = mode(&[bell(501, 1.36, 0.03), vec![1.7, 1.7, 1.71, 90.0]]).unwrap();
        assert!((found - 1.36).abs() < 0.01, "{found}");
    }

    #[test]
    fn equal_values_are_a_mode() {
        assert_eq!(mode(&[vec![1.0; 8]]), Some(1.0));
        assert_eq!(mode(&[vec![1.0; 7]]), None);
        assert_eq!(mode(&[]), None);
    }

    proptest! {
        #[test]
        fn a_mode_lies_among_the_values(values in prop::collection::vec(-3.0..3.0, 0..200)) {
            let mut all = values.clone();
            all.sort_by(f64::total_cmp);
            if let Some(near) = topmost_mode(&all, 8) {
                prop_assert!(near.len() >= 8 && near.iter().all(|value| values.contains(value)));
            }
        }
    }
}
