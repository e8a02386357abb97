//! A figure: an estimate, and how far it may be off.

use serde::Serialize;
use stats::{Interval, student_quantile};

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

/// Runs that are compared are taken to be this far apart.
const ASSUMED_APART_S: f64 = 86_400.0;

impl RunEffect {
    /// For rows that have nothing in common.
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

    /// For the mean of several with independent errors.
    pub fn of_mean(run_effects: &[Self]) -> Self {
        Self::of_independent(&run_effects.iter().map(Self::factor).collect::<Vec<_>>())
    }

    /// For the geometric mean of rows with independent errors.
    pub fn of_independent(rows: &[Interval]) -> Self {
        Interval::of_mean(rows)
            .map_or(Self::NONE, |mean| Self { margin: mean.margin(), freedom: mean.freedom })
    }

    /// Widens it from within a run of `run_s` to between runs, for a run that nothing repeats. Noise is taken for flicker, of which more
    /// comes in the longer one waits, so runs a day apart differ more than the moments of one. Averages over T of noise with the spectrum h ÷ f and the Allan variance σ² = 2 ln 2 h
    /// differ, where they are t ≫ T apart, with the variance 2 h (ln(t ÷ T) + 3/2); half of that is a run's. See
    /// `docs/methodology.md`.
    #[must_use]
    pub fn between_runs(self, run_s: f64) -> Self {
        let variance_ratio = ((ASSUMED_APART_S / run_s.max(1.0)).ln() + 1.5) / (2.0 * 2.0_f64.ln());
        self.scaled(variance_ratio.max(1.0).sqrt())
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

/// An estimate from some of the samples.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct View {
    /// With all of its uncertainty.
    #[serde(flatten)]
    pub interval: Interval,
    /// The interval without the uncertainty common to all rows. In the delivered view that cannot be separated:
    /// there this is the whole interval.
    #[serde(rename = "row")]
    pub own: Interval,
    /// The uncertainty common to all rows.
    pub run_effect: RunEffect,
    /// Samples that the estimate uses.
    pub samples: usize,
}

impl View {
    /// Combines the uncertainties of the row and of the run effect: with the joint degrees of freedom, but never
    /// narrower than the run effect.
    pub fn of(own: Interval, run_effect: RunEffect, samples: usize) -> Self {
        let interval =
            own.times(&run_effect.factor()).at_least(run_effect.margin, run_effect.freedom);
        Self { interval, own, run_effect, samples }
    }

    /// This estimate with unknown error.
    #[must_use]
    pub fn without_error_bar(self) -> Self {
        let unknown = Interval::around(self.interval.centre, f64::INFINITY, 1.0);
        Self { interval: unknown, own: unknown, ..self }
    }

    /// Why the error is unknown; `None` if it is known.
    pub fn why_unknown(&self) -> Option<String> {
        match (self.own.is_known(), self.samples) {
            (true, _) if self.run_effect.margin.is_finite() => None,
            (true, _) => Some("its hosts share no rows: no error bar".to_owned()),
            (false, 1) => Some("1 sample: no error bar".to_owned()),
            (false, count) => Some(format!("{count} samples without any spread: no error bar")),
        }
    }
}
