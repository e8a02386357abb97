//! Rows that lack an uncontended figure because the machine was busy, and what is judged then.

use super::sheet::{RowKey, RowResult, Sheet};
use estimate::{RunEstimate, ViewKind};
use record::Run;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Above this share of lacking rows on a number of threads, a comparison of uncontended figures leaves most of its questions
/// open. Below it, it is the better answer: `docs/judging.md` has the simulation.
const MOST_LACKING: f64 = 0.5;
/// Others that used less of the CPUs did not make rows lack a figure.
const LEAST_CPUS: f64 = 0.05;
/// So many groups are named with what others used, the busiest.
const MOST_NAMED: usize = 3;

/// Which rows decide whether delivered figures are judged.
#[derive(Debug, Clone, Copy)]
pub enum Needs<'a> {
    /// Most rows on each number of threads must have an uncontended figure.
    Most,
    /// Each of these must: there is no answer without one of them.
    Each(&'a [RowKey]),
}

/// Rows of one group or run.
pub struct MeasuredRows<'a> {
    /// Its name.
    pub label: &'a str,
    /// What other processes used meanwhile, in CPUs, where it is known.
    pub others_cpus: Option<f64>,
    /// Those that have a delivered figure, each with whether it lacks an uncontended one. A row that comes several times
    /// has a figure if it has one once.
    pub rows: Vec<(RowKey, bool)>,
}

impl<'a> MeasuredRows<'a> {
    /// Of the rows that have a figure, of those that are judged.
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

    /// Of runs that stand for the same thing.
    pub fn of_runs(label: &'a str, runs: &[&'a Sheet]) -> Self {
        let others_cpus = runs.iter().filter_map(|run| run.others_cpus).reduce(f64::max);
        Self::of(label, others_cpus, runs.iter().flat_map(|run| &run.rows))
    }

    fn busy(&self) -> Option<Busy> {
        let cpus = self.others_cpus.filter(|cpus| *cpus >= LEAST_CPUS)?;
        Some(Busy { label: self.label.to_owned(), cpus })
    }
}

/// Rows that were measured and have a delivered figure, but no uncontended one.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Contention {
    /// Rows that were measured.
    pub rows: usize,
    /// Those of them that lack an uncontended figure in a group.
    pub lacking: usize,
    /// What other processes used of the machines whose rows lack it, the busiest first.
    pub others: Vec<Busy>,
    /// Whether all figures are delivered ones for that.
    pub falls_back: bool,
}

/// A group whose machine was busy.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Busy {
    /// The group.
    pub label: String,
    /// What others used, in CPUs.
    pub cpus: f64,
}

/// The view in which groups or runs are judged together, and which of their rows lack an uncontended figure: the view that is
/// requested, or else uncontended figures unless too many rows lack them. Nothing else decides that.
pub fn judged_view(
    groups: &[MeasuredRows],
    needs: Needs,
    requested: Option<ViewKind>,
) -> (ViewKind, Option<Contention>) {
    let contention = Contention::of(groups, needs, requested);
    let falls_back = contention.as_ref().is_some_and(|of| of.falls_back);
    let view = if falls_back { Some(ViewKind::Delivered) } else { requested };
    (view.unwrap_or(ViewKind::Uncontended), contention)
}

/// A run by itself, in the view in which it is judged.
pub fn judged_alone(run: &Run, estimate: &RunEstimate) -> Sheet {
    let views = [ViewKind::Uncontended, ViewKind::Delivered];
    let sheet = Sheet::of_estimate(run, estimate, &views);
    let measured = MeasuredRows::of_runs(&sheet.label, &[&sheet]);
    let (view, _) = judged_view(&[measured], Needs::Most, None);
    sheet.in_view(view)
}

impl Contention {
    /// `None` if no row lacks an uncontended figure, or delivered ones are requested.
    fn of(groups: &[MeasuredRows], needs: Needs, asked: Option<ViewKind>) -> Option<Self> {
        if asked == Some(ViewKind::Delivered) {
            return None;
        }
        let is_needed = |key: &RowKey| match needs {
            Needs::Most => true,
            Needs::Each(keys) => keys.contains(key),
        };
        let mut measured: BTreeMap<&RowKey, bool> = BTreeMap::new();
        let mut others = Vec::new();
        for group in groups {
            let mut of_group: BTreeMap<&RowKey, bool> = BTreeMap::new();
            for (key, lacks) in group.rows.iter().filter(|(key, _)| is_needed(key)) {
                *of_group.entry(key).or_insert(true) &= lacks;
            }
            if of_group.values().any(|lacks| *lacks) {
                others.extend(group.busy());
            }
            for (key, lacks) in of_group {
                *measured.entry(key).or_default() |= lacks;
            }
        }
        let lacking = measured.values().filter(|lacks| **lacks).count();
        others.sort_by(|a: &Busy, b| b.cpus.total_cmp(&a.cpus));
        others.truncate(MOST_NAMED);
        let falls_back = asked.is_none()
            && match needs {
                Needs::Most => lacks_most(&measured),
                Needs::Each(_) => lacking > 0,
            };
        (lacking > 0).then_some(Self { rows: measured.len(), lacking, others, falls_back })
    }
}

/// Whether most rows on a number of threads lack an uncontended figure.
fn lacks_most(measured: &BTreeMap<&RowKey, bool>) -> bool {
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
        let of =
            |busy: &Busy| format!("{}: other processes used {:.1} CPUs", busy.label, busy.cpus);
        let others: Vec<String> = others.iter().map(of).collect();
        let why =
            if others.is_empty() { String::new() } else { format!(" ({})", others.join("; ")) };
        format!("{lacking} of {rows} rows lack uncontended figures{why}")
    }
}

/// Of what is judged.
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
