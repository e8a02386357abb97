//! Views of an estimate: which samples it uses, and its uncertainty common to all rows of the run.

use super::run_effect::{
    RunEffect, Series, run_effect_by_round, run_effect_of, run_effect_of_independent,
};
use serde::Serialize;
use stats::{Interval, mean, median};
use std::fmt;

/// Which samples an estimate uses, and in which unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ViewKind {
    /// Samples on uncontended cores, at the run's clock of uncontended cores.
    Uncontended,
    /// All samples: what the machine delivered.
    Delivered,
    /// Uncontended samples, per GHz of the clock.
    PerGhz,
    /// Imported figures of another program. It cannot be requested.
    Imported,
}

impl ViewKind {
    /// Views that can be requested; rows are judged by the first.
    pub const ALL: [Self; 3] = [Self::Uncontended, Self::Delivered, Self::PerGhz];
}

impl fmt::Display for ViewKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.serialize(f)
    }
}

/// An estimate from some of the samples.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct View {
    #[serde(flatten)]
    pub interval: Interval,
    /// The interval without the uncertainty common to all rows. In the delivered view that cannot be separated:
    /// there this is the whole interval.
    pub row: Interval,
    /// The uncertainty common to all rows.
    pub run_effect: RunEffect,
    /// Samples that the estimate uses.
    pub samples: usize,
}

impl View {
    /// Combines the uncertainties of the row and of the run effect: with the joint degrees of freedom, but never
    /// narrower than the run effect.
    pub fn of(row: Interval, run_effect: RunEffect, samples: usize) -> Self {
        let interval =
            row.times(&run_effect.factor()).at_least(run_effect.margin, run_effect.freedom);
        Self { interval, row, run_effect, samples }
    }

    /// Error unknown, centre unchanged.
    #[must_use]
    pub fn without_error_bar(self) -> Self {
        let unknown = Interval::around(self.interval.centre, f64::INFINITY, 1.0);
        Self { interval: unknown, row: unknown, ..self }
    }

    /// Why the error is unknown; `None` if it is known.
    pub fn why_unknown(&self) -> Option<String> {
        match (self.row.is_known(), self.samples) {
            (true, _) if self.run_effect.margin.is_finite() => None,
            (true, _) => Some("its hosts share no rows: no error bar".to_owned()),
            (false, 1) => Some("1 sample: no error bar".to_owned()),
            (false, count) => Some(format!("{count} samples without any spread: no error bar")),
        }
    }
}

impl RunEffect {
    /// Uncertainty of the mean of rows with the same number of threads. They share the machine's good and bad
    /// moments, so their errors do not average out as independent ones would: variation over time counts, too.
    pub fn of_rows(views: &[View], series: &[&Series], kind: ViewKind) -> Self {
        let shared = views.first().map_or(Self::NONE, |view| view.run_effect);
        let centre = if kind == ViewKind::Delivered { mean } else { median };
        let in_time = run_effect_of(&run_effect_by_round(series, centre));
        let rows: Vec<Interval> = views.iter().map(|view| view.row).collect();
        in_time.max(shared).max(shared.and(&run_effect_of_independent(&rows)))
    }
}
