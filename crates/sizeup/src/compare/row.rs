//! Two runs, row by row.

use super::comparable::{Allow, Difference, differences};
use crate::estimate::{CaseEstimate, RunEstimate};
use crate::record::{Case, Run, ThreadSpec};
use crate::stats::Interval;
use serde::Serialize;

/// A comparison of a run with a baseline.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// The baseline's label.
    pub baseline: String,
    /// The other's label.
    pub other: String,
    /// The view that is compared.
    pub view: &'static str,
    /// What must be known of the two runs before anything else is believed.
    pub notes: Vec<String>,
    /// In the baseline's order, then what only the other has.
    pub rows: Vec<Row>,
}

/// One workload on one number of threads.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The workload.
    pub workload: String,
    /// As it was asked for.
    pub threads: ThreadSpec,
    /// In the baseline, in ops/s.
    pub baseline: Option<Interval>,
    /// In the other, in ops/s.
    pub other: Option<Interval>,
    /// What can be said.
    #[serde(flatten)]
    pub verdict: RowVerdict,
}

/// What can be said of a row.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum RowVerdict {
    /// The other over the baseline.
    Ratio {
        /// Above 1 the other is faster.
        ratio: Interval,
        /// What differs, and was allowed to.
        allowed: Vec<Difference>,
    },
    /// The two are not the same thing.
    NotComparable {
        /// What differs.
        differences: Vec<Difference>,
    },
    /// One of them has no figure.
    Missing {
        /// Which, and why.
        reason: String,
    },
}

/// Compares a run with a baseline, in the view as delivered.
pub fn compare(baseline: &Run, other: &Run, allow: &[Allow]) -> Comparison {
    let estimates = (RunEstimate::of(baseline), RunEstimate::of(other));
    let cases = (&baseline.header.plan.cases, &other.header.plan.cases);
    let mut rows: Vec<Row> = cases
        .0
        .iter()
        .enumerate()
        .filter(|(_, case)| !case.reference)
        .map(|(number, case)| {
            let other_number = cases.1.iter().position(|candidate| is_same_row(case, candidate));
            let left = interval(estimates.0.cases[number].as_ref());
            let right = other_number.and_then(|n| interval(estimates.1.cases[n].as_ref()));
            let verdict = match other_number {
                None => missing("the other run doesn't have it".to_owned()),
                Some(n) => verdict((baseline, number, left), (other, n, right), allow),
            };
            row(case, left, right, verdict)
        })
        .collect();
    for (number, case) in cases.1.iter().enumerate().filter(|(_, case)| !case.reference) {
        if !cases.0.iter().any(|candidate| is_same_row(case, candidate)) {
            let right = interval(estimates.1.cases[number].as_ref());
            rows.push(row(case, None, right, missing("the baseline doesn't have it".to_owned())));
        }
    }
    Comparison {
        baseline: baseline.header.label.clone(),
        other: other.header.label.clone(),
        view: "as delivered",
        notes: notes_of([("baseline", baseline), ("other", other)]),
        rows,
    }
}

/// The notes of runs, each with what the run is here.
pub(super) fn notes_of<'a>(runs: impl IntoIterator<Item = (&'a str, &'a Run)>) -> Vec<String> {
    let notes = runs
        .into_iter()
        .flat_map(|(what, run)| run.notes.iter().map(move |note| format!("{what}: {note}")));
    notes.collect()
}

impl Comparison {
    /// Whether every row has a ratio.
    pub fn is_whole(&self) -> bool {
        self.rows.iter().all(|row| matches!(row.verdict, RowVerdict::Ratio { .. }))
    }
}

fn row(
    case: &Case,
    baseline: Option<Interval>,
    other: Option<Interval>,
    verdict: RowVerdict,
) -> Row {
    Row { workload: case.workload.clone(), threads: case.thread_spec, baseline, other, verdict }
}

pub(super) fn is_same_row(a: &Case, b: &Case) -> bool {
    a.workload == b.workload && a.thread_spec == b.thread_spec
}

fn interval(estimate: Option<&CaseEstimate>) -> Option<Interval> {
    Some(estimate?.delivered?.interval)
}

fn missing(reason: String) -> RowVerdict {
    RowVerdict::Missing { reason }
}

type Side<'a> = (&'a Run, usize, Option<Interval>);

fn verdict(baseline: Side, other: Side, allow: &[Allow]) -> RowVerdict {
    let found = differences(baseline.0, baseline.1, other.0, other.1);
    if found.iter().any(|difference| !allow.contains(&difference.kind)) {
        return RowVerdict::NotComparable { differences: found };
    }
    match (baseline.2, other.2) {
        (Some(left), Some(right)) => {
            RowVerdict::Ratio { ratio: right.ratio_to(&left), allowed: found }
        }
        (None, _) => missing(format!("the baseline: {}", why_no_figure(baseline.0, baseline.1))),
        (_, None) => missing(format!("the other run: {}", why_no_figure(other.0, other.1))),
    }
}

/// Why a case has no interval.
fn why_no_figure(run: &Run, case: usize) -> String {
    match run.outcome(case) {
        Some(outcome) => outcome.message.clone(),
        None => format!("{} windows, too few for an interval", run.windows_of(case).count()),
    }
}
