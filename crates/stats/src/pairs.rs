//! Ratios of paired measurements.

use super::{Interval, mean, mean_margin};

/// The geometric mean of `ratios`, one of each pair, with Student's 95 % interval of the mean
/// logarithm. Both measurements of a pair share the machine's state, so ratios are nearly independent of each
/// other. `None` for fewer than two ratios, or for one that is not positive and finite.
pub fn ratio_interval(ratios: &[f64]) -> Option<Interval> {
    if ratios.iter().any(|ratio| !ratio.is_finite() || *ratio <= 0.0) {
        return None;
    }
    let logs: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
    let (margin, freedom) = mean_margin(&logs)?;
    Some(Interval::around(mean(&logs).exp(), margin, freedom))
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
        assert!((interval.margin() - 0.018_374).abs() < 1e-5, "{}", interval.margin());
    }

    #[test]
    fn a_single_pair_and_an_invalid_ratio_have_no_interval() {
        assert_eq!(ratio_interval(&[1.0]), None);
        assert_eq!(ratio_interval(&[1.0, 0.0]), None);
        assert_eq!(ratio_interval(&[1.0, f64::NAN]), None);
    }

    proptest! {
        #[test]
        fn inverting_every_pair_inverts_the_interval(
            ratios in prop::collection::vec(0.01..100.0_f64, 2..40),
        ) {
            let turned: Vec<f64> = ratios.iter().map(|ratio| 1.0 / ratio).collect();
            let (there, back) = (ratio_interval(&ratios).unwrap(), ratio_interval(&turned).unwrap());
            prop_assert!((there.low * back.high - 1.0).abs() < 1e-9);
            prop_assert!((there.centre * back.centre - 1.0).abs() < 1e-9);
        }
    }
}
