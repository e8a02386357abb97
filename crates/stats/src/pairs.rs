//! Ratios of things that were measured next to each other.

use super::{Interval, mean, mean_half};

/// The geometric mean of `ratios`, one of each pair, with Student's 95 % interval of the mean
/// logarithm. Pairs share the machine's moment, so what is left of a ratio is nearly independent of the
/// next one's. `None` for fewer than two ratios, or for one that is not positive and finite.
pub fn ratio_interval(ratios: &[f64]) -> Option<Interval> {
    if ratios.iter().any(|ratio| !ratio.is_finite() || *ratio <= 0.0) {
        return None;
    }
    let logs: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
    let (half, freedom) = mean_half(&logs)?;
    Some(Interval::around(mean(&logs).exp(), half, freedom))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_interval_of_known_ratios_is_known() {
        // Logarithms ±0.01, n 4: 3.1824 × 0.011547 / 2.
        let up = 0.01_f64.exp();
        let interval = ratio_interval(&[up, 1.0 / up, up, 1.0 / up]).unwrap();
        assert!((interval.centre - 1.0).abs() < 1e-12);
        assert!((interval.half() - 0.018_374).abs() < 1e-5, "{}", interval.half());
    }

    #[test]
    fn there_is_none_of_a_single_pair_or_of_what_is_no_ratio() {
        assert_eq!(ratio_interval(&[1.0]), None);
        assert_eq!(ratio_interval(&[1.0, 0.0]), None);
        assert_eq!(ratio_interval(&[1.0, f64::NAN]), None);
    }

    proptest! {
        #[test]
        fn turning_every_pair_round_turns_the_interval_round(
            ratios in prop::collection::vec(0.01..100.0_f64, 2..40),
        ) {
            let turned: Vec<f64> = ratios.iter().map(|ratio| 1.0 / ratio).collect();
            let (there, back) = (ratio_interval(&ratios).unwrap(), ratio_interval(&turned).unwrap());
            prop_assert!((there.low * back.high - 1.0).abs() < 1e-9);
            prop_assert!((there.centre * back.centre - 1.0).abs() < 1e-9);
        }
    }
}
