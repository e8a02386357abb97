//! How much of a verdict hangs on single rows, and on how much each counts.

use super::scored_pair::ScoredPair;
use super::votes::{Left, Votes};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use stats::{Interval, normal_below};

/// How often weights are drawn.
const DRAWS: usize = 10_000;
/// With more rows their mean is normal, and weights would take gigabytes.
const MOST_DRAWN: usize = 2_000;
/// Every look at the same files draws the same weights.
const SEED: u64 = 0x005c_0fe5;

/// Stability of a score: without one workload or category, and with other weights.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Robustness {
    /// The least score that is left when one workload is left out at all its sizes and levels, or one category; `None` where there
    /// is no other.
    pub least: Option<Left>,
    /// The greatest.
    pub greatest: Option<Left>,
    /// Share of random weightings of these rows in which the score is above 1. Every weighting is as likely as any other (the flat
    /// Dirichlet distribution). `None` if the score has no error estimate.
    pub ahead: Option<f64>,
}

impl Robustness {
    /// Rows weigh as `votes` has them. `None` without a score.
    pub(super) fn of(
        rows: &[&ScoredPair],
        votes: &Votes,
        score: Option<Interval>,
        weightings: &Weightings,
    ) -> Option<Self> {
        let score = score?;
        let logs: Vec<f64> = rows.iter().map(|pair| pair.log).collect();
        let mut lefts = votes.lefts(rows);
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

/// Normal approximation for many rows: the weighted sum of logarithms, with exponential weights, has their sum as its mean and
/// the sum of their squares as its variance.
fn normal_share_ahead(logs: &[f64]) -> f64 {
    let deviation = logs.iter().map(|log| log * log).sum::<f64>().sqrt();
    if deviation > 0.0 { normal_below(logs.iter().sum::<f64>() / deviation) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::super::votes::series;
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

    #[test]
    fn a_lead_that_hangs_on_the_sizes_of_one_workload_is_seen() {
        let row = |name: &str, log: f64| ScoredPair {
            workload: "",
            name: name.to_owned(),
            series: series(name),
            family: String::new(),
            threads: record::ThreadSpec::All,
            row: 0,
            baseline_row: 0,
            log,
        };
        let rows = [
            row("sm4-16B/x", 2.0),
            row("sm4-1KiB/x", 2.0),
            row("aes-16B/x", -0.1),
            row("sha/x", -0.1),
        ];
        let rows: Vec<&ScoredPair> = rows.iter().collect();
        let score = Some(Interval::around(2.6, f64::INFINITY, 1.0));
        let votes = Votes::weighted(&rows, &[1.0; 4]);
        let found = Robustness::of(&rows, &votes, score, &Weightings::of(0)).unwrap();
        let least = found.least.unwrap();
        assert_eq!((least.without.as_str(), least.rows), ("sm4/x", 2));
        assert!((least.score.ln() + 0.1).abs() < 1e-9, "{}", least.score);
        assert!(found.greatest.unwrap().score > 2.6);
    }
}
