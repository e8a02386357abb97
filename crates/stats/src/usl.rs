//! The Universal Scalability Law (N. J. Gunther, Guerrilla Capacity Planning, 2007): throughput of N threads
//! `X(N) = λN / (1 + σ(N − 1) + κN(N − 1))`, with λ the throughput of one thread, σ the serialized share (contention)
//! and κ the cost of each pair of threads (coherency).

use super::interval::{Interval, student_quantile};
use super::least_squares::LeastSquares;
use serde::Serialize;

/// The throughput of a number of threads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScalingPoint {
    pub threads: usize,
    /// Throughput of all threads.
    pub throughput: f64,
}

/// A parameter that can be zero, with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Coefficient {
    /// The best estimate, not below zero.
    pub value: f64,
    /// Lower end of the 95 % interval, not below zero.
    pub low: f64,
    /// Upper end of the 95 % interval.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub high: f64,
}

/// The best fit of the law to points.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Usl {
    /// λ: throughput of one thread.
    pub lambda: Interval,
    /// σ: contention.
    pub sigma: Coefficient,
    /// κ: coherency.
    pub kappa: Coefficient,
    /// Root mean square of the relative residuals, per remaining degree of freedom.
    pub residual: f64,
}

/// Three parameters need a fourth point to show the quality of the fit.
const LEAST_POINTS: usize = 4;

impl Usl {
    /// Fits the law to points by least squares of relative errors. `N / X = a + b(N − 1) + cN(N − 1)` is linear in
    /// `a = 1/λ`, `b = σ/λ` and `c = κ/λ`; multiplied by `X / N`, errors of points are
    /// relative. `None` with fewer than four different numbers of threads, or if no such law is near.
    pub fn fit(points: &[ScalingPoint]) -> Option<Self> {
        let mut counts: Vec<usize> = points.iter().map(|point| point.threads).collect();
        counts.sort_unstable();
        counts.dedup();
        let is_bad =
            |p: &ScalingPoint| p.threads == 0 || !(p.throughput.is_finite() && p.throughput > 0.0);
        if counts.len() < LEAST_POINTS || points.iter().any(is_bad) {
            return None;
        }
        // Neither σ nor κ is below zero: the best of the fits without one or both.
        let full = fit(points, [0, 1, 2])?;
        let fits = [
            Some(placed(&full, [0, 1, 2])),
            fit(points, [0, 1]).map(|fit| placed(&fit, [0, 1])),
            fit(points, [0, 2]).map(|fit| placed(&fit, [0, 2])),
            fit(points, [0]).map(|fit| placed(&fit, [0])),
        ];
        let (parameters, squares) = fits
            .into_iter()
            .flatten()
            .filter(|(parameters, _)| {
                parameters[0] > 0.0 && parameters[1] >= 0.0 && parameters[2] >= 0.0
            })
            .min_by(|a, b| a.1.total_cmp(&b.1))?;
        let freedom = (points.len() - 3) as f64;
        let variance = squares / freedom;
        let covariance = full.covariance(variance);
        Some(Self::of(parameters, &covariance, freedom, variance.sqrt()))
    }

    /// From `a`, `b`, `c` and their covariance, to first order.
    fn of([a, b, c]: [f64; 3], covariance: &[[f64; 3]; 3], freedom: f64, residual: f64) -> Self {
        let stretch = student_quantile(freedom, 0.95);
        let lambda_margin = stretch * covariance[0][0].sqrt() / a;
        // Error of b/a: that of b less its correlation with a's.
        let coefficient = |value: f64, place: usize| {
            let ratio = value / a;
            let variance = covariance[place][place] - 2.0 * ratio * covariance[place][0]
                + ratio * ratio * covariance[0][0];
            let margin = stretch * variance.max(0.0).sqrt() / a;
            Coefficient { value: ratio, low: (ratio - margin).max(0.0), high: ratio + margin }
        };
        Self {
            lambda: Interval::around(1.0 / a, lambda_margin, freedom),
            sigma: coefficient(b, 1),
            kappa: coefficient(c, 2),
            residual,
        }
    }

    /// The law's throughput of this many threads.
    pub fn throughput(&self, threads: f64) -> f64 {
        let contention = self.sigma.value * (threads - 1.0);
        let coherency = self.kappa.value * threads * (threads - 1.0);
        self.lambda.centre * threads / (1.0 + contention + coherency)
    }

    /// The number of threads with the highest throughput; `None` if throughput always grows. It grows as long as
    /// `κN² < 1 − σ`.
    pub fn peak(&self) -> Option<f64> {
        let (sigma, kappa) = (self.sigma.value, self.kappa.value);
        if sigma >= 1.0 {
            return Some(1.0);
        }
        let peak = ((1.0 - sigma) / kappa).sqrt();
        (kappa > 0.0 && peak.is_finite()).then(|| peak.max(1.0))
    }
}

/// The law with only these of a, b and c; the others are zero. Columns differ by the square of the number of threads.
fn fit<const N: usize>(points: &[ScalingPoint], chosen: [usize; N]) -> Option<LeastSquares<N>> {
    let equation = |point: &ScalingPoint| {
        let threads = point.threads as f64;
        let share = point.throughput / threads;
        let all = [share, share * (threads - 1.0), share * threads * (threads - 1.0)];
        (chosen.map(|place| all[place]), 1.0)
    };
    LeastSquares::of(&points.iter().map(equation).collect::<Vec<_>>())
}

/// All of a, b and c, and the sum of squared relative errors.
fn placed<const N: usize>(fit: &LeastSquares<N>, chosen: [usize; N]) -> ([f64; 3], f64) {
    let mut parameters = [0.0; 3];
    for (place, value) in chosen.into_iter().zip(fit.solution) {
        parameters[place] = value;
    }
    (parameters, fit.squares)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand::distr::Distribution;
    use rand_chacha::ChaCha8Rng;
    use statrs::distribution::Normal;

    fn law(lambda: f64, sigma: f64, kappa: f64) -> impl Fn(usize) -> f64 {
        move |threads| {
            let n = threads as f64;
            lambda * n / (1.0 + sigma * (n - 1.0) + kappa * n * (n - 1.0))
        }
    }

    fn points(
        counts: impl Iterator<Item = usize>,
        throughput: impl Fn(usize) -> f64,
    ) -> Vec<ScalingPoint> {
        counts.map(|threads| ScalingPoint { threads, throughput: throughput(threads) }).collect()
    }

    #[test]
    fn points_on_a_law_give_its_parameters() {
        let usl = Usl::fit(&points(1..=32, law(1_000.0, 0.05, 0.001))).unwrap();
        assert!((usl.lambda.centre / 1_000.0 - 1.0).abs() < 1e-9, "{usl:?}");
        assert!((usl.sigma.value - 0.05).abs() < 1e-9 && (usl.kappa.value - 0.001).abs() < 1e-9);
        assert!((usl.peak().unwrap() - (0.95_f64 / 0.001).sqrt()).abs() < 1e-6);
        assert!((usl.throughput(16.0) / law(1_000.0, 0.05, 0.001)(16) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn lossless_scaling_has_no_contention_and_no_peak() {
        let usl = Usl::fit(&points([1, 2, 4, 8, 16, 64].into_iter(), law(7.0, 0.0, 0.0))).unwrap();
        assert!(usl.sigma.value < 1e-9 && usl.kappa.value < 1e-9, "{usl:?}");
        assert!(usl.peak().is_none_or(|peak| peak > 1e4), "{usl:?}");
    }

    #[test]
    fn scaling_without_any_gain_has_its_peak_at_one() {
        // Full contention with and without coherency; more than that; coherency that cancels a second thread.
        for (sigma, kappa) in [(1.0, 0.01), (1.0, 0.0), (1.2, 0.001), (1.5, 0.0), (0.5, 1.0)] {
            let zero = Coefficient { value: 0.0, low: 0.0, high: 0.0 };
            let coefficient = |value: f64| Coefficient { value, ..zero };
            let lambda = Interval::exact(1.0);
            let usl =
                Usl { lambda, sigma: coefficient(sigma), kappa: coefficient(kappa), residual: 0.0 };
            assert_eq!(usl.peak(), Some(1.0), "{sigma} {kappa}");
            assert!(usl.throughput(2.0) <= usl.throughput(1.0));
        }
    }

    #[test]
    fn superlinear_scaling_has_no_coefficient_below_zero() {
        let usl = Usl::fit(&points(1..=16, |n| (n as f64).powf(1.1))).unwrap();
        assert_eq!((usl.sigma.value, usl.kappa.value), (0.0, 0.0));
        assert!(usl.residual > 0.03, "{usl:?}");
    }

    #[test]
    fn three_points_or_invalid_points_give_no_law() {
        assert_eq!(Usl::fit(&points(1..=3, law(1.0, 0.1, 0.0))), None);
        assert_eq!(Usl::fit(&points([1, 1, 2, 2, 3].into_iter(), law(1.0, 0.1, 0.0))), None);
        for nonsense in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(Usl::fit(&points(1..=8, |n| if n == 5 { nonsense } else { 1.0 })), None);
        }
        assert_eq!(Usl::fit(&points(0..=8, |_| 1.0)), None);
    }

    #[test]
    fn parameters_are_recovered_within_their_intervals() {
        const TRIALS: usize = 2_000;
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let mut normal = || Normal::standard().sample(&mut random);
        let (lambda, sigma, kappa) = (1_000.0, 0.05, 0.001);
        let mut held = [0; 3];
        for _ in 0..TRIALS {
            let noisy = |n: usize| law(lambda, sigma, kappa)(n);
            let mut points = points([1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64].into_iter(), noisy);
            points.iter_mut().for_each(|point| point.throughput *= 1.0 + 0.01 * normal());
            let usl = Usl::fit(&points).unwrap();
            held[0] += usize::from(usl.lambda.low <= lambda && lambda <= usl.lambda.high);
            held[1] += usize::from(usl.sigma.low <= sigma && sigma <= usl.sigma.high);
            held[2] += usize::from(usl.kappa.low <= kappa && kappa <= usl.kappa.high);
        }
        let shares = held.map(|held| held as f64 / TRIALS as f64);
        assert!(shares.iter().all(|share| (0.93..=0.97).contains(share)), "{shares:?}");
    }

    proptest! {
        #[test]
        fn a_fit_never_panics(throughputs in prop::collection::vec(1e-300..1e300_f64, 0..20)) {
            let points = points(1..=throughputs.len(), |n| throughputs[n - 1]);
            if let Some(usl) = Usl::fit(&points) {
                prop_assert!(usl.sigma.value >= 0.0 && usl.kappa.value >= 0.0);
            }
        }
    }
}
