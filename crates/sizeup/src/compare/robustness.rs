//! How much of a verdict hangs on single rows, and on how much each counts.

use super::score::Pair;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

/// How often weights are drawn.
const DRAWS: usize = 10_000;
/// Every look at the same files draws the same weights.
const SEED: u64 = 0x005c_0fe5;

/// What becomes of a score without a row, and with other weights.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Robustness {
    /// The least score that is left when one row is left out; `None` with a single row.
    pub least: Option<Left>,
    /// The greatest.
    pub greatest: Option<Left>,
    /// Share of random weightings of these rows in which the score is above 1. Every weighting is as likely as any other (the flat
    /// Dirichlet distribution).
    pub ahead: f64,
}

/// A score without one of its rows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Left {
    /// The workload that is left out.
    pub without: String,
    /// What is left.
    pub score: f64,
}

impl Robustness {
    /// Of the rows of a score against a baseline, as they weigh in it. `None` of none.
    pub(super) fn of(rows: &[&Pair], weights: &[f64], weightings: &Weightings) -> Option<Self> {
        let logs: Vec<f64> = rows.iter().map(|pair| pair.log).collect();
        let all: f64 = weights.iter().sum();
        let sum: f64 = logs.iter().zip(weights).map(|(log, weight)| log * weight).sum();
        let left = |(pair, weight): (&&Pair, &f64)| Left {
            without: pair.name.clone(),
            score: ((sum - pair.log * weight) / (all - weight)).exp(),
        };
        let mut lefts: Vec<Left> = match rows {
            [] => return None,
            [_] => Vec::new(),
            _ => rows.iter().zip(weights).map(left).collect(),
        };
        lefts.sort_by(|a, b| a.score.total_cmp(&b.score));
        let ahead = weightings.share_ahead(&logs);
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
        let mut random = ChaCha8Rng::seed_from_u64(SEED);
        // Exponential weights, whatever their sum, are a flat Dirichlet draw, and any part of them is one, too.
        let draw = |_| -(1.0 - random.random::<f32>()).ln();
        Self { rows, weights: (0..DRAWS * rows).map(draw).collect() }
    }

    /// With what share of weightings the mean is above zero.
    fn share_ahead(&self, logs: &[f64]) -> f64 {
        let weightings = self.weights.chunks_exact(self.rows);
        let weighted = |weights: &[f32]| {
            logs.iter().zip(weights).map(|(log, w)| log * f64::from(*w)).sum::<f64>()
        };
        weightings.filter(|weights| weighted(weights) > 0.0).count() as f64 / DRAWS as f64
    }
}
