//! Views of an estimate: which samples it uses, and its uncertainty common to all rows of the run.

use super::run_effect::{Series, run_effect_by_round, run_effect_of};
use serde::Serialize;
use stats::{Interval, mean, median};
use std::fmt;
use verdict::{RunEffect, View};

/// Which samples an estimate uses, and in which unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
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

/// Uncertainty of the mean of rows with the same number of threads. They share the machine's good and bad
/// moments, so their errors do not average out as independent ones would: variation over time counts, too.
pub fn run_effect_of_rows(views: &[View], series: &[&Series], kind: ViewKind) -> RunEffect {
    let shared = views.first().map_or(RunEffect::NONE, |view| view.run_effect);
    let centre = if kind == ViewKind::Delivered { mean } else { median };
    let in_time = run_effect_of(&run_effect_by_round(series, centre));
    let rows: Vec<Interval> = views.iter().map(|view| view.own).collect();
    in_time.max(shared).max(shared.and(&RunEffect::of_independent(&rows)))
}
