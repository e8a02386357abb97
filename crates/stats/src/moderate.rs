//! Moderated variances of many rows with few observations each.

use super::mean;
use statrs::function::gamma::digamma;

/// The common variance of rows and its weight relative to a row's own: the empirical Bayes method of G. K. Smyth
/// (Linear models and empirical Bayes methods for assessing differential expression in microarray
/// experiments, 2004).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CommonVariance {
    /// The common variance.
    pub variance: f64,
    /// Degrees of freedom that it counts for; infinite if rows differ no more than by chance.
    pub freedom: f64,
}

/// Fewer rows show too little of the variation of variances.
const LEAST_ROWS: usize = 5;

impl CommonVariance {
    /// Takes the variances of rows, each with `freedom` degrees of freedom. `None` for fewer than 5 that are above zero.
    pub fn of(variances: &[f64], freedom: f64) -> Option<Self> {
        let logs: Vec<f64> =
            variances.iter().filter(|variance| **variance > 0.0).map(|v| v.ln()).collect();
        if logs.len() < LEAST_ROWS {
            return None;
        }
        // Mean difference between the logarithms of a variance with this many degrees of freedom and of the true one.
        let bias = digamma(freedom / 2.0) - (freedom / 2.0).ln();
        let centre = mean(&logs) - bias;
        let spread = logs.iter().map(|log| (log - mean(&logs)).powi(2)).sum::<f64>();
        let excess = spread / (logs.len() - 1) as f64 - trigamma(freedom / 2.0);
        if excess <= 0.0 {
            return Some(Self { variance: centre.exp(), freedom: f64::INFINITY });
        }
        let margin = inverse_trigamma(excess);
        let variance = (centre + digamma(margin) - margin.ln()).exp();
        Some(Self { variance, freedom: 2.0 * margin })
    }

    /// A row's own variance, moderated, with its degrees of freedom.
    pub fn moderate(&self, variance: f64, freedom: f64) -> (f64, f64) {
        if self.freedom.is_infinite() {
            return (self.variance, f64::INFINITY);
        }
        let both = self.freedom + freedom;
        ((self.variance * self.freedom + variance * freedom) / both, both)
    }
}

/// The second derivative of ln Γ, above zero: by recurrence to where the asymptotic series holds (M. Abramowitz and
/// I. A. Stegun, Handbook of Mathematical Functions, 6.4.6 and 6.4.12).
fn trigamma(x: f64) -> f64 {
    const FROM: f64 = 15.0;
    let steps = (FROM - x).ceil().max(0.0) as u32;
    let below: f64 = (0..steps).map(|i| (x + f64::from(i)).powi(-2)).sum();
    let z = x + f64::from(steps);
    let square = z.powi(-2);
    let tail =
        square / 2.0 + (1.0 + square * (1.0 / 6.0 - square * (1.0 / 30.0 - square / 42.0))) / z;
    below + tail
}

/// Where trigamma has this value, by bisection.
fn inverse_trigamma(value: f64) -> f64 {
    const STEPS: usize = 60;
    // Trigamma of x lies between 1/x + 1/2x² and 1/x + 1/x².
    let root = |twice: f64| (1.0 + (1.0 + 2.0 * twice * value).sqrt()) / (2.0 * value);
    let (mut low, mut high) = (root(1.0), root(2.0));
    for _ in 0..STEPS {
        let middle = (low + high) / 2.0;
        if trigamma(middle) > value { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use statrs::distribution::ChiSquared;
    use std::f64::consts::PI;

    #[test]
    fn trigamma_has_its_known_values() {
        for (x, value) in [(1.0, PI * PI / 6.0), (0.5, PI * PI / 2.0), (2.0, PI * PI / 6.0 - 1.0)] {
            assert!((trigamma(x) - value).abs() < 1e-10, "{x}: {}", trigamma(x));
        }
    }

    /// Variances of rows with the given degrees of freedom and true variances.
    fn seen(freedom: f64, variance: impl Fn(usize) -> f64) -> Vec<f64> {
        use rand::distr::Distribution;
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let chi = ChiSquared::new(freedom).unwrap();
        (0..2_000).map(|i| variance(i) * chi.sample(&mut random) / freedom).collect()
    }

    #[test]
    fn rows_of_equal_variance_share_it() {
        let common = CommonVariance::of(&seen(2.0, |_| 4.0), 2.0).unwrap();
        assert!((common.variance / 4.0 - 1.0).abs() < 0.1, "{common:?}");
        assert!(common.freedom > 30.0, "{common:?}");
        let (variance, freedom) = common.moderate(40.0, 2.0);
        assert!(variance < 8.0 && freedom > 30.0);
    }

    #[test]
    fn rows_of_different_variances_keep_much_of_their_own() {
        let common = CommonVariance::of(&seen(8.0, |i| [1.0, 100.0][i % 2]), 8.0).unwrap();
        assert!(common.freedom < 2.0, "{common:?}");
        let (variance, _) = common.moderate(100.0, 8.0);
        assert!(variance > 60.0, "{variance}");
    }

    #[test]
    fn few_rows_have_nothing_in_common() {
        assert_eq!(CommonVariance::of(&[1.0, 2.0, 3.0, 0.0, 0.0], 3.0), None);
    }

    proptest! {
        #[test]
        fn the_inverse_of_trigamma_is_its_inverse(x in 0.05..200.0_f64) {
            prop_assert!((inverse_trigamma(trigamma(x)) / x - 1.0).abs() < 1e-6);
        }

        #[test]
        fn a_moderated_variance_lies_between_the_two(
            variances in prop::collection::vec(1e-6..1e6_f64, 5..40), freedom in 1.0..20.0_f64,
        ) {
            let common = CommonVariance::of(&variances, freedom).unwrap();
            let (moderated, freedom_of_both) = common.moderate(variances[0], freedom);
            let ends = [variances[0], common.variance];
            prop_assert!(freedom_of_both >= freedom);
            prop_assert!(moderated >= ends[0].min(ends[1]) * 0.999_999);
            prop_assert!(moderated <= ends[0].max(ends[1]) * 1.000_001);
        }
    }
}
