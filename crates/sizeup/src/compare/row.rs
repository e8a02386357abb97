//! Two runs, row by row.

use super::comparable::{Allow, Difference, differences};
use super::verdict::{Ratio, Verdict, judge};
use crate::estimate::{CaseEstimate, RunEstimate, View, ViewKind};
use crate::record::{Case, Run, ThreadSpec};
use crate::stats::{Interval, mean};
use serde::Serialize;

/// Two runs of one CPU whose own cores differ more than this in width: one of them never had a core to
/// itself.
const MOST_WIDTH_FACTOR: f64 = 1.15;

/// A comparison of a run with a baseline.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// The baseline's label.
    pub baseline: String,
    /// The other's label.
    pub other: String,
    /// The view that is compared.
    pub view: ViewKind,
    /// What must be known of the two runs before anything else is believed.
    pub notes: Vec<String>,
    /// What all rows of a number of threads share.
    pub levels: Vec<LevelRatio>,
    /// In the baseline's order, then what only the other has.
    pub rows: Vec<Row>,
}

/// The level: geometric mean over the rows of a number of threads.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LevelRatio {
    /// On how many threads.
    pub threads: ThreadSpec,
    /// How many rows it is made of.
    pub rows: usize,
    /// The other over the baseline.
    pub ratio: Interval,
}

/// One workload on one number of threads.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The workload.
    pub workload: String,
    /// As it was asked for.
    pub threads: ThreadSpec,
    /// In the baseline, in ops/s (or ops/s and GHz).
    pub baseline: Option<View>,
    /// In the other.
    pub other: Option<View>,
    /// What can be said.
    pub verdict: Verdict,
    /// The other over the baseline.
    pub ratio: Option<Ratio>,
    /// Why there is no ratio, or what differs and was allowed to.
    pub differences: Vec<Difference>,
    /// Which of the two has no figure, and why.
    pub reason: Option<String>,
    /// The warnings on both estimates, each with whose it is.
    pub warnings: Vec<String>,
}

/// A run with its estimates.
pub(super) struct Side<'a> {
    name: &'static str,
    pub run: &'a Run,
    estimate: RunEstimate,
}

impl<'a> Side<'a> {
    pub fn of(name: &'static str, run: &'a Run) -> Self {
        Self { name, run, estimate: RunEstimate::of(run) }
    }

    pub fn case(&self, case: usize) -> Option<&CaseEstimate> {
        self.estimate.cases[case].as_ref()
    }

    pub fn view(&self, case: usize, kind: ViewKind) -> Option<View> {
        self.case(case)?.view(kind)
    }

    pub fn rows(&self) -> impl Iterator<Item = (usize, &'a Case)> {
        self.run.judged_cases()
    }

    /// The case of a workload on a number of threads, where there are no variants.
    pub fn find(&self, workload: &str, threads: ThreadSpec) -> Option<usize> {
        let is_it = |case: &Case| {
            case.workload == workload && case.thread_spec == threads && case.variant.is_none()
        };
        self.rows().find(|(_, case)| is_it(case)).map(|(number, _)| number)
    }

    /// Why a case has no figure.
    pub fn why_no_figure(&self, case: usize, kind: ViewKind) -> String {
        let why = match (self.run.outcome(case), self.case(case)) {
            (Some(outcome), _) => outcome.message.clone(),
            (None, Some(estimate)) => {
                format!("too few of its {} windows for an estimate {kind}", estimate.windows)
            }
            (None, None) => "no windows".to_owned(),
        };
        format!("{}: {why}", self.name)
    }
}

/// Compares a run with a baseline in one view.
pub fn compare(baseline: &Run, other: &Run, allow: &[Allow], view: ViewKind) -> Comparison {
    let sides = (Side::of("the baseline", baseline), Side::of("the other run", other));
    // The case in the baseline and in the other run.
    let mut numbers: Vec<(Option<usize>, Option<usize>)> = Vec::new();
    for (number, case) in sides.0.rows() {
        let same = sides.1.rows().find(|(_, candidate)| is_same_row(case, candidate));
        numbers.push((Some(number), same.map(|(number, _)| number)));
    }
    for (number, case) in sides.1.rows() {
        if !sides.0.rows().any(|(_, candidate)| is_same_row(case, candidate)) {
            numbers.push((None, Some(number)));
        }
    }
    let mut rows: Vec<Row> = numbers
        .iter()
        .filter_map(|(left, right)| row((&sides.0, *left), (&sides.1, *right), allow, view))
        .collect();
    let ratios = rows
        .iter_mut()
        .filter_map(|row| Some((row.threads, row.ratio.as_mut()?, &mut row.verdict)));
    judge(ratios);
    let levels = levels(&sides, &numbers, &mut rows, view);
    let mut notes = notes_of([("baseline", baseline), ("other", other)]);
    notes.extend(width_note(&sides));
    Comparison {
        baseline: baseline.header.label.clone(),
        other: other.header.label.clone(),
        view,
        notes,
        levels,
        rows,
    }
}

/// The notes of runs, each with what the run is here.
pub(super) fn notes_of<'a>(runs: impl IntoIterator<Item = (&'a str, &'a Run)>) -> Vec<String> {
    let notes = runs.into_iter().flat_map(|(what, run)| {
        let notes = run.notes.iter().map(ToString::to_string).chain(fixed_rate_note(run));
        notes.map(move |note| format!("{what}: {note}"))
    });
    notes.collect()
}

/// What is left out because its throughput is its definition's.
fn fixed_rate_note(run: &Run) -> Option<String> {
    let cases = run.header.plan.cases.iter().enumerate();
    let fixed: Vec<String> =
        cases.filter(|(i, _)| run.has_fixed_rate(*i)).map(|(_, case)| case.name()).collect();
    let names = fixed.join(", ");
    (!fixed.is_empty())
        .then(|| format!("not judged, for the rate is fixed; `sizeup show` has latencies: {names}"))
}

impl Comparison {
    /// Whether every row has a ratio.
    pub fn is_whole(&self) -> bool {
        self.rows.iter().all(|row| row.ratio.is_some())
    }
}

pub(super) fn is_same_row(a: &Case, b: &Case) -> bool {
    a.workload == b.workload && a.thread_spec == b.thread_spec && a.variant == b.variant
}

/// A row with its ratio, not judged yet: that takes all rows.
fn row(
    (left, left_case): (&Side, Option<usize>),
    (right, right_case): (&Side, Option<usize>),
    allow: &[Allow],
    view: ViewKind,
) -> Option<Row> {
    let case = left_case
        .map(|number| &left.run.header.plan.cases[number])
        .or_else(|| Some(&right.run.header.plan.cases[right_case?]))?;
    let warnings = |side: &Side, case: Option<usize>| -> Vec<String> {
        let estimate = case.and_then(|case| side.case(case));
        let warnings = estimate.map(|estimate| &estimate.warnings[..]).unwrap_or_default();
        let told = warnings.iter().filter(|warning| warning.is_about_windows());
        told.map(|warning| format!("{}: {warning}", side.name)).collect()
    };
    let mut row = Row {
        workload: case.name(),
        threads: case.thread_spec,
        baseline: left_case.and_then(|case| left.view(case, view)),
        other: right_case.and_then(|case| right.view(case, view)),
        verdict: Verdict::Missing,
        ratio: None,
        differences: Vec::new(),
        reason: None,
        warnings: [warnings(left, left_case), warnings(right, right_case)].concat(),
    };
    let (Some(left_case), Some(right_case)) = (left_case, right_case) else {
        let side = if left_case.is_none() { left } else { right };
        row.reason = Some(format!("{} doesn't have it", side.name));
        return Some(row);
    };
    row.differences = differences(left.run, left_case, right.run, right_case);
    if row.differences.iter().any(|difference| !allow.contains(&difference.kind)) {
        row.verdict = Verdict::NotComparable;
        return Some(row);
    }
    match (row.baseline, row.other) {
        (Some(baseline), Some(other)) => row.ratio = Some(Ratio::of(&other, &baseline)),
        (None, _) => row.reason = Some(left.why_no_figure(left_case, view)),
        (_, None) => row.reason = Some(right.why_no_figure(right_case, view)),
    }
    Some(row)
}

/// The level of each number of threads; gives each row its place against it.
fn levels(
    sides: &(Side, Side),
    numbers: &[(Option<usize>, Option<usize>)],
    rows: &mut [Row],
    view: ViewKind,
) -> Vec<LevelRatio> {
    let mut specs: Vec<ThreadSpec> = Vec::new();
    for row in rows.iter() {
        if !specs.contains(&row.threads) {
            specs.push(row.threads);
        }
    }
    let mut levels = Vec::new();
    for threads in specs {
        let of_level = |row: &Row| row.threads == threads && row.ratio.is_some();
        let chosen: Vec<usize> = (0..rows.len()).filter(|i| of_level(&rows[*i])).collect();
        if chosen.is_empty() {
            continue;
        }
        let logs: Vec<f64> = chosen
            .iter()
            .filter_map(|i| Some(rows[*i].ratio.as_ref()?.interval.centre.ln()))
            .collect();
        let centre = mean(&logs).exp();
        let of_sides: Vec<(Option<usize>, Option<usize>)> =
            chosen.iter().map(|i| numbers[*i]).collect();
        let left: Vec<usize> = of_sides.iter().filter_map(|(left, _)| *left).collect();
        let right: Vec<usize> = of_sides.iter().filter_map(|(_, right)| *right).collect();
        let level = sides.0.estimate.level(&left, view);
        let level = level.and(&sides.1.estimate.level(&right, view));
        let ratio = Interval::around(centre, level.half, level.freedom);
        levels.push(LevelRatio { threads, rows: chosen.len(), ratio });
        for i in chosen {
            if let Some(ratio) = &mut rows[i].ratio {
                ratio.profile = ratio.row.scaled(1.0 / centre);
            }
        }
    }
    levels
}

/// A word if one of two runs of the same CPU never had a core to itself, as the width tells.
fn width_note((left, right): &(Side, Side)) -> Option<String> {
    let model = |side: &Side| side.run.header.machine.cpu.model.known().cloned();
    let width = |side: &Side| {
        let steadiness = side.estimate.steadiness.as_ref()?;
        steadiness.width_states.map(|states| states.high).or(steadiness.width)
    };
    let (a, b) = (width(left)?, width(right)?);
    let factor = (a / b).max(b / a);
    (model(left)? == model(right)? && factor > MOST_WIDTH_FACTOR).then(|| {
        format!(
            "the same CPU had {a:.1} instructions per clock in the baseline and {b:.1} in the other run: in \
             one of them a neighbour may have been on the core nearly all the time, which can't be told from a \
             slower core"
        )
    })
}
