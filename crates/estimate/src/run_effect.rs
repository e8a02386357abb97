//! The run effect: what all rows of a run have in common, and its uncertainty.

use stats::{allan_deviation, block_means, mean_margin, student_quantile};
use std::borrow::Borrow;
use std::collections::BTreeMap;
use verdict::RunEffect;

/// A series is cut into this many blocks, or fewer if it is short. Values within a block may be correlated;
/// the uncertainty comes from the differences between blocks.
pub(super) const BLOCKS: usize = 10;
/// Stretches of a run from which its slow noise is estimated.
const STRETCHES: usize = 4;

/// (round, logarithm) of each sample of a row, in order. Rows may miss rounds.
pub type Series = Vec<(u64, f64)>;

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
