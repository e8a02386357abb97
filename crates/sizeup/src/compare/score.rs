//! Scores: geometric means per category and overall, with intervals.
//!
//! The rows of a run share the machine's good and bad moments, so their errors do not average out
//! over rows as independent ones would. The interval therefore comes from the rows' common level: how
//! far each round lay above or below the rows' own centres, over the rows that took part.

use super::comparable::{Allow, differences};
use super::row::{is_same_row, notes_of};
use crate::catalog::OVERALL;
use crate::estimate::{RunEstimate, View, ViewKind, Warning};
use crate::record::{Case, Run, ThreadSpec};
use crate::stats::{Interval, mean};
use serde::Serialize;

/// A run's scores, against a baseline if there is one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Score {
    /// What is scored.
    pub label: String,
    /// Against what.
    pub baseline: Option<String>,
    /// In which view.
    pub view: ViewKind,
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

/// A row that both runs have.
struct Pair<'a> {
    workload: &'a str,
    threads: ThreadSpec,
    case: usize,
    baseline_case: Option<usize>,
    /// Logarithm of ops/s, or of the ratio to the baseline.
    log: f64,
}

/// A run and its estimates.
struct Scored<'a> {
    run: &'a Run,
    estimate: RunEstimate,
    view: ViewKind,
}

impl<'a> Scored<'a> {
    fn of(run: &'a Run, view: ViewKind) -> Self {
        Self { run, estimate: RunEstimate::of(run), view }
    }

    fn rows(&self) -> impl Iterator<Item = (usize, &'a Case)> {
        self.run.judged_cases()
    }

    /// A case's estimate, or why it has none that could be scored.
    fn view_of(&self, case: usize) -> Result<View, String> {
        match self.run.outcome(case) {
            Some(outcome) => Err(outcome.message.clone()),
            None => self.estimate.cases[case]
                .as_ref()
                .and_then(|estimate| estimate.view(self.view))
                .ok_or_else(|| format!("too few windows for a figure in the view {}", self.view)),
        }
    }
}

/// Scores a run in one view, against a baseline if there is one.
pub fn score(run: &Run, baseline: Option<&Run>, allow: &[Allow], view: ViewKind) -> Score {
    let mut missing = Vec::new();
    let of_run = Scored::of(run, view);
    let of_baseline = baseline.map(|run| Scored::of(run, view));
    let pairs = pairs(&of_run, of_baseline.as_ref(), allow, &mut missing);
    let mut specs: Vec<ThreadSpec> = Vec::new();
    for (_, case) in of_run.rows() {
        if !specs.contains(&case.thread_spec) {
            specs.push(case.thread_spec);
        }
    }
    let mut lines = Vec::new();
    for threads in specs {
        let mut line = |category: &str, rows: &[&Pair]| {
            let score = geometric_mean(rows, &of_run, of_baseline.as_ref());
            lines.push(ScoreLine {
                category: category.to_owned(),
                threads,
                rows: rows.len(),
                score,
            });
        };
        let spec = threads.to_string();
        let of_spec: Vec<&Pair> = pairs.iter().filter(|pair| pair.threads == threads).collect();
        for category in run.header.categories.iter().filter(|category| category.is_on(&spec)) {
            let is_in = |pair: &&&Pair| category.workloads.iter().any(|id| id == pair.workload);
            let rows: Vec<&Pair> = of_spec.iter().filter(is_in).copied().collect();
            line(&category.name, &rows);
        }
        line(OVERALL, &of_spec);
    }
    let mut notes =
        notes_of([("run", run)].into_iter().chain(baseline.map(|run| ("baseline", run))));
    notes.extend(disturbed_note("run", &of_run, pairs.iter().map(|pair| pair.case)));
    let of_pairs = pairs.iter().filter_map(|pair| pair.baseline_case);
    notes.extend(of_baseline.and_then(|run| disturbed_note("baseline", &run, of_pairs)));
    Score {
        label: run.header.label.clone(),
        baseline: baseline.map(|run| run.header.label.clone()),
        view,
        lines,
        notes,
        missing,
    }
}

/// A word if rows that are scored rest mostly on disturbed windows.
fn disturbed_note(side: &str, run: &Scored, cases: impl Iterator<Item = usize>) -> Option<String> {
    let is_disturbed = |case: &usize| {
        let warnings = run.estimate.cases[*case].iter().flat_map(|estimate| &estimate.warnings);
        warnings.into_iter().any(|warning| matches!(warning, Warning::Disturbed { .. }))
    };
    let rows: Vec<String> =
        cases.filter(is_disturbed).map(|case| name(&run.run.header.plan.cases[case])).collect();
    (!rows.is_empty()).then(|| {
        format!("{side}: most windows were disturbed of {} rows: {}", rows.len(), rows.join(", "))
    })
}

fn pairs<'a>(
    run: &Scored<'a>,
    baseline: Option<&Scored>,
    allow: &[Allow],
    missing: &mut Vec<String>,
) -> Vec<Pair<'a>> {
    let mut pairs = Vec::new();
    for (number, case) in run.rows() {
        match pair(run, number, case, baseline, allow) {
            Ok(pair) => pairs.push(pair),
            Err(why) => missing.push(format!("{}: {why}", name(case))),
        }
    }
    for (_, case) in baseline.into_iter().flat_map(Scored::rows) {
        if !run.rows().any(|(_, candidate)| is_same_row(case, candidate)) {
            missing.push(format!("{}: only the baseline has it", name(case)));
        }
    }
    pairs
}

/// A row in both runs, or why it can't be scored.
fn pair<'a>(
    run: &Scored,
    number: usize,
    case: &'a Case,
    baseline: Option<&Scored>,
    allow: &[Allow],
) -> Result<Pair<'a>, String> {
    let workload = &case.workload;
    let log = run.view_of(number)?.interval.centre.ln();
    let threads = case.thread_spec;
    let Some(baseline) = baseline else {
        return Ok(Pair { workload, threads, case: number, baseline_case: None, log });
    };
    let other = baseline.rows().find(|(_, candidate)| is_same_row(case, candidate));
    let (other, _) = other.ok_or("the baseline doesn't have it")?;
    let found = differences(baseline.run, other, run.run, number);
    if let Some(difference) = found.iter().find(|d| !allow.contains(&d.kind)) {
        return Err(format!("not comparable, {difference}"));
    }
    let base = baseline.view_of(other).map_err(|why| format!("the baseline: {why}"))?;
    let log = log - base.interval.centre.ln();
    Ok(Pair { workload, threads, case: number, baseline_case: Some(other), log })
}

fn name(case: &Case) -> String {
    format!("{} on {}", case.name(), case.thread_spec.in_words())
}

/// The geometric mean over rows, of ops/s or of the ratios to the baseline.
fn geometric_mean(rows: &[&Pair], run: &Scored, baseline: Option<&Scored>) -> Option<Interval> {
    if rows.is_empty() {
        return None;
    }
    let centre = mean(&rows.iter().map(|pair| pair.log).collect::<Vec<_>>()).exp();
    let cases: Vec<usize> = rows.iter().map(|pair| pair.case).collect();
    let mut level = run.estimate.level(&cases, run.view);
    if let Some(baseline) = baseline {
        let cases: Vec<usize> = rows.iter().filter_map(|pair| pair.baseline_case).collect();
        level = level.and(&baseline.estimate.level(&cases, run.view));
    }
    Some(Interval::around(centre, level.half, level.freedom))
}
