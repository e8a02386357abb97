//! Two groups, row by row.

use super::beside::BesideRow;
use super::contention::Contention;
use super::enough::HostsToDecide;
use super::group::Group;
use super::machine_lines::{MachineLine, machine_lines};
use super::must_match::Difference;
use super::pair::Pair;
use super::pair_notes::pair_notes;
use super::pairs::Pairs;
use super::spread::RunToRunSpread;
use catalog::Unit;
use estimate::{RunEffect, View, ViewKind, Warning};
use record::ThreadSpec;
use serde::Serialize;
use stats::{Interval, mean};
use std::collections::BTreeMap;
use verdict::{Measured, Outcome, Ratio, Verdict, judge_ratios, why_unknown};

/// A comparison of a group with a baseline.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
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
    /// Caveats about the two groups that qualify every figure.
    pub notes: Vec<String>,
    /// Geometric mean ratio for each number of threads.
    pub common: Vec<GeomeanRatio>,
    /// Properties of the two machines, the baseline first.
    pub machines: Vec<MachineLine>,
    /// In the baseline's order, then what only the other has.
    pub rows: Vec<Row>,
    /// Throughput that comparable rows of both retain beside co-runners.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<BesideRow>,
}

/// Geometric mean of the ratios on a number of threads.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct GeomeanRatio {
    /// On how many threads.
    pub threads: ThreadSpec,
    /// How many rows it is made of.
    pub rows: usize,
    /// The other over the baseline.
    pub ratio: Interval,
    /// How many more hosts would settle which is faster; `None` for two single runs, and without error bars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enough: Option<HostsToDecide>,
}

/// One workload on one number of threads.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Row {
    /// The workload.
    pub workload: String,
    /// As it was asked for.
    pub threads: ThreadSpec,
    /// Unit counted per second.
    pub unit: Unit,
    /// The other's unit, if it differs: then they are not comparable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_unit: Option<Unit>,
    /// In the baseline, in its unit (or that and GHz).
    pub baseline: Option<View>,
    /// In the other.
    pub other: Option<View>,
    /// How the runs of the baseline differ; `None` for fewer than two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline_apart: Option<RunToRunSpread>,
    /// How those of the other do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_apart: Option<RunToRunSpread>,
    /// Given all other rows.
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

impl Pairs<'_> {
    /// Judges row by row.
    pub fn comparison(&self) -> Comparison {
        let Self { baseline, other, rows: pairs, .. } = self;
        let mut rows: Vec<Row> = pairs.iter().map(|pair| self.row(pair)).collect();
        let ratios = rows
            .iter_mut()
            .filter_map(|row| Some((row.threads, row.ratio.as_mut()?, &mut row.verdict)));
        judge_ratios(ratios);
        for row in rows.iter_mut().filter(|row| row.verdict == Verdict::Unknown) {
            let figures = [row.baseline.as_ref(), row.other.as_ref()];
            row.reason = why_unknown([&baseline.label, &other.label], figures);
        }
        let common = self.geomean_by_threads(&mut rows);
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
            beside: self.beside(),
            rows,
        }
    }

    /// A row with its ratio, not judged yet: that takes all rows.
    fn row(&self, pair: &Pair) -> Row {
        let baseline = Side { group: self.baseline, row: pair.baseline };
        let other = Side { group: self.other, row: pair.other };
        let (unit, other_unit) = (baseline.unit(), other.unit());
        let (clock_hz, other_clock_hz) = (baseline.clock_hz(), other.clock_hz());
        let labels = [&*baseline.group.label, &*other.group.label];
        let sides = [baseline.measured(), other.measured()];
        let Outcome { verdict, ratio, reason } =
            Outcome::of(labels, &sides, pair.refusal.is_some());
        Row {
            workload: pair.key.name.clone(),
            threads: pair.key.threads,
            other_unit: other_unit
                .clone()
                .filter(|other| unit.as_ref().is_some_and(|unit| unit != other)),
            unit: unit.or(other_unit).unwrap_or_default(),
            baseline: baseline.view(),
            other: other.view(),
            baseline_apart: baseline.spread(),
            other_apart: other.spread(),
            verdict,
            ratio,
            baseline_clock_hz: clock_hz,
            other_clock_hz,
            clock_ratio: other_clock_hz
                .zip(clock_hz)
                .map(|(other, baseline)| other.ratio_to(&baseline)),
            differences: pair.differences.clone(),
            reason,
            warnings: [baseline.warnings(), other.warnings()].concat(),
        }
    }

    /// The geometric mean of the ratios on each number of threads; gives each row its ratio to it.
    fn geomean_by_threads(&self, rows: &mut [Row]) -> Vec<GeomeanRatio> {
        let (baseline, other) = (self.baseline, self.other);
        let mut specs: Vec<ThreadSpec> = Vec::new();
        for row in rows.iter() {
            if !specs.contains(&row.threads) {
                specs.push(row.threads);
            }
        }
        let mut all = Vec::new();
        for threads in specs {
            let has_ratio = |row: &Row| row.threads == threads && row.ratio.is_some();
            let chosen: Vec<usize> = (0..rows.len()).filter(|i| has_ratio(&rows[*i])).collect();
            if chosen.is_empty() {
                continue;
            }
            let logs: Vec<f64> = chosen
                .iter()
                .filter_map(|i| Some(rows[*i].ratio.as_ref()?.interval.centre.ln()))
                .collect();
            let centre = mean(&logs).exp();
            let both = chosen.iter().filter_map(|i| self.rows[*i].both());
            let (of_baseline, of_other): (Vec<usize>, Vec<usize>) = both.unzip();
            let run_effects = (baseline.run_effect(&of_baseline), other.run_effect(&of_other));
            let run_effect = run_effects.0.and(&run_effects.1);
            let ratio = Interval::around(centre, run_effect.margin, run_effect.freedom);
            let enough = HostsToDecide::of((baseline, other), threads, &ratio, run_effects);
            all.push(GeomeanRatio { threads, rows: chosen.len(), ratio, enough });
            let mut beside: BTreeMap<(usize, usize), RunEffect> = BTreeMap::new();
            for i in chosen {
                let (Some(ratio), Some((row, row_of_other))) =
                    (&mut rows[i].ratio, self.rows[i].both())
                else {
                    continue;
                };
                let run_effect = beside.entry(ratio.run_sets).or_insert_with(|| {
                    let of_baseline = baseline.run_effect_beside(row, &of_baseline);
                    other.run_effect_beside(row_of_other, &of_other).and(&of_baseline)
                });
                ratio.row_effect = ratio.own.scaled(1.0 / centre).times(&run_effect.factor());
            }
        }
        all
    }
}

/// A row of one of two groups, if that has it.
struct Side<'a> {
    group: &'a Group,
    row: Option<usize>,
}

impl Side<'_> {
    fn view(&self) -> Option<View> {
        self.group.rows[self.row?].view
    }

    fn unit(&self) -> Option<Unit> {
        self.group.unit(self.row?).cloned()
    }

    fn clock_hz(&self) -> Option<Interval> {
        self.group.clock_hz(self.row?)
    }

    fn spread(&self) -> Option<RunToRunSpread> {
        RunToRunSpread::of_row(&self.group.runs, &self.group.rows[self.row?])
    }

    fn measured(&self) -> Measured {
        match (self.row, self.view()) {
            (None, _) => Measured::Not,
            (Some(row), None) => Measured::WithoutFigure(self.group.why_no_figure(row)),
            (Some(row), Some(view)) => Measured::Figure(view, self.group.rows[row].run_set),
        }
    }

    fn warnings(&self) -> Vec<String> {
        let warnings = self.row.map(|row| self.group.warnings(row, Warning::is_about_samples));
        let named = warnings.into_iter().flatten();
        named.map(|warning| format!("{}: {warning}", self.group.label)).collect()
    }
}

/// Verdicts after each ratio is multiplied by a factor (of prices, say), given all other rows; `Missing` and `NotComparable`
/// stay.
pub fn verdicts_scaled_by(
    comparison: &Comparison,
    factor: impl Fn(ThreadSpec) -> f64,
) -> Vec<Verdict> {
    let mut rows = comparison.rows.clone();
    for row in &mut rows {
        let factor = factor(row.threads);
        row.ratio = row.ratio.take().map(|ratio| ratio.scaled(factor));
    }
    judge_ratios(
        rows.iter_mut()
            .filter_map(|row| Some((row.threads, row.ratio.as_mut()?, &mut row.verdict))),
    );
    rows.into_iter().map(|row| row.verdict).collect()
}

impl Comparison {
    /// Whether it is known of every row how the two stand.
    pub fn is_whole(&self) -> bool {
        self.rows.iter().all(|row| row.verdict.is_known())
    }
}
