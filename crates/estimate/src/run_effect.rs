//! The run effect: what all rows of a run have in common, and its uncertainty.

use serde::Serialize;
use stats::{Interval, allan_deviation, block_means, mean_margin, student_quantile};
use std::borrow::Borrow;
use std::collections::BTreeMap;

/// A series is cut into this many blocks, or fewer if it is short. Values within a block may be correlated;
/// the uncertainty comes from the differences between blocks.
pub(super) const BLOCKS: usize = 10;
/// Stretches of a run from which its slow noise is estimated.
const STRETCHES: usize = 4;
/// Runs that are compared were measured this many seconds apart, or less.
const APART_S: f64 = 86_400.0;

/// (round, logarithm) of each sample of a row, in order. Rows may miss rounds.
pub type Series = Vec<(u64, f64)>;

/// Uncertainty common to all rows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunEffect {
    /// Half the width of its 95 % interval, relative.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub margin: f64,
    /// Degrees of freedom of Student's t for the margin.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub freedom: f64,
}

impl RunEffect {
    /// Rows with nothing in common.
    pub const NONE: Self = Self { margin: 0.0, freedom: f64::INFINITY };

    /// The margin at another confidence level than 95 %.
    pub fn margin_at(&self, inside: f64) -> f64 {
        self.margin * student_quantile(self.freedom, inside) / student_quantile(self.freedom, 0.95)
    }

    /// The wider of two.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        if other.margin > self.margin { other } else { self }
    }

    /// Scaled to a share of the uncertainty.
    #[must_use]
    pub fn scaled(self, share: f64) -> Self {
        Self { margin: self.margin * share, ..self }
    }

    /// The mean of several with independent errors.
    pub fn of_mean(run_effects: &[Self]) -> Self {
        run_effect_of_independent(&run_effects.iter().map(Self::factor).collect::<Vec<_>>())
    }

    /// As it is from run to run, of a run of so many seconds of which no other is known: its noise is taken for flicker, of which
    /// more comes in the longer one waits. Averages over T of noise with the spectrum h ÷ f and the Allan variance σ² = 2 ln 2 h
    /// differ, where they are t ≫ T apart, with the variance 2 h (ln(t ÷ T) + 3/2); half of that is a run's. See
    /// `docs/methodology.md`.
    #[must_use]
    pub fn between_runs(self, run_s: f64) -> Self {
        let variances = ((APART_S / run_s.max(1.0)).ln() + 1.5) / (2.0 * 2.0_f64.ln());
        self.scaled(variances.max(1.0).sqrt())
    }

    /// As an interval around 1.
    pub fn factor(&self) -> Interval {
        Interval::around(1.0, self.margin, self.freedom)
    }

    /// Combines two independent uncertainties, as in the difference of two runs.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let both = self.factor().times(&other.factor());
        Self { margin: both.margin(), freedom: both.freedom }
    }
}

/// Each round's deviation from the rows' own centres, as the centre over the rows that took part in it.
pub fn run_effect_by_round(rows: &[impl Borrow<Series>], centre: fn(&[f64]) -> f64) -> Vec<f64> {
    let mut rounds: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for row in rows {
        let row = row.borrow();
        let of_row = centre(&row.iter().map(|(_, log)| *log).collect::<Vec<_>>());
        for (round, log) in row {
            rounds.entry(*round).or_default().push(log - of_row);
        }
    }
    rounds.values().map(|logs| centre(logs)).collect()
}

/// The uncertainty that longer measuring does not remove: the Allan deviation of a series over a quarter of its
/// length. It comes from only three differences, so the interval is Student's with 3 degrees of freedom. Unknown for
/// a series that is too short.
pub fn flicker_floor(run_effect: &[f64]) -> RunEffect {
    // The run's average consists of four. Were they independent, it would deviate half as much;
    // flicker does not average out.
    let deviation = allan_deviation(run_effect, run_effect.len() / STRETCHES);
    let freedom = (STRETCHES - 1) as f64;
    let margin = |deviation| deviation * student_quantile(freedom, 0.95);
    deviation.map_or(RunEffect::NONE, |deviation| RunEffect { margin: margin(deviation), freedom })
}

/// Uncertainty of the mean of a series, from its blocks; unknown for a single value.
pub fn run_effect_of(run_effect: &[f64]) -> RunEffect {
    let blocks = block_means(run_effect, BLOCKS.min(run_effect.len())).unwrap_or_default();
    mean_margin(&blocks).map_or(RunEffect::NONE, |(margin, freedom)| RunEffect { margin, freedom })
}

/// At least the flicker floor of the series.
pub fn run_effect_with_floor(run_effect: &[f64]) -> RunEffect {
    run_effect_of(run_effect).max(flicker_floor(run_effect))
}

/// Uncertainty of the geometric mean of rows with independent errors.
pub(super) fn run_effect_of_independent(rows: &[Interval]) -> RunEffect {
    Interval::of_mean(rows)
        .map_or(RunEffect::NONE, |mean| RunEffect { margin: mean.margin(), freedom: mean.freedom })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::f64::consts::TAU;

    /// A value that depends on the numbers only, of the standard normal distribution (Box and Muller).
    fn normal(trial: u64, octave: u64, place: u64) -> f64 {
        let mut random = ChaCha8Rng::seed_from_u64(trial << 40 | octave << 32 | place);
        let (radius, turn): (f64, f64) = (random.random(), random.random());
        (-2.0 * (1.0 - radius).ln()).sqrt() * (TAU * turn).cos()
    }

    /// Flicker noise: as much in each octave, here of 2 to 2^17 samples.
    fn flicker(trial: u64, from: u64, samples: u64) -> Vec<f64> {
        let at = |i: u64| (1..=17).map(|octave| normal(trial, octave, i >> octave)).sum();
        (from..from + samples).map(at).collect()
    }

    /// How often the interval of a difference holds 0, for runs of three minutes and 60 rounds that are a day apart.
    fn coverage(effect: fn(&[f64]) -> RunEffect) -> f64 {
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let trials = 500;
        let held = (0..trials).filter(|trial| {
            let start = trial * 7919;
            let [a, b] = [start, start + 28_800].map(|from| flicker(*trial, from, 60));
            let both = effect(&a).margin.hypot(effect(&b).margin);
            (mean(&a) - mean(&b)).abs() < both
        });
        held.count() as f64 / trials as f64
    }

    #[test]
    fn flicker_noise_differs_more_from_run_to_run_than_a_run_shows() {
        let within = coverage(run_effect_with_floor);
        let between = coverage(|series| run_effect_with_floor(series).between_runs(180.0));
        assert!(within < 0.9, "{within}");
        assert!((0.93..0.99).contains(&between), "{between}");
    }
}
