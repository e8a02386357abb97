//! Scores: geometric means per category and overall, with intervals.
//!
//! The rows of a run share the machine's good and bad moments, so their errors do not average out
//! over rows as independent ones would. The interval therefore comes from the rows' common level: how
//! far each round lay above or below the rows' own means, averaged over the rows that took part.

use super::comparable::{Allow, differences};
use super::row::{is_same_row, notes_of};
use crate::catalog::OVERALL;
use crate::estimate::{Look, RunEstimate, level_half};
use crate::record::{Case, Run, ThreadSpec};
use crate::stats::{Interval, mean};
use serde::Serialize;

/// A row with fewer windows is in no score.
const LEAST_WINDOWS: usize = 2;

/// A run's scores, against a baseline if there is one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Score {
    /// What is scored.
    pub label: String,
    /// Against what.
    pub baseline: Option<String>,
    /// Per category and overall, for each number of threads.
    pub lines: Vec<ScoreLine>,
    /// What must be known of the run and its baseline before anything else is believed.
    pub notes: Vec<String>,
    /// Rows that are in no score, each with the reason.
    pub missing: Vec<String>,
}

/// One score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScoreLine {
    /// The category, or `overall`.
    pub category: String,
    /// On how many threads.
    pub threads: ThreadSpec,
    /// Rows that are in it.
    pub rows: usize,
    /// Geometric mean: of ops/s, or of the ratios to the baseline.
    pub score: Option<Interval>,
}

/// Round and logarithm of the throughput of each window of a row.
type Series = Vec<(u64, f64)>;

/// A row that both runs have.
struct Pair {
    category: String,
    threads: ThreadSpec,
    series: Series,
    baseline: Option<Series>,
}

/// Scores a run, against a baseline if there is one.
pub fn score(run: &Run, baseline: Option<&Run>, allow: &[Allow]) -> Score {
    let mut missing = Vec::new();
    let estimate = RunEstimate::of(run);
    let base_estimate = baseline.map(RunEstimate::of);
    let of_run = Scored { run, series: series(&estimate.looks) };
    let of_baseline = baseline
        .zip(base_estimate.as_ref())
        .map(|(run, estimate)| Scored { run, series: series(&estimate.looks) });
    let pairs = pairs(&of_run, of_baseline.as_ref(), allow, &mut missing);
    let mut specs: Vec<ThreadSpec> = Vec::new();
    for case in run.header.plan.cases.iter().filter(|case| !case.reference) {
        if !specs.contains(&case.thread_spec) {
            specs.push(case.thread_spec);
        }
    }
    let floor_of = |estimate: Option<&RunEstimate>| {
        estimate.and_then(|e| e.steadiness.as_ref()).map_or(0.0, |s| s.flicker_floor)
    };
    let floor = floor_of(Some(&estimate)).hypot(floor_of(base_estimate.as_ref()));
    let categories = run.header.categories.iter().map(|category| category.name.as_str());
    let lines = specs
        .iter()
        .flat_map(|&threads| {
            let pairs = &pairs;
            categories.clone().chain([OVERALL]).map(move |category| {
                let rows: Vec<&Pair> = pairs
                    .iter()
                    .filter(|pair| pair.threads == threads)
                    .filter(|pair| category == OVERALL || pair.category == category)
                    .collect();
                ScoreLine {
                    category: category.to_owned(),
                    threads,
                    rows: rows.len(),
                    score: geometric_mean(&rows, floor),
                }
            })
        })
        .collect();
    Score {
        label: run.header.label.clone(),
        baseline: baseline.map(|run| run.header.label.clone()),
        lines,
        notes: notes_of([("run", run)].into_iter().chain(baseline.map(|run| ("baseline", run)))),
        missing,
    }
}

/// A run and the series of its cases.
struct Scored<'a> {
    run: &'a Run,
    series: Vec<Series>,
}

impl Scored<'_> {
    /// A case's series, or why it has none that could be scored.
    fn series_of(&self, case: usize) -> Result<Series, String> {
        match self.run.outcome(case) {
            Some(outcome) => Err(outcome.message.clone()),
            None if self.series[case].len() < LEAST_WINDOWS => Err("too few windows".to_owned()),
            None => Ok(self.series[case].clone()),
        }
    }
}

fn pairs(
    run: &Scored,
    baseline: Option<&Scored>,
    allow: &[Allow],
    missing: &mut Vec<String>,
) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let rows = |run: &Run| {
        let cases = run.header.plan.cases.clone().into_iter().enumerate();
        cases.filter(|(_, case)| !case.reference).collect::<Vec<_>>()
    };
    for (number, case) in rows(run.run) {
        match pair(run, number, &case, baseline, allow) {
            Ok(pair) => pairs.push(pair),
            Err(why) => missing.push(format!("{}: {why}", name(&case))),
        }
    }
    for (_, case) in baseline.map(|baseline| rows(baseline.run)).unwrap_or_default() {
        if !run.run.header.plan.cases.iter().any(|candidate| is_same_row(&case, candidate)) {
            missing.push(format!("{}: only the baseline has it", name(&case)));
        }
    }
    pairs
}

/// A row in both runs, or why it can't be scored.
fn pair(
    run: &Scored,
    number: usize,
    case: &Case,
    baseline: Option<&Scored>,
    allow: &[Allow],
) -> Result<Pair, String> {
    let category = category_of(run.run, &case.workload);
    let series = run.series_of(number)?;
    let mut pair = Pair { category, threads: case.thread_spec, series, baseline: None };
    if let Some(baseline) = baseline {
        let cases = &baseline.run.header.plan.cases;
        let other = cases.iter().position(|candidate| is_same_row(case, candidate));
        let other = other.ok_or("the baseline doesn't have it")?;
        let found = differences(baseline.run, other, run.run, number);
        if let Some(difference) = found.iter().find(|d| !allow.contains(&d.kind)) {
            return Err(format!("not comparable, {difference}"));
        }
        let series = baseline.series_of(other).map_err(|why| format!("the baseline: {why}"))?;
        pair.baseline = Some(series);
    }
    Ok(pair)
}

fn name(case: &Case) -> String {
    format!("{} on {}", case.workload, case.thread_spec.in_words())
}

/// The series of each case.
fn series(looks: &[Vec<Look>]) -> Vec<Series> {
    let of = |look: &Look| (look.round, look.throughput.ln());
    looks.iter().map(|looks| looks.iter().map(of).collect()).collect()
}

fn category_of(run: &Run, workload: &String) -> String {
    let categories = &run.header.categories;
    let category = categories.iter().find(|category| category.workloads.contains(workload));
    category.map_or(OVERALL, |category| category.name.as_str()).to_owned()
}

/// The geometric mean over rows, of ops/s or of the ratios to the baseline.
fn geometric_mean(rows: &[&Pair], floor: f64) -> Option<Interval> {
    if rows.is_empty() {
        return None;
    }
    let series: Vec<Series> = rows.iter().map(|pair| pair.series.clone()).collect();
    let baseline: Vec<Series> = rows.iter().filter_map(|pair| pair.baseline.clone()).collect();
    let log = mean_log(&series) - if baseline.is_empty() { 0.0 } else { mean_log(&baseline) };
    let half = level_half(&series).hypot(level_half(&baseline));
    Some(Interval::around(log.exp(), half).at_least(floor))
}

/// The mean over rows of their mean logarithm.
fn mean_log(rows: &[Series]) -> f64 {
    let of_row = |row: &Series| mean(&row.iter().map(|(_, log)| *log).collect::<Vec<_>>());
    mean(&rows.iter().map(of_row).collect::<Vec<_>>())
}
