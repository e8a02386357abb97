//! Two groups, row by row.

use super::allow::{Allow, Difference};
use super::beside::{BesideRow, beside_rows};
use super::contention::Contention;
use super::enough::Enough;
use super::figures::RowKey;
use super::group::Group;
use super::machine_lines::{MachineLine, machine_lines};
use super::pair_notes::pair_notes;
use super::spread::Apart;
use super::verdict::{Ratio, Verdict, judge};
use catalog::Unit;
use estimate::{RunEffect, View, ViewKind, Warning};
use record::ThreadSpec;
use serde::Serialize;
use stats::{Interval, mean};
use std::collections::BTreeMap;

/// A comparison of a group with a baseline.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Comparison {
    /// The baseline's label.
    pub baseline: String,
    /// The other's label.
    pub other: String,
    /// The view that is compared.
    pub view: ViewKind,
    /// Rows that lack an uncontended figure; `None` if none does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contention: Option<Contention>,
    /// What must be known of the two groups before anything else is believed.
    pub notes: Vec<String>,
    /// What all rows of a number of threads share.
    pub common: Vec<CommonRatio>,
    /// What the two machines are, the baseline first.
    pub machines: Vec<MachineLine>,
    /// In the baseline's order, then what only the other has.
    pub rows: Vec<Row>,
    /// What comparable rows of both keep beside co-runners.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<BesideRow>,
}

/// The run effect: geometric mean over the rows of a number of threads.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CommonRatio {
    /// On how many threads.
    pub threads: ThreadSpec,
    /// How many rows it is made of.
    pub rows: usize,
    /// The other over the baseline.
    pub ratio: Interval,
    /// How many more hosts would settle which is faster; `None` of two single runs, and without error bars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enough: Option<Enough>,
}

/// One workload on one number of threads.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Row {
    /// The workload.
    pub workload: String,
    /// As it was asked for.
    pub threads: ThreadSpec,
    /// What its figures count.
    pub unit: Unit,
    /// What the other's counts, if that is not the same: then they are not comparable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_unit: Option<Unit>,
    /// In the baseline, in its unit (or that and GHz).
    pub baseline: Option<View>,
    /// In the other.
    pub other: Option<View>,
    /// How the runs of the baseline differ; `None` of fewer than two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline_apart: Option<Apart>,
    /// How those of the other do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_apart: Option<Apart>,
    /// What can be said.
    pub verdict: Verdict,
    /// The other over the baseline.
    pub ratio: Option<Ratio>,
    /// The clock in Hz that its work had in the baseline, where that is known.
    pub baseline_clock_hz: Option<Interval>,
    /// In the other.
    pub other_clock_hz: Option<Interval>,
    /// The other's clock over the baseline's.
    pub clock_ratio: Option<Interval>,
    /// Why there is no ratio, or what differs and was allowed to.
    pub differences: Vec<Difference>,
    /// Which of the two has no figure, or no error bar, and why.
    pub reason: Option<String>,
    /// The warnings on both estimates, each with whose it is.
    pub warnings: Vec<String>,
}

/// The rows of both: in the baseline, in the other.
type Matched = Vec<(Option<usize>, Option<usize>)>;

/// Compares a group with a baseline.
pub fn compare(baseline: &Group, other: &Group, allow: &[Allow]) -> Comparison {
    let matched = matched(baseline, other);
    let mut rows: Vec<Row> = matched
        .iter()
        .filter_map(|(left, right)| row((baseline, *left), (other, *right), allow))
        .collect();
    let ratios = rows
        .iter_mut()
        .filter_map(|row| Some((row.threads, row.ratio.as_mut()?, &mut row.verdict)));
    judge(ratios);
    for row in rows.iter_mut().filter(|row| row.verdict == Verdict::Unknown) {
        row.reason = why_unknown(row, (&baseline.label, &other.label));
    }
    let common = common(baseline, other, &matched, &mut rows);
    let comparable = rows.iter().filter(|row| row.verdict != Verdict::NotComparable);
    let comparable =
        comparable.map(|row| RowKey { name: row.workload.clone(), threads: row.threads });
    let beside = beside_rows(baseline, other, comparable);
    let mut notes = pair_notes(baseline, other);
    let of_each = [baseline.notes(), other.notes()].concat().into_iter();
    let unsaid: Vec<String> = of_each.filter(|note| !notes.contains(note)).collect();
    notes.extend(unsaid);
    Comparison {
        baseline: baseline.label.clone(),
        other: other.label.clone(),
        view: baseline.view,
        contention: baseline.contention.clone(),
        notes,
        common,
        machines: machine_lines(&[baseline, other]),
        beside,
        rows,
    }
}

/// What can be said of each row's ratio times a factor (of prices, say), given all other rows; `Missing` or `NotComparable`
/// stay.
pub fn verdicts_scaled_by(comparison: &Comparison, factor: f64) -> Vec<Verdict> {
    let mut rows = comparison.rows.clone();
    for ratio in rows.iter_mut().filter_map(|row| row.ratio.as_mut()) {
        *ratio = ratio.scaled(factor);
    }
    judge(
        rows.iter_mut()
            .filter_map(|row| Some((row.threads, row.ratio.as_mut()?, &mut row.verdict))),
    );
    rows.into_iter().map(|row| row.verdict).collect()
}

/// Which of the two has no error bar, and why.
fn why_unknown(row: &Row, (baseline, other): (&str, &str)) -> Option<String> {
    let of = |view: Option<View>| view?.why_unknown();
    match (of(row.baseline), of(row.other)) {
        (Some(ours), Some(theirs)) if ours == theirs => Some(format!("both: {theirs}")),
        (Some(why), _) => Some(format!("{baseline}: {why}")),
        (None, why) => Some(format!("{other}: {}", why?)),
    }
}

/// In the baseline's order, then what only the other has.
fn matched(baseline: &Group, other: &Group) -> Matched {
    let of_baseline =
        baseline.rows.iter().enumerate().map(|(row, of)| (Some(row), other.find(&of.key)));
    let only_other = other
        .rows
        .iter()
        .enumerate()
        .filter_map(|(row, of)| baseline.find(&of.key).is_none().then_some((None, Some(row))));
    of_baseline.chain(only_other).collect()
}

/// A row with its ratio, not judged yet: that takes all rows.
fn row(
    (left, left_row): (&Group, Option<usize>),
    (right, right_row): (&Group, Option<usize>),
    allow: &[Allow],
) -> Option<Row> {
    let RowKey { name, threads } =
        left_row.map(|row| &left.rows[row].key).or(right_row.map(|row| &right.rows[row].key))?;
    let warnings = |name: &str, group: &Group, row: Option<usize>| -> Vec<String> {
        let told = row.map(|row| group.warnings(row, Warning::is_about_samples));
        told.into_iter().flatten().map(|warning| format!("{name}: {warning}")).collect()
    };
    let view = |group: &Group, row: Option<usize>| row.and_then(|row| group.rows[row].view);
    let unit = |group: &Group, row: Option<usize>| row.and_then(|row| group.unit(row)).cloned();
    let (unit, other_unit) = (unit(left, left_row), unit(right, right_row));
    let clock_hz = |group: &Group, row: Option<usize>| row.and_then(|row| group.clock_hz(row));
    let (clock_hz, other_clock_hz) = (clock_hz(left, left_row), clock_hz(right, right_row));
    let mut row = Row {
        workload: name.clone(),
        threads: *threads,
        other_unit: other_unit
            .clone()
            .filter(|other| unit.as_ref().is_some_and(|unit| unit != other)),
        unit: unit.or(other_unit).unwrap_or_default(),
        baseline: view(left, left_row),
        other: view(right, right_row),
        baseline_apart: left_row.and_then(|row| Apart::of_row(&left.runs, &left.rows[row])),
        other_apart: right_row.and_then(|row| Apart::of_row(&right.runs, &right.rows[row])),
        verdict: Verdict::Missing,
        ratio: None,
        baseline_clock_hz: clock_hz,
        other_clock_hz,
        clock_ratio: other_clock_hz.zip(clock_hz).map(|(other, of)| other.ratio_to(&of)),
        differences: Vec::new(),
        reason: None,
        warnings: [warnings(&left.label, left, left_row), warnings(&right.label, right, right_row)]
            .concat(),
    };
    let (Some(left_row), Some(right_row)) = (left_row, right_row) else {
        let side = if left_row.is_none() { &left.label } else { &right.label };
        row.reason = Some(format!("{side} did not measure it"));
        return Some(row);
    };
    row.differences = differences((left, left_row), (right, right_row));
    if row.differences.iter().any(|difference| !allow.contains(&difference.kind)) {
        row.verdict = Verdict::NotComparable;
        return Some(row);
    }
    match (row.baseline, row.other) {
        (Some(baseline), Some(other)) => {
            let run_sets = (right.rows[right_row].run_set, left.rows[left_row].run_set);
            row.ratio = Some(Ratio::of(&other, &baseline, run_sets));
        }
        (None, _) => row.reason = Some(format!("{}: {}", left.label, left.why_no_figure(left_row))),
        (_, None) => {
            row.reason = Some(format!("{}: {}", right.label, right.why_no_figure(right_row)));
        }
    }
    Some(row)
}

/// What must match and doesn't, between two groups or within one of them.
pub fn differences(
    (left, left_row): (&Group, usize),
    (right, right_row): (&Group, usize),
) -> Vec<Difference> {
    let between = left.first_figure(left_row).zip(right.first_figure(right_row));
    let mut found = between.map(|(a, b)| a.identity.differences(&b.identity)).unwrap_or_default();
    for (group, row) in [(left, left_row), (right, right_row)] {
        for difference in &group.rows[row].differences {
            if !found.contains(difference) {
                found.push(difference.clone());
            }
        }
    }
    found
}

/// The run effect of each number of threads; gives each row its place against it.
fn common(
    baseline: &Group,
    other: &Group,
    matched: &Matched,
    rows: &mut [Row],
) -> Vec<CommonRatio> {
    let mut specs: Vec<ThreadSpec> = Vec::new();
    for row in rows.iter() {
        if !specs.contains(&row.threads) {
            specs.push(row.threads);
        }
    }
    let mut common = Vec::new();
    for threads in specs {
        let of_run_effect = |row: &Row| row.threads == threads && row.ratio.is_some();
        let chosen: Vec<usize> = (0..rows.len()).filter(|i| of_run_effect(&rows[*i])).collect();
        if chosen.is_empty() {
            continue;
        }
        let logs: Vec<f64> = chosen
            .iter()
            .filter_map(|i| Some(rows[*i].ratio.as_ref()?.interval.centre.ln()))
            .collect();
        let centre = mean(&logs).exp();
        let left: Vec<usize> = chosen.iter().filter_map(|i| matched[*i].0).collect();
        let right: Vec<usize> = chosen.iter().filter_map(|i| matched[*i].1).collect();
        let run_effects = (baseline.run_effect(&left), other.run_effect(&right));
        let run_effect = run_effects.0.and(&run_effects.1);
        let ratio = Interval::around(centre, run_effect.margin, run_effect.freedom);
        let enough = Enough::of((baseline, other), threads, &ratio, run_effects);
        common.push(CommonRatio { threads, rows: chosen.len(), ratio, enough });
        let mut beside: BTreeMap<(usize, usize), RunEffect> = BTreeMap::new();
        for i in chosen {
            let (Some(ratio), (Some(at_left), Some(at_right))) = (&mut rows[i].ratio, matched[i])
            else {
                continue;
            };
            let run_effect = beside.entry(ratio.run_sets).or_insert_with(|| {
                let of_baseline = baseline.run_effect_beside(at_left, &left);
                other.run_effect_beside(at_right, &right).and(&of_baseline)
            });
            ratio.row_effect = ratio.row.scaled(1.0 / centre).times(&run_effect.factor());
        }
    }
    common
}

impl Comparison {
    /// Whether it is known of every row how the two stand.
    pub fn is_whole(&self) -> bool {
        self.rows.iter().all(|row| row.verdict.is_known())
    }
}
