//! Views of an estimate: which windows it rests on, and what all rows of the run share of it.

use super::level::{Level, Series, level_by_round, level_of, level_of_independent};
use serde::Serialize;
use stats::{Interval, mean, median};
use std::fmt;

/// From which windows, and of what, an estimate is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ViewKind {
    /// Windows whose cores were the workload's own, at the clock that own cores had in the run.
    OwnCore,
    /// All windows: what this machine gave.
    Delivered,
    /// Own-core windows, per GHz of the clock.
    PerClock,
    /// Figures that something else measured: whatever was delivered to it. Nobody can ask for it.
    Imported,
}

impl ViewKind {
    /// Those that can be asked for, the one that is judged by first.
    pub const ALL: [Self; 3] = [Self::OwnCore, Self::Delivered, Self::PerClock];
}

impl fmt::Display for ViewKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.serialize(f)
    }
}

/// An estimate from some of the windows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct View {
    /// The estimate.
    #[serde(flatten)]
    pub interval: Interval,
    /// The same, as uncertain as the row alone is, without what all rows share. As delivered, what they share
    /// can't be taken out of a row: this is the whole.
    pub row: Interval,
    /// How far what all rows share may be off.
    pub level: Level,
    /// How many windows it rests on.
    pub windows: usize,
}

impl View {
    /// Of a row that is as uncertain as `row`, where what all rows share may be off as well: with the joint
    /// degrees of freedom, but never narrower than what all rows share.
    pub fn of(row: Interval, level: Level, windows: usize) -> Self {
        let interval = row.times(&level.factor()).at_least(level.half, level.freedom);
        Self { interval, row, level, windows }
    }

    /// The same of samples that tell nothing of how far it may be off.
    #[must_use]
    pub fn without_error_bar(self) -> Self {
        let unknown = Interval::around(self.interval.centre, f64::INFINITY, 1.0);
        Self { interval: unknown, row: unknown, ..self }
    }

    /// Why nothing tells how far it may be off; `None` if something does.
    pub fn why_unknown(&self) -> Option<String> {
        match (self.row.is_known(), self.windows) {
            (true, _) if self.level.half.is_finite() => None,
            (true, _) => Some("its hosts share no rows: no error bar".to_owned()),
            (false, 1) => Some("1 sample: no error bar".to_owned()),
            (false, count) => Some(format!("{count} samples without any spread: no error bar")),
        }
    }
}

impl Level {
    /// How far the mean of some rows, all of the same number of threads, may be off in a view. They share the
    /// machine's good and bad moments, so their errors do not average out over rows as independent ones would: this
    /// comes from time, too.
    pub fn of_rows(views: &[View], series: &[&Series], kind: ViewKind) -> Self {
        let shared = views.first().map_or(Self::NONE, |view| view.level);
        let centre = if kind == ViewKind::Delivered { mean } else { median };
        let in_time = level_of(&level_by_round(series, centre));
        let rows: Vec<Interval> = views.iter().map(|view| view.row).collect();
        in_time.max(shared).max(shared.and(&level_of_independent(&rows)))
    }
}
