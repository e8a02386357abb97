//! Means with intervals.

use serde::{Deserialize, Deserializer, Serialize};
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};
use std::cell::RefCell;
use std::collections::HashMap;

/// With more degrees of freedom Student's t is the normal distribution to six digits.
const NEARLY_NORMAL: f64 = 1e6;

/// Cached quantiles.
const MOST_KNOWN: usize = 4096;

/// A positive quantity with a 95 % interval around it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Interval {
    pub centre: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end of the 95 % interval.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub high: f64,
    /// Degrees of freedom of Student's t for its width.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub freedom: f64,
}

/// Reads centre, low, high and degrees of freedom, of which `null` is not finite.
impl<'de> Deserialize<'de> for Interval {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (centre, low, high, freedom): (Option<f64>, Option<f64>, Option<f64>, Option<f64>) =
            Deserialize::deserialize(deserializer)?;
        let [high, freedom] = [high, freedom].map(|end| end.unwrap_or(f64::INFINITY));
        Ok(Self { centre: centre.unwrap_or(f64::NAN), low: low.unwrap_or(0.0), high, freedom })
    }
}

impl Interval {
    /// `centre × e^±margin`: symmetric by factor, and never below zero. Small values of `margin` are relative margins.
    pub fn around(centre: f64, margin: f64, freedom: f64) -> Self {
        Self { centre, low: centre * (-margin).exp(), high: centre * margin.exp(), freedom }
    }

    /// Without error.
    pub fn exact(centre: f64) -> Self {
        Self::around(centre, 0.0, f64::INFINITY)
    }

    /// The margin relative to the centre: 0.01 is ±1 %.
    pub fn margin(&self) -> f64 {
        (self.high / self.low).ln() / 2.0
    }

    /// Whether it has finite ends: the error of a single figure is unknown.
    pub fn is_known(&self) -> bool {
        self.margin().is_finite()
    }

    /// Distance from the centre to the lower end, as a logarithm.
    fn down(&self) -> f64 {
        (self.centre / self.low).ln()
    }

    /// Distance from the centre to the upper end, as a logarithm.
    fn up(&self) -> f64 {
        (self.high / self.centre).ln()
    }

    /// The greater of both distances.
    pub fn widest(&self) -> f64 {
        self.down().max(self.up())
    }

    /// The distance on the side of 1.
    fn towards_one(&self) -> f64 {
        if self.centre > 1.0 { self.down() } else { self.up() }
    }

    /// Widened to at least `margin`, with the latter's degrees of freedom.
    #[must_use]
    pub fn at_least(self, margin: f64, freedom: f64) -> Self {
        if margin > self.margin() { Self::around(self.centre, margin, freedom) } else { self }
    }

    /// Converted to another unit.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        let Self { centre, low, high, freedom } = self;
        Self { centre: centre * factor, low: low * factor, high: high * factor, freedom }
    }

    /// One over it.
    #[must_use]
    pub fn turned(self) -> Self {
        let Self { centre, low, high, freedom } = self;
        Self { centre: 1.0 / centre, low: 1.0 / high, high: 1.0 / low, freedom }
    }

    /// The ratio of two independent quantities; see [`Self::times`].
    pub fn ratio_to(&self, base: &Self) -> Self {
        self.times(&base.turned())
    }

    /// The product of two independent quantities. Distances to the ends add in quadrature: the method of variance
    /// estimates recovery (G. Y. Zou and A. Donner, Construction of confidence limits about effect measures, 2008),
    /// which keeps asymmetric intervals asymmetric. They add as standard errors, scaled by Student's t with the joint
    /// degrees of freedom.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        let quantile = |freedom: f64| student_quantile(freedom, 0.95);
        let (mine, others) = (quantile(self.freedom), quantile(other.freedom));
        let freedom = joint_freedom(
            (self.margin() / mine, self.freedom),
            (other.margin() / others, other.freedom),
        );
        let joint = quantile(freedom);
        let end = |a: f64, b: f64| joint * (a / mine).hypot(b / others);
        let centre = self.centre * other.centre;
        Self {
            centre,
            low: centre * (-end(self.down(), other.down())).exp(),
            high: centre * end(self.up(), other.up()).exp(),
            freedom,
        }
    }

    /// The geometric mean of independent quantities. `None` without any.
    pub fn of_mean(all: &[Self]) -> Option<Self> {
        Self::of_weighted_mean(all, &vec![1.0; all.len()])
    }

    /// The weighted geometric mean.
    pub fn of_weighted_mean(all: &[Self], weights: &[f64]) -> Option<Self> {
        let sum: f64 = weights.iter().sum();
        // Around 1, so that no product leaves the range of numbers.
        let weighed = |(one, weight): (&Self, &f64)| {
            let end = |end: f64| (end / one.centre).powf(weight / sum);
            Self { centre: 1.0, low: end(one.low), high: end(one.high), ..*one }
        };
        let product = all.iter().zip(weights).map(weighed).reduce(|a, b| a.times(&b))?;
        let logs = all.iter().zip(weights).map(|(one, weight)| one.centre.ln() * weight);
        Some(product.scaled((logs.sum::<f64>() / sum).exp()))
    }

    /// The probability of a centre this far from 1 or further if the true value is at most `e^±shared` from 1. The
    /// width is scaled from 95 % by Student's t.
    pub fn p_value(&self, shared: f64) -> f64 {
        let excess = self.centre.ln().abs() - shared;
        if excess <= 0.0 || excess.is_nan() {
            return 1.0;
        }
        let t = excess / self.towards_one() * student_quantile(self.freedom, 0.95);
        student_tails(t, self.freedom)
    }
}

/// Degrees of freedom of a sum of two, each with its standard error and its own (F. E. Satterthwaite 1946,
/// B. L. Welch 1947).
fn joint_freedom((a, of_a): (f64, f64), (b, of_b): (f64, f64)) -> f64 {
    let joint = (a * a + b * b).powi(2) / (a.powi(4) / of_a + b.powi(4) / of_b);
    if joint.is_nan() { of_a.min(of_b) } else { joint }
}

/// The arithmetic mean; NaN for an empty series.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Within ± this, Student's t with `freedom` degrees of freedom lies with probability `inside`.
pub fn student_quantile(freedom: f64, inside: f64) -> f64 {
    thread_local! {
        // A few arguments repeat often, and each result is an iteration over a continued fraction.
        static KNOWN: RefCell<HashMap<(u64, u64), f64>> = RefCell::default();
    }
    let below = 0.5 + inside / 2.0;
    if freedom > NEARLY_NORMAL {
        return Normal::standard().inverse_cdf(below);
    }
    let key = (freedom.to_bits(), inside.to_bits());
    if let Some(quantile) = KNOWN.with_borrow(|known| known.get(&key).copied()) {
        return quantile;
    }
    let law = StudentsT::new(0.0, 1.0, freedom);
    let quantile = law.map_or(f64::INFINITY, |t| t.inverse_cdf(below));
    KNOWN.with_borrow_mut(|known| {
        // Joint degrees of freedom rarely repeat.
        if known.len() >= MOST_KNOWN {
            known.clear();
        }
        known.insert(key, quantile);
    });
    quantile
}

/// The probability that Student's t lies at least this far from 0.
fn student_tails(t: f64, freedom: f64) -> f64 {
    if freedom > NEARLY_NORMAL {
        return 2.0 * Normal::standard().sf(t);
    }
    StudentsT::new(0.0, 1.0, freedom).map_or(1.0, |law| 2.0 * law.sf(t))
}

/// Probability that a standard normal value lies below.
pub fn normal_below(value: f64) -> f64 {
    Normal::standard().cdf(value)
}

/// Margin of the mean of independent, roughly normal values by Student's 95 % interval, in the unit of the values, and
/// its degrees of freedom. `None` for fewer than two values.
pub fn mean_margin(values: &[f64]) -> Option<(f64, f64)> {
    if values.len() < 2 {
        return None;
    }
    let (centre, freedom) = (mean(values), (values.len() - 1) as f64);
    let variance = values.iter().map(|v| (v - centre).powi(2)).sum::<f64>() / freedom;
    Some((student_quantile(freedom, 0.95) * (variance / values.len() as f64).sqrt(), freedom))
}

/// The mean of independent, roughly normal, positive values, with Student's interval.
/// `None` for fewer than two values, or when the mean is not positive.
pub fn mean_interval(values: &[f64]) -> Option<Interval> {
    let centre = mean(values);
    let (margin, freedom) = mean_margin(values)?;
    (centre > 0.0).then(|| Interval::around(centre, margin / centre, freedom))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_margin_of_an_asymmetric_interval_is_the_greater_distance() {
        let interval = Interval { centre: 0.99, low: 0.9, high: 1.0, freedom: 9.0 };
        assert!((interval.widest() - (0.99_f64 / 0.9).ln()).abs() < 1e-12);
    }
    use proptest::prelude::*;

    #[test]
    fn students_quantiles_are_those_of_the_tables() {
        for (freedom, quantile) in
            [(1.0, 12.706), (4.0, 2.776), (9.0, 2.262), (1e6, 1.960), (f64::INFINITY, 1.960)]
        {
            assert!((student_quantile(freedom, 0.95) - quantile).abs() < 1e-3);
        }
    }

    #[test]
    fn the_interval_of_a_known_series_is_known() {
        // Mean 10, standard deviation √(4/3), n 4: 3.1824 × 1.1547 / 2 / 10.
        let interval = mean_interval(&[9.0, 11.0, 9.0, 11.0]).unwrap();
        assert!((interval.centre - 10.0).abs() < 1e-9);
        assert!((interval.margin() - 0.183_7).abs() < 1e-4, "{}", interval.margin());
    }

    #[test]
    fn an_interval_whose_end_touches_one_has_a_p_value_of_five_percent() {
        let interval = Interval::around(1.1, 1.1_f64.ln(), 6.0);
        assert!((interval.p_value(0.0) - 0.05).abs() < 1e-9);
        assert!(interval.p_value(0.01) > 0.05);
        assert!((interval.p_value(0.2) - 1.0).abs() < 1e-12);
        assert!((Interval::around(1.0 / 1.1, 1.1_f64.ln(), 6.0).p_value(0.0) - 0.05).abs() < 1e-9);
    }

    #[test]
    fn there_is_no_interval_without_two_values() {
        assert_eq!(mean_interval(&[1.0]), None);
        assert_eq!(mean_interval(&[]), None);
        assert_eq!(mean_interval(&[0.0, 0.0]), None);
    }

    proptest! {
        #[test]
        fn the_interval_scales_with_the_unit(
            values in prop::collection::vec(0.1..1e6_f64, 2..50),
            unit in 0.001..1000.0_f64,
        ) {
            let interval = mean_interval(&values).unwrap();
            let scaled: Vec<f64> = values.iter().map(|v| v * unit).collect();
            let scaled = mean_interval(&scaled).unwrap();
            prop_assert!((scaled.margin() - interval.margin()).abs() < 1e-6);
            prop_assert!((scaled.centre / interval.centre / unit - 1.0).abs() < 1e-9);
        }

        #[test]
        fn the_inverse_ratio_is_one_over_the_ratio(
            a in 0.1..1e3_f64, b in 0.1..1e3_f64, x in 0.0..0.5_f64, y in 0.0..0.5_f64,
        ) {
            let (a, b) = (Interval::around(a, x, 9.0), Interval::around(b, y, 4.0));
            let (there, back) = (a.ratio_to(&b), b.ratio_to(&a));
            prop_assert!((there.centre * back.centre - 1.0).abs() < 1e-9);
            prop_assert!((there.low * back.high - 1.0).abs() < 1e-9);
            // More degrees of freedom may offset a small part of the added width.
            prop_assert!(there.margin() + 1e-9 >= 0.7 * a.margin().max(b.margin()));
        }
    }
}
