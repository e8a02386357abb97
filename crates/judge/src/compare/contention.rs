//! Rows that lack an uncontended figure because the machine was busy, and what is judged then.

use super::sheet::{RowKey, RowResult, Sheet};
use doctor::LEAST_OTHERS_CPUS;
use estimate::ViewKind;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Above this share of lacking rows on a number of threads, a table of uncontended figures would be mostly empty.
const MOST_LACKING: f64 = 0.5;
/// So many groups are named with what others used, the busiest.
const MOST_NAMED: usize = 3;

/// Rows of one group or run.
pub struct MeasuredRows<'a> {
    /// Its name.
    pub label: &'a str,
    /// Mean CPUs used by other processes; `None` where the kernel does not report it.
    pub others_cpus: Option<f64>,
    /// Those that have a delivered figure, each with whether it lacks an uncontended one. A row that comes several times
    /// has a figure if it has one once.
    pub rows: Vec<(RowKey, bool)>,
}

impl<'a> MeasuredRows<'a> {
    /// Keeps judged rows that have a figure.
    pub fn of(
        label: &'a str,
        others_cpus: Option<f64>,
        rows: impl IntoIterator<Item = &'a RowResult>,
    ) -> Self {
        let has_figure = |row: &&RowResult| {
            row.is_judged()
                && [ViewKind::Uncontended, ViewKind::Delivered]
                    .iter()
                    .any(|view| row.view(*view).is_some())
        };
        let measured = rows.into_iter().filter(has_figure);
        let rows = measured.map(|row| (row.key.clone(), row.lacks_uncontended())).collect();
        Self { label, others_cpus, rows }
    }

    /// Rows of several runs of one group; of their CPUs used by others, the highest mean counts.
    pub fn of_runs(label: &'a str, runs: &[&'a Sheet]) -> Self {
        let others_cpus = runs.iter().filter_map(|run| run.others_cpus).reduce(f64::max);
        Self::of(label, others_cpus, runs.iter().flat_map(|run| &run.rows))
    }

    /// Each of its rows once, with whether it lacks an uncontended figure.
    fn lacking(&self) -> BTreeMap<&RowKey, bool> {
        let mut rows = BTreeMap::new();
        for (key, lacks) in &self.rows {
            *rows.entry(key).or_insert(true) &= lacks;
        }
        rows
    }

    fn busy(&self) -> Option<Busy> {
        let cpus = self.others_cpus.filter(|cpus| *cpus >= LEAST_OTHERS_CPUS)?;
        Some(Busy { label: self.label.to_owned(), cpus })
    }
}

/// Rows that were measured and have a delivered figure, but no uncontended one.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Contention {
    /// Rows that were measured.
    pub rows: usize,
    /// Those of them that lack an uncontended figure in a group.
    pub lacking: usize,
    /// CPUs used by other processes on machines whose rows lack uncontended figures, the busiest first.
    pub others: Vec<Busy>,
    /// Whether the figures that are shown are delivered ones for that.
    pub falls_back: bool,
}

/// A group whose machine was busy.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Busy {
    /// The group.
    pub label: String,
    /// Mean CPUs used by other processes.
    pub cpus: f64,
}

/// The view in which figures are shown side by side, and which of their rows lack an uncontended figure: the view that is
/// requested, or else uncontended figures unless too many rows lack them. Machines are never judged by figures that nobody
/// requested: [`Contention::of`] only counts what they lack.
pub fn shown_view(
    groups: &[MeasuredRows],
    requested: Option<ViewKind>,
) -> (ViewKind, Option<Contention>) {
    let mut contention = Contention::of(groups, requested.unwrap_or(ViewKind::Uncontended));
    if let Some(contention) = contention.as_mut().filter(|_| requested.is_none()) {
        contention.falls_back = lacks_most(groups);
    }
    let falls_back = contention.as_ref().is_some_and(|contention| contention.falls_back);
    let view = if falls_back { Some(ViewKind::Delivered) } else { requested };
    (view.unwrap_or(ViewKind::Uncontended), contention)
}

impl Contention {
    /// The rows that have no figure in this view because the machine was busy; `None` if none has none, or delivered figures
    /// are judged.
    pub fn of(groups: &[MeasuredRows], view: ViewKind) -> Option<Self> {
        if view == ViewKind::Delivered {
            return None;
        }
        let lacks_one = |group: &&MeasuredRows| group.lacking().values().any(|lacks| *lacks);
        let mut others: Vec<Busy> =
            groups.iter().filter(lacks_one).filter_map(MeasuredRows::busy).collect();
        let measured = measured(groups);
        let lacking = measured.values().filter(|lacks| **lacks).count();
        others.sort_by(|a: &Busy, b| b.cpus.total_cmp(&a.cpus));
        others.truncate(MOST_NAMED);
        let rows = measured.len();
        (lacking > 0).then_some(Self { rows, lacking, others, falls_back: false })
    }
}

/// The rows of all groups, each with whether a group lacks an uncontended figure of it.
fn measured<'a>(groups: &'a [MeasuredRows]) -> BTreeMap<&'a RowKey, bool> {
    let mut measured: BTreeMap<&'a RowKey, bool> = BTreeMap::new();
    for (key, lacks) in groups.iter().flat_map(MeasuredRows::lacking) {
        *measured.entry(key).or_default() |= lacks;
    }
    measured
}

/// Whether most rows on a number of threads lack an uncontended figure.
fn lacks_most(groups: &[MeasuredRows]) -> bool {
    let measured = measured(groups);
    let specs: BTreeSet<_> = measured.keys().map(|key| key.threads).collect();
    specs.into_iter().any(|threads| {
        let on = measured.iter().filter(|(key, _)| key.threads == threads);
        let lacks: Vec<bool> = on.map(|(_, lacks)| *lacks).collect();
        let lacking = lacks.iter().filter(|lacks| **lacks).count();
        lacking as f64 > MOST_LACKING * lacks.len() as f64
    })
}

impl Contention {
    /// How many rows lack an uncontended figure, and that all figures are delivered ones for that; `None` if they are not.
    pub fn warning(&self) -> Option<String> {
        let lack = self.lack();
        self.falls_back
            .then(|| format!("{lack}: figures are delivered throughput, cut by other processes."))
    }

    /// How many rows lack an uncontended figure, what `follows`, and what to do.
    pub fn sentence(&self, follows: &str) -> String {
        let lack = self.lack();
        format!(
            "{lack}: {follows}. To get uncontended figures, measure again on a quiet machine or with a larger --budget."
        )
    }

    /// `2 of 4 rows lack uncontended figures (m: other processes used 1.3 CPUs)`.
    fn lack(&self) -> String {
        let Self { rows, lacking, others, .. } = self;
        let in_words =
            |busy: &Busy| format!("{}: other processes used {:.1} CPUs", busy.label, busy.cpus);
        let others: Vec<String> = others.iter().map(in_words).collect();
        let why =
            if others.is_empty() { String::new() } else { format!(" ({})", others.join("; ")) };
        format!("{lacking} of {rows} rows lack uncontended figures{why}")
    }
}

/// A sentence on the rows that are judged.
impl fmt::Display for Contention {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let kept = self.rows - self.lacking;
        let all = "all figures are delivered throughput, which other processes reduced";
        f.write_str(&self.sentence(&match (self.falls_back, kept) {
            (false, _) => "they have no result; --view delivered gives one for all rows".to_owned(),
            (true, 0) => all.to_owned(),
            (true, kept) => {
                format!("{all}; --view uncontended compares only the rows that have uncontended figures ({kept})")
            }
        }))
    }
}

#[cfg(test)]
mod tests;
