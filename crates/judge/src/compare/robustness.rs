//! How much of a verdict hangs on single rows, and on how much each counts.

use super::scored_pair::ScoredPair;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use stats::{Interval, normal_below};

/// How often weights are drawn.
const DRAWS: usize = 10_000;
/// A smaller share of the weights is lost in rounding.
const LEAST_REST: f64 = 1e-9;
/// With more rows their mean is normal, and weights would take gigabytes.
const MOST_DRAWN: usize = 2_000;
/// Every look at the same files draws the same weights.
const SEED: u64 = 0x005c_0fe5;

/// What becomes of a score without a row, and with other weights.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Robustness {
    /// The least score that is left when one row is left out; `None` with a single row.
    pub least: Option<Left>,
    /// The greatest.
    pub greatest: Option<Left>,
    /// Share of random weightings of these rows in which the score is above 1. Every weighting is as likely as any other (the flat
    /// Dirichlet distribution). `None` if the score has no error estimate.
    pub ahead: Option<f64>,
}

/// A score without one of its rows.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Left {
    /// The workload that is left out.
    pub without: String,
    /// What is left.
    pub score: f64,
}

impl Robustness {
    /// Of the rows of a score against a baseline, as they weigh in it. `None` of none.
    pub(super) fn of(
        rows: &[&ScoredPair],
        weights: &[f64],
        score: Option<Interval>,
        weightings: &Weightings,
    ) -> Option<Self> {
        let logs: Vec<f64> = rows.iter().map(|pair| pair.log).collect();
        let all: f64 = weights.iter().sum();
        let sum: f64 = logs.iter().zip(weights).map(|(log, weight)| log * weight).sum();
        // Without a row that carries all of the weight nothing is left.
        let left = |(pair, weight): (&&ScoredPair, &f64)| {
            let rest = all - weight;
            (rest > all * LEAST_REST).then(|| Left {
                without: pair.name.clone(),
                score: ((sum - pair.log * weight) / rest).exp(),
            })
        };
        let score = score?;
        let mut lefts: Vec<Left> = rows.iter().zip(weights).filter_map(left).collect();
        lefts.sort_by(|a, b| a.score.total_cmp(&b.score));
        let ahead = score.is_known().then(|| weightings.share_ahead(&logs));
        Some(Self { least: lefts.first().cloned(), greatest: lefts.last().cloned(), ahead })
    }
}

/// Random weights for as many rows as a score may have.
pub struct Weightings {
    rows: usize,
    /// One weighting after the other.
    weights: Vec<f32>,
}

impl Weightings {
    /// For scores of so many rows at most.
    pub fn of(rows: usize) -> Self {
        let rows = rows.min(MOST_DRAWN);
        let mut random = ChaCha8Rng::seed_from_u64(SEED);
        // Exponential weights, whatever their sum, are a flat Dirichlet draw, and any part of them is one, too.
        let draw = |_| -(1.0 - random.random::<f32>()).ln();
        Self { rows, weights: (0..DRAWS * rows).map(draw).collect() }
    }

    /// With what share of weightings the mean is above zero.
    fn share_ahead(&self, logs: &[f64]) -> f64 {
        if logs.len() > self.rows {
            return normal_share_ahead(logs);
        }
        let weightings = self.weights.chunks_exact(self.rows);
        let weighted = |weights: &[f32]| {
            logs.iter().zip(weights).map(|(log, w)| log * f64::from(*w)).sum::<f64>()
        };
        weightings.filter(|weights| weighted(weights) > 0.0).count() as f64 / DRAWS as f64
    }
}

/// The same for so many rows that the sum of their exponential weights times their logarithms is normal: its mean is the
/// logarithms' sum and its variance the sum of their squares.
fn normal_share_ahead(logs: &[f64]) -> f64 {
    let deviation = logs.iter().map(|log| log * log).sum::<f64>().sqrt();
    if deviation > 0.0 { normal_below(logs.iter().sum::<f64>() / deviation) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_rows_are_weighed_as_few_are() {
        // As many rows ahead as behind, and a few more.
        for ahead in [500, 510, 530] {
            let logs: Vec<f64> = (0..1_000).map(|i| if i < ahead { 0.1 } else { -0.1 }).collect();
            let drawn = Weightings::of(logs.len()).share_ahead(&logs);
            assert!((drawn - normal_share_ahead(&logs)).abs() < 0.015, "{ahead}: {drawn}");
        }
        let many = vec![0.01; MOST_DRAWN + 1];
        assert_eq!(Weightings::of(many.len()).share_ahead(&many), 1.0);
        assert_eq!(normal_share_ahead(&[0.0; 3]), 0.0);
    }
}
