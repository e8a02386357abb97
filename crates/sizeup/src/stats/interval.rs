//! Means and their intervals.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// A positive quantity with a 95 % interval around it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The centre.
    pub centre: f64,
    /// The interval's lower end.
    pub low: f64,
    /// The interval's upper end.
    pub high: f64,
}

impl Interval {
    /// `centre × e^±half`: as far up as down by factor, and never below zero.
    /// For small widths `half` is the relative half-width.
    pub fn around(centre: f64, half: f64) -> Self {
        Self { centre, low: centre * (-half).exp(), high: centre * half.exp() }
    }

    /// The half-width as a share of the centre, by factor: 0.01 is ±1 %.
    pub fn half(&self) -> f64 {
        (self.high / self.low).ln() / 2.0
    }

    /// The same with a half-width of at least `floor`.
    #[must_use]
    pub fn at_least(self, floor: f64) -> Self {
        if floor > self.half() { Self::around(self.centre, floor) } else { self }
    }

    /// The ratio of two independent quantities: the half-widths add as the sides of a right angle.
    pub fn ratio_to(&self, base: &Self) -> Self {
        Self::around(self.centre / base.centre, self.half().hypot(base.half()))
    }
}

/// The arithmetic mean; not a number for an empty series.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The two-sided 95 % quantile of Student's t distribution with `freedom` degrees of freedom.
pub fn student_quantile(freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom).map_or(f64::INFINITY, |t| t.inverse_cdf(0.975))
}

/// The mean of independent, roughly normal, positive values, with Student's interval.
/// `None` for fewer than two values, or when the mean is not positive.
pub fn mean_interval(values: &[f64]) -> Option<Interval> {
    let n = values.len() as f64;
    let centre = mean(values);
    if values.len() < 2 || centre.is_nan() || centre <= 0.0 {
        return None;
    }
    let variance = values.iter().map(|v| (v - centre).powi(2)).sum::<f64>() / (n - 1.0);
    let half = student_quantile(n - 1.0) * (variance / n).sqrt() / centre;
    Some(Interval::around(centre, half))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn students_quantiles_are_those_of_the_tables() {
        for (freedom, quantile) in [(1.0, 12.706), (4.0, 2.776), (9.0, 2.262), (1e6, 1.960)] {
            assert!((student_quantile(freedom) - quantile).abs() < 1e-3);
        }
    }

    #[test]
    fn the_interval_of_a_known_series_is_known() {
        // Mean 10, standard deviation √(4/3), n 4: 3.1824 × 1.1547 / 2 / 10.
        let interval = mean_interval(&[9.0, 11.0, 9.0, 11.0]).unwrap();
        assert!((interval.centre - 10.0).abs() < 1e-9);
        assert!((interval.half() - 0.183_7).abs() < 1e-4, "{}", interval.half());
    }

    #[test]
    fn there_is_no_interval_without_two_values() {
        assert_eq!(mean_interval(&[1.0]), None);
        assert_eq!(mean_interval(&[]), None);
        assert_eq!(mean_interval(&[0.0, 0.0]), None);
    }

    proptest! {
        #[test]
        fn the_interval_holds_the_mean_and_scales_with_the_unit(
            values in prop::collection::vec(0.1..1e6_f64, 2..50),
            unit in 0.001..1000.0_f64,
        ) {
            let interval = mean_interval(&values).unwrap();
            prop_assert!(interval.low <= interval.centre && interval.centre <= interval.high);
            let scaled: Vec<f64> = values.iter().map(|v| v * unit).collect();
            let scaled = mean_interval(&scaled).unwrap();
            prop_assert!((scaled.half() - interval.half()).abs() < 1e-6);
            prop_assert!((scaled.centre / interval.centre / unit - 1.0).abs() < 1e-9);
        }

        #[test]
        fn a_ratio_turned_round_is_one_over_the_ratio(
            a in 0.1..1e3_f64, b in 0.1..1e3_f64, x in 0.0..0.5_f64, y in 0.0..0.5_f64,
        ) {
            let (a, b) = (Interval::around(a, x), Interval::around(b, y));
            let (there, back) = (a.ratio_to(&b), b.ratio_to(&a));
            prop_assert!((there.centre * back.centre - 1.0).abs() < 1e-9);
            prop_assert!((there.low * back.high - 1.0).abs() < 1e-9);
            prop_assert!(there.half() + 1e-9 >= a.half().max(b.half()));
        }
    }
}
