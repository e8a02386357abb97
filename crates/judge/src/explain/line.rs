//! Factors over many rows.

use super::factor::{Factor, FactorKind};
use super::row::ExplainedRow;
use catalog::{Category, OVERALL};
use record::ThreadSpec;
use serde::Serialize;
use stats::{Interval, mean};

/// Geometric means over the explained rows of a category, or of all.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ExplainedLine {
    /// Its name, or `overall`.
    pub category: String,
    /// As requested.
    pub threads: ThreadSpec,
    /// How many rows it is of.
    pub rows: usize,
    /// The other over the baseline.
    pub ratio: Interval,
    /// Their product is the ratio.
    pub factors: Vec<Factor>,
}

impl ExplainedLine {
    fn of(category: &str, threads: ThreadSpec, rows: &[&ExplainedRow]) -> Option<Self> {
        let of_kind = |kind| {
            let ratios: Vec<Interval> = rows
                .iter()
                .map(|row| Factor::find(&row.factors, kind).copied())
                .map(|factor| factor.unwrap_or_else(|| Factor::exact(kind, 1.0, 1.0)).ratio)
                .collect();
            let is_part = rows.iter().any(|row| Factor::find(&row.factors, kind).is_some());
            is_part.then_some(Factor { kind, ratio: geometric_mean(kind, &ratios)? })
        };
        let factors: Vec<Factor> = FactorKind::ALL.into_iter().filter_map(of_kind).collect();
        let ratios: Vec<Interval> = rows.iter().map(|row| row.ratio).collect();
        let ratio = alike(&ratios)?;
        Some(Self { category: category.to_owned(), threads, rows: rows.len(), ratio, factors })
    }
}

/// Errors of clocks are those of the machine's hour, which all rows share; of what else is measured each row has its own.
fn geometric_mean(kind: FactorKind, ratios: &[Interval]) -> Option<Interval> {
    match kind {
        FactorKind::Clock | FactorKind::Unexplained => alike(ratios),
        _ => Interval::of_mean(ratios),
    }
}

/// The geometric mean of quantities whose errors are the same.
fn alike(all: &[Interval]) -> Option<Interval> {
    let first = all.first()?;
    let mean_of = |number: fn(&Interval) -> f64| mean(&all.iter().map(number).collect::<Vec<_>>());
    let freedom = all.iter().map(|interval| interval.freedom).fold(first.freedom, f64::min);
    Some(Interval {
        centre: mean_of(|interval| interval.centre.ln()).exp(),
        low: mean_of(|interval| interval.low.ln()).exp(),
        high: mean_of(|interval| interval.high.ln()).exp(),
        freedom,
    })
}

/// For each number of threads one line over all explained rows, and one for each category that has some.
pub(super) fn lines(rows: &[ExplainedRow], categories: &[Category]) -> Vec<ExplainedLine> {
    let mut specs: Vec<ThreadSpec> = rows.iter().map(|row| row.threads).collect();
    specs.sort_unstable();
    specs.dedup();
    let of_threads = |threads: ThreadSpec| {
        let counts = move |row: &&ExplainedRow| row.threads == threads && row.is_explained();
        let overall: Vec<&ExplainedRow> = rows.iter().filter(counts).collect();
        let overall = ExplainedLine::of(OVERALL, threads, &overall);
        let category = move |category: &Category| {
            let members = category.members();
            let is_in = |row: &&ExplainedRow| members.contains(row.workload.as_str());
            let rows: Vec<&ExplainedRow> = rows.iter().filter(counts).filter(is_in).collect();
            ExplainedLine::of(&category.name, threads, &rows)
        };
        overall.into_iter().chain(categories.iter().filter_map(category))
    };
    specs.into_iter().rev().flat_map(of_threads).collect()
}
