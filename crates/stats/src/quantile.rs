//! Quantiles, and the median with an interval that accounts for clusters.

use super::{Interval, student_quantile};
use std::collections::BTreeMap;

/// The quantile of a sorted series, interpolated between its two neighbours (type 7 of R. J. Hyndman and
/// Y. Fan, Sample quantiles in statistical packages, 1996). `p` beyond 0 … 1 gives the ends; NaN for an
/// empty series.
pub fn quantile(sorted: &[f64], p: f64) -> f64 {
    if sorted.is_empty() {
        return f64::NAN;
    }
    let place = p.clamp(0.0, 1.0) * (sorted.len() - 1) as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (sorted[above] - sorted[below]) * (place - below as f64)
}

/// The median; NaN for an empty series.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    quantile(&sorted, 0.5)
}

/// The median of positive values in clusters (values of a cluster may be correlated), with the 95 % interval of
/// R. S. Woodruff (Confidence intervals for medians and other position measures, 1952): the error of the share of
/// values below the median comes from the clusters, and is converted back to quantiles of the values; beyond the last
/// value, its distance from the median is extrapolated by factor. A negative correlation within clusters is due to
/// chance, so the interval is at least that of independent values. `None` for fewer than two clusters, or if the median
/// is not positive.
pub fn clustered_median(values: &[(u64, f64)]) -> Option<Interval> {
    let mut sorted: Vec<f64> = values.iter().map(|(_, value)| *value).collect();
    sorted.sort_by(f64::total_cmp);
    let centre = quantile(&sorted, 0.5);
    let mut clusters: BTreeMap<u64, f64> = BTreeMap::new();
    for (cluster, value) in values {
        let above = (value.total_cmp(&centre) as i8 as f64) / 2.0;
        *clusters.entry(*cluster).or_default() += above;
    }
    let (count, n) = (clusters.len() as f64, sorted.len() as f64);
    if clusters.len() < 2 || centre.is_nan() || centre <= 0.0 {
        return None;
    }
    let variance = clusters.values().map(|sum| sum * sum).sum::<f64>() * count / (count - 1.0);
    let of_clusters = student_quantile(count - 1.0, 0.95) * variance.sqrt();
    // Each value counts as half above and half below itself.
    let of_independent = student_quantile(f64::INFINITY, 0.95) * n.sqrt() / 2.0;
    let off = of_clusters.max(of_independent) / n;
    let end = |share: f64| centre * (quantile(&sorted, share) / centre).powf((2.0 * off).max(1.0));
    let (low, high) = (end(0.5 - off), end(0.5 + off));
    (low > 0.0).then_some(Interval { centre, low, high, freedom: count - 1.0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn quantiles_are_interpolated_between_their_neighbours() {
        let sorted = [1.0, 2.0, 4.0];
        for (p, expected) in
            [(0.0, 1.0), (0.25, 1.5), (0.5, 2.0), (0.75, 3.0), (1.0, 4.0), (7.0, 4.0)]
        {
            assert!((quantile(&sorted, p) - expected).abs() < 1e-12);
        }
        assert!(quantile(&[], 0.5).is_nan());
        assert!((median(&[3.0, 1.0, 2.0]) - 2.0).abs() < 1e-12);
    }

    #[test]
    fn correlation_within_clusters_widens_the_interval() {
        let values = |cluster: fn(u64) -> u64| {
            (0..100_u64).map(|i| (cluster(i), 100.0 + i as f64)).collect::<Vec<_>>()
        };
        // Alternating, each cluster has all values; in stretches, each has its own.
        let (turns, stretches) = (values(|i| i % 10), values(|i| i / 10));
        let (turns, stretches) =
            (clustered_median(&turns).unwrap(), clustered_median(&stretches).unwrap());
        assert!(stretches.margin() > 2.5 * turns.margin(), "{stretches:?} {turns:?}");
        assert!((turns.centre - 149.5).abs() < 1e-9 && (turns.freedom - 9.0).abs() < 1e-9);
    }

    #[test]
    fn one_cluster_has_no_interval() {
        assert_eq!(clustered_median(&[(1, 1.0), (1, 2.0), (1, 3.0)]), None);
        assert_eq!(clustered_median(&[]), None);
    }

    #[test]
    fn clusters_balanced_by_chance_do_not_make_the_median_certain() {
        let values: Vec<(u64, f64)> = (0..30).map(|i| (i / 2, 100.0 + (i % 2) as f64)).collect();
        let interval = clustered_median(&values).unwrap();
        assert!((interval.low - 100.0).abs() < 1e-9 && (interval.high - 101.0).abs() < 1e-9);
    }

    #[test]
    fn clusters_with_an_uncertain_median_reach_beyond_the_values() {
        // Half of the few launches are slow throughout: a third state may be anywhere.
        let values: Vec<(u64, f64)> =
            (0..24).map(|i| (i / 6, [90.0, 110.0][i as usize / 12])).collect();
        let interval = clustered_median(&values).unwrap();
        assert!(interval.low < 85.0 && interval.high > 115.0, "{interval:?}");
    }

    proptest! {
        #[test]
        fn the_interval_is_the_same_in_another_unit(
            values in prop::collection::vec((0..8_u64, 0.1..1e6_f64), 2..60),
            unit in 0.001..1000.0_f64,
        ) {
            prop_assume!(values.iter().any(|(cluster, _)| *cluster != values[0].0));
            let interval = clustered_median(&values).unwrap();
            let scaled: Vec<_> = values.iter().map(|(c, v)| (*c, v * unit)).collect();
            let scaled = clustered_median(&scaled).unwrap();
            prop_assert!((scaled.low / interval.low / unit - 1.0).abs() < 1e-9);
            prop_assert!((scaled.high / interval.high / unit - 1.0).abs() < 1e-9);
        }

        #[test]
        fn a_tenth_of_wild_values_moves_the_median_no_further_than_its_neighbours(
            wild in prop::collection::vec(1e-3..1e9_f64, 10),
        ) {
            let mut values: Vec<f64> = (0..90).map(|i| 100.0 + f64::from(i) * 0.01).collect();
            values.extend(wild);
            let centre = median(&values);
            prop_assert!((100.35..=100.55).contains(&centre), "{centre}");
        }
    }
}
