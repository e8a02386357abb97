//! One operation by every implementation: how far each is behind the fastest, and which of them is further behind
//! on one machine than the others are. The first tells a slow library, the second a slow port.

use super::contention::Contention;
use super::group::Group;
use super::must_match::MustMatch;
use super::pair::Pair;
use super::sheet::RowKey;
use catalog::Unit;
use estimate::{View, ViewKind, Warning};
use record::ThreadSpec;
use serde::Serialize;
use stats::{Interval, holm};
use std::collections::{BTreeMap, BTreeSet};

/// Lags up to here, by factor, are not worth a name.
const LEAST_SLOWDOWN: f64 = 1.05;
/// The chance that any slowdown is named though none is stays below this, over all machines and rows.
const ERROR: f64 = 0.05;

/// Groups by operation and implementation.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Implementations {
    /// In which view.
    pub view: ViewKind,
    /// Rows that lack an uncontended figure; `None` if none does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contention: Option<Contention>,
    /// The label of each group.
    pub machines: Vec<String>,
    /// Caveats about the groups that qualify every figure.
    pub notes: Vec<String>,
    /// Those that two implementations or more have, in the order of the groups' rows.
    pub operations: Vec<Operation>,
    /// Between the first machine and each other.
    pub slowdowns: Vec<Slowdown>,
}

/// One operation on one number of threads.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Operation {
    /// The part of workload IDs before the slash.
    pub operation: String,
    /// As it was asked for.
    pub threads: ThreadSpec,
    /// A row an implementation.
    pub rows: Vec<ImplementationRow>,
}

/// One implementation.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ImplementationRow {
    /// The part of the workload's ID after the slash.
    pub implementation: String,
    /// A cell a machine.
    pub cells: Vec<ImplementationCell>,
}

/// One implementation on one machine.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ImplementationCell {
    /// Unit counted per second.
    pub unit: Unit,
    /// In its unit (or its unit and GHz).
    pub figure: Option<View>,
    /// Its ops/s over those of the fastest on this machine. What all rows of a run share is no part of it if both are of the
    /// same runs.
    pub of_fastest: Option<Interval>,
    /// Why there is no figure, or why it is not comparable with the first machine's.
    pub reason: Option<String>,
    /// Input bytes of one op.
    pub bytes_per_op: Option<u64>,
    /// Output bytes of one op: implementations may make less or more of the same input.
    pub output_bytes: Option<u64>,
    /// The warnings on the estimate.
    pub warnings: Vec<String>,
    /// Which runs measured it.
    #[serde(skip)]
    run_set: usize,
}

impl ImplementationCell {
    /// Over another cell of the same machine, without what all rows of a run share if both are of the same runs.
    fn ratio_to(&self, other: &Self) -> Option<Interval> {
        let (mine, others) = (self.figure?, other.figure?);
        Some(match self.run_set == other.run_set {
            true => mine.own.ratio_to(&others.own),
            false => mine.interval.ratio_to(&others.interval),
        })
    }
}

/// An implementation that loses more on one machine than the others do.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Slowdown {
    /// The operation, by the first part of its workloads' IDs.
    pub operation: String,
    /// On how many threads.
    pub threads: ThreadSpec,
    /// Which implementation.
    pub implementation: String,
    /// Where it is slower.
    pub machine: String,
    /// Where it does not.
    pub other: String,
    /// The implementation that stands for the others: the upper median of what the other machine makes of them.
    pub than: String,
    /// Its throughput on `machine` over `other`, divided by that ratio for `than`; below 1.
    pub ratio: Interval,
    /// The chance of such a ratio without a slowdown worth a name, corrected for how many were judged (Holm): all rows of
    /// all machines.
    pub adjusted_p: f64,
}

/// Lays out groups, all in one view, by operation and implementation, and finds machine-specific slowdowns.
pub fn implementations(groups: &[Group], allow: &[MustMatch]) -> Implementations {
    let mut operations = operations(groups);
    for operation in &mut operations {
        for (machine, group) in groups.iter().enumerate() {
            operation.fill(machine, group, &groups[0], allow);
        }
    }
    let machines: Vec<String> = groups.iter().map(|group| group.label.clone()).collect();
    let slowdowns = slowdowns(&operations, &machines);
    let notes = groups.iter().flat_map(Group::notes).collect();
    let view = groups.first().map_or(ViewKind::Uncontended, |group| group.view);
    let contention = groups.first().and_then(|group| group.contention.clone());
    Implementations { view, contention, notes, machines, operations, slowdowns }
}

impl Implementations {
    /// Whether every cell has a comparable figure with an error bar.
    pub fn is_whole(&self) -> bool {
        self.cells().all(|cell| cell.reason.is_none()) && !self.lacks_error_bars()
    }

    /// Whether some figures have no error bars: their machine-specific slowdowns are unknown.
    pub fn lacks_error_bars(&self) -> bool {
        self.cells().filter_map(|cell| cell.figure).any(|view| !view.interval.is_known())
    }

    fn cells(&self) -> impl Iterator<Item = &ImplementationCell> {
        self.operations.iter().flat_map(|operation| &operation.rows).flat_map(|row| &row.cells)
    }
}

/// The operations of all groups that two implementations or more have, without cells.
fn operations(groups: &[Group]) -> Vec<Operation> {
    let mut operations: Vec<Operation> = Vec::new();
    let mut indices: BTreeMap<(&str, ThreadSpec), usize> = BTreeMap::new();
    let mut known: BTreeSet<(&str, ThreadSpec)> = BTreeSet::new();
    let figures = groups
        .iter()
        .flat_map(|group| (0..group.rows.len()).filter_map(|row| group.first_figure(row)));
    for figure in figures.filter(|figure| figure.variant.is_none()) {
        let Some((operation, implementation)) = figure.workload.split_once('/') else { continue };
        let threads = figure.key.threads;
        if !known.insert((&figure.workload, threads)) {
            continue;
        }
        let index = *indices.entry((operation, threads)).or_insert(operations.len());
        if index == operations.len() {
            let operation = operation.to_owned();
            operations.push(Operation { operation, threads, rows: Vec::new() });
        }
        let implementation = implementation.to_owned();
        operations[index].rows.push(ImplementationRow { implementation, cells: Vec::new() });
    }
    operations.retain(|operation| operation.rows.len() > 1);
    operations
}

impl Operation {
    /// Adds a machine's cell to each row.
    fn fill(&mut self, machine: usize, group: &Group, first: &Group, allow: &[MustMatch]) {
        for row in &mut self.rows {
            let name = format!("{}/{}", self.operation, row.implementation);
            let key = RowKey { name, threads: self.threads };
            let pair = Pair::of(first, group, &key, allow);
            let mut cell = cell(group, pair.other);
            let refusal = pair.refusal.map(|difference| format!("not comparable, {difference}"));
            cell.reason = cell.reason.or(refusal);
            row.cells.push(cell);
        }
        // Figures in another unit than the first implementation's are not compared with it.
        let first =
            self.rows.iter().map(|row| &row.cells[machine]).find(|cell| cell.figure.is_some());
        let Some(unit) = first.map(|cell| cell.unit.clone()) else { return };
        for cell in self.rows.iter_mut().map(|row| &mut row.cells[machine]) {
            let is_unlike = cell.figure.is_some() && cell.unit != unit;
            cell.reason = is_unlike
                .then(|| format!("not comparable: in {}, not in {unit}", cell.unit))
                .or(cell.reason.take());
        }
        let like = |cell: &ImplementationCell| cell.figure.filter(|_| cell.unit == unit);
        let cells = self.rows.iter().map(|row| &row.cells[machine]);
        let figures = cells.filter_map(|cell| Some((cell, like(cell)?.interval.centre)));
        let Some((fastest, _)) = figures.max_by(|a, b| a.1.total_cmp(&b.1)) else { return };
        let fastest = fastest.clone();
        for row in &mut self.rows {
            let cell = &mut row.cells[machine];
            cell.of_fastest = like(cell).and_then(|figure| match Some(figure) == fastest.figure {
                true => Some(Interval::exact(1.0)),
                false => cell.ratio_to(&fastest),
            });
        }
    }
}

fn cell(group: &Group, row: Option<usize>) -> ImplementationCell {
    let figure = row.and_then(|row| group.rows[row].view);
    let reason = match (row, figure) {
        (None, _) => Some("not measured in this run".to_owned()),
        (Some(row), None) => Some(format!("this run: {}", group.why_no_figure(row))),
        (Some(_), Some(_)) => None,
    };
    let first = row.and_then(|row| group.first_figure(row));
    let warnings = row.map(|row| group.warnings(row, Warning::is_about_figure));
    ImplementationCell {
        unit: row.and_then(|row| group.unit(row)).cloned().unwrap_or_default(),
        figure,
        of_fastest: None,
        reason,
        bytes_per_op: first.and_then(|figure| figure.bytes_per_op),
        output_bytes: first.and_then(|figure| figure.output_bytes),
        warnings: warnings.unwrap_or_default(),
        run_set: row.map(|row| group.rows[row].run_set).unwrap_or_default(),
    }
}

/// Machine-specific slowdowns between the first machine and each other.
fn slowdowns(operations: &[Operation], machines: &[String]) -> Vec<Slowdown> {
    let between = |other: usize| {
        let labels = (machines[0].as_str(), machines[other].as_str());
        operations.iter().flat_map(move |operation| operation.candidates(other, labels))
    };
    let candidates: Vec<Slowdown> = (1..machines.len()).flat_map(between).collect();
    let p_values: Vec<f64> =
        candidates.iter().map(|slowdown| slowdown.ratio.p_value(LEAST_SLOWDOWN.ln())).collect();
    let adjusted = candidates.into_iter().zip(holm(&p_values));
    let slowdowns = adjusted.map(|(slowdown, adjusted_p)| Slowdown { adjusted_p, ..slowdown });
    slowdowns.filter(|slowdown| slowdown.adjusted_p < ERROR).collect()
}

impl Operation {
    /// Every implementation but one against that one, which stands for all: the upper median of what the other
    /// machine makes of them. Of two it is the one that fares better there.
    fn candidates(&self, other: usize, (first_label, other_label): (&str, &str)) -> Vec<Slowdown> {
        let mut moved: Vec<(&ImplementationRow, f64)> = self
            .rows
            .iter()
            .filter(|row| row.cells[0].reason.is_none() && row.cells[other].reason.is_none())
            .filter_map(|row| {
                let (first, other) = (row.cells[0].figure?, row.cells[other].figure?);
                Some((row, other.own.centre / first.own.centre))
            })
            .collect();
        moved.sort_by(|a, b| a.1.total_cmp(&b.1));
        let middle = moved.len() / 2;
        let Some((typical, _)) = moved.get(middle).copied() else { return Vec::new() };
        let slowdown = |(index, (row, _)): (usize, &(&ImplementationRow, f64))| {
            let on = |machine: usize| row.cells[machine].ratio_to(&typical.cells[machine]);
            let is_there = index < middle;
            let ((machine, slow), (other, fast)) = match is_there {
                true => ((other_label, on(other)?), (first_label, on(0)?)),
                false => ((first_label, on(0)?), (other_label, on(other)?)),
            };
            Some(Slowdown {
                operation: self.operation.clone(),
                threads: self.threads,
                implementation: row.implementation.clone(),
                machine: machine.to_owned(),
                other: other.to_owned(),
                than: typical.implementation.clone(),
                ratio: slow.ratio_to(&fast),
                adjusted_p: 1.0,
            })
        };
        let others = moved.iter().enumerate().filter(|(index, _)| *index != middle);
        others.filter_map(slowdown).collect()
    }
}

#[cfg(test)]
mod tests;
