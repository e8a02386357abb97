//! Verdicts on ratios, each given all others.

use super::figure::{RunEffect, View};
use serde::Serialize;
use stats::{Interval, holm, student_quantile};
use std::collections::BTreeSet;
use std::fmt;

/// The chance that any row is called different though none is stays below the sum of these two. What all
/// rows of the same runs on a number of threads share is tested once for all of them …
const RUN_EFFECT_ERROR: f64 = 0.01;
/// … and what is a row's own with Holm's correction over all rows.
const ROWS_ERROR: f64 = 0.04;

/// The outcome of comparing a row of two groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The other has more ops per second.
    Faster,
    /// The other has fewer.
    Slower,
    /// A difference, if there is one, is too small to be seen.
    NoDetectableDifference,
    /// The ratio has no interval, so no difference could have been detected.
    Unknown,
    /// The two are not the same thing.
    NotComparable,
    /// One of them has no figure.
    Missing,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Self::Faster => "faster",
            Self::Slower => "slower",
            Self::NoDetectableDifference => "no detectable difference",
            Self::Unknown => "unknown",
            Self::NotComparable => "not comparable",
            Self::Missing => "missing",
        })
    }
}

/// The other over the baseline.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ratio {
    /// With its 95 % interval.
    #[serde(flatten)]
    pub interval: Interval,
    /// As uncertain as the two rows alone are.
    #[serde(skip)]
    pub own: Interval,
    /// How far what all rows share may be off.
    #[serde(skip)]
    pub run_effect: RunEffect,
    /// The run sets of the other's row and of the baseline's. Only rows of the same sets share the error `run_effect`.
    #[serde(skip)]
    pub run_sets: (usize, usize),
    /// The row's ratio over the ratio of the run effect: how the row stands among the others.
    pub row_effect: Interval,
    /// The chance of such a ratio without a difference, corrected for the number of rows (Holm).
    pub adjusted_p: f64,
    /// A ratio at least this far from 1, to either side, is called whatever the other rows show: 0.02 is 2 %.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub detectable: f64,
}

impl Ratio {
    /// Not judged yet.
    pub fn of(other: &View, baseline: &View, run_sets: (usize, usize)) -> Self {
        let own = other.own.ratio_to(&baseline.own);
        Self {
            interval: other.interval.ratio_to(&baseline.interval),
            own,
            run_effect: other.run_effect.and(&baseline.run_effect),
            run_sets,
            row_effect: own,
            adjusted_p: 1.0,
            detectable: f64::INFINITY,
        }
    }

    /// Times a factor, not judged yet.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        let (interval, own) = (self.interval.scaled(factor), self.own.scaled(factor));
        Self { interval, own, adjusted_p: 1.0, detectable: f64::INFINITY, ..self.clone() }
    }

    /// From pairs of samples; not judged yet.
    pub fn of_pairs(interval: Interval, own: Interval, run_effect: RunEffect) -> Self {
        let (adjusted_p, detectable) = (1.0, f64::INFINITY);
        Self {
            interval,
            own,
            run_effect,
            run_sets: (0, 0),
            row_effect: own,
            adjusted_p,
            detectable,
        }
    }

    /// How far what all rows of the same runs on a number of threads share may be off, as far as it is believed if there
    /// are so many of these.
    fn shared(&self, run_effects: usize) -> f64 {
        self.run_effect.margin_at(1.0 - RUN_EFFECT_ERROR / run_effects as f64)
    }
}

impl Verdict {
    /// Whether it says how the two stand.
    pub fn is_known(self) -> bool {
        matches!(self, Self::Faster | Self::Slower | Self::NoDetectableDifference)
    }
}

/// Judges the ratios of all rows that have one, given all the others: on how many threads, the ratio, and
/// what can be said of it. Those without an interval are no tests, and are no part of Holm's correction.
pub fn judge_ratios<'a, T: Ord>(rows: impl Iterator<Item = (T, &'a mut Ratio, &'a mut Verdict)>) {
    let mut run_effects = BTreeSet::new();
    let mut ratios: Vec<(&mut Ratio, &mut Verdict)> = rows
        .filter_map(|(threads, ratio, verdict)| {
            (ratio.adjusted_p, ratio.detectable) = (1.0, f64::INFINITY);
            *verdict = Verdict::Unknown;
            ratio.interval.is_known().then(|| {
                run_effects.insert((threads, ratio.run_sets));
                (ratio, verdict)
            })
        })
        .collect();
    let shared = |ratio: &Ratio| ratio.shared(run_effects.len());
    let p_values: Vec<f64> =
        ratios.iter().map(|(ratio, _)| ratio.own.p_value(shared(ratio))).collect();
    let count = ratios.len() as f64;
    for ((ratio, verdict), adjusted) in ratios.iter_mut().zip(holm(&p_values)) {
        ratio.adjusted_p = adjusted;
        let freedom = ratio.own.freedom;
        let stretch =
            student_quantile(freedom, 1.0 - ROWS_ERROR / count) / student_quantile(freedom, 0.95);
        ratio.detectable = (shared(ratio) + ratio.own.widest() * stretch).exp_m1();
        **verdict = match (adjusted < ROWS_ERROR, ratio.interval.centre > 1.0) {
            (false, _) => Verdict::NoDetectableDifference,
            (true, true) => Verdict::Faster,
            (true, false) => Verdict::Slower,
        };
    }
}
