//! One operation by every implementation: how far each is behind the fastest, and which of them is further behind
//! on one machine than the others are. The first tells a slow library, the second a slow port.

use super::comparable::{Allow, differences};
use super::label::distinct;
use super::row::{Side, notes_of};
use crate::estimate::{View, ViewKind};
use crate::record::{Run, ThreadSpec};
use crate::stats::{Interval, holm};
use serde::Serialize;

/// Lags up to here, by factor, are not worth a name.
const LEAST_LAG: f64 = 1.05;
/// The chance that any lag is named though none is stays below this.
const ERROR: f64 = 0.05;

/// Runs by operation and implementation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Gap {
    /// In which view.
    pub view: ViewKind,
    /// The label of each run, with a number where another has the same.
    pub machines: Vec<String>,
    /// What must be known of the runs before anything else is believed.
    pub notes: Vec<String>,
    /// Those that two implementations or more have, in the order of the runs' plans.
    pub operations: Vec<Operation>,
    /// Between the first machine and each other.
    pub lags: Vec<Lag>,
}

/// One operation on one number of threads.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Operation {
    /// What stands before the slash.
    pub operation: String,
    /// As it was asked for.
    pub threads: ThreadSpec,
    /// A row an implementation.
    pub rows: Vec<GapRow>,
}

/// One implementation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GapRow {
    /// What stands after the slash.
    pub implementation: String,
    /// A cell a machine.
    pub cells: Vec<Cell>,
}

/// One implementation on one machine.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cell {
    /// In ops/s (or ops/s and GHz).
    pub figure: Option<View>,
    /// Its ops/s over those of the fastest on this machine. What all rows of a run share is no part of it.
    pub of_fastest: Option<Interval>,
    /// Why there is no figure, or why it can't be held against the first machine's.
    pub reason: Option<String>,
    /// Input bytes of one op.
    pub bytes_per_op: Option<u64>,
    /// What an op makes, in bytes: of the same text one implementation may make less than another.
    pub output_bytes: Option<u64>,
    /// The warnings on the estimate.
    pub warnings: Vec<String>,
}

/// An implementation that lags more on one machine than the others do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Lag {
    /// Of which operation.
    pub operation: String,
    /// On how many threads.
    pub threads: ThreadSpec,
    /// Which implementation.
    pub implementation: String,
    /// Where it lags.
    pub machine: String,
    /// Where it does not.
    pub other: String,
    /// The implementation that stands for the others: the upper median of what the other machine makes of them.
    pub than: String,
    /// What the machine makes of it, over what it makes of the others; below 1.
    pub ratio: Interval,
    /// The chance of such a ratio without a lag worth a name, corrected for the number of rows (Holm).
    pub adjusted_p: f64,
}

/// Lays runs out by operation and implementation, and names what lags.
pub fn gap(runs: &[Run], allow: &[Allow], view: ViewKind) -> Gap {
    let sides: Vec<Side> = runs.iter().map(|run| Side::of("this run", run)).collect();
    let mut operations = operations(&sides);
    for operation in &mut operations {
        for (machine, side) in sides.iter().enumerate() {
            operation.fill(machine, side, &sides[0], allow, view);
        }
    }
    let machines = distinct(runs.iter().map(|run| run.header.label.as_str()));
    let lags = (1..sides.len()).flat_map(|other| lags(&operations, &machines, other)).collect();
    Gap {
        view,
        notes: notes_of(machines.iter().map(String::as_str).zip(runs)),
        machines,
        operations,
        lags,
    }
}

impl Gap {
    /// Whether every cell has a figure that can be held against the others.
    pub fn is_whole(&self) -> bool {
        let mut cells =
            self.operations.iter().flat_map(|operation| &operation.rows).flat_map(|row| &row.cells);
        cells.all(|cell| cell.reason.is_none())
    }
}

/// The operations of all runs that two implementations or more have, without cells.
fn operations(sides: &[Side]) -> Vec<Operation> {
    let mut operations: Vec<Operation> = Vec::new();
    for (_, case) in sides.iter().flat_map(Side::rows).filter(|(_, case)| case.variant.is_none()) {
        let Some((operation, implementation)) = case.workload.split_once('/') else { continue };
        let threads = case.thread_spec;
        let is_it = |o: &&mut Operation| o.operation == operation && o.threads == threads;
        let row = GapRow { implementation: implementation.to_owned(), cells: Vec::new() };
        match operations.iter_mut().find(is_it) {
            Some(known) if known.rows.contains(&row) => {}
            Some(known) => known.rows.push(row),
            None => {
                let operation = operation.to_owned();
                operations.push(Operation { operation, threads, rows: vec![row] });
            }
        }
    }
    operations.retain(|operation| operation.rows.len() > 1);
    operations
}

impl Operation {
    /// Adds a machine's cell to each row.
    fn fill(&mut self, machine: usize, side: &Side, first: &Side, allow: &[Allow], view: ViewKind) {
        for row in &mut self.rows {
            let workload = format!("{}/{}", self.operation, row.implementation);
            let case = side.find(&workload, self.threads);
            let mut cell = cell(side, case, view);
            if let (Some(case), Some(of_first)) = (case, first.find(&workload, self.threads)) {
                let found = differences(first.run, of_first, side.run, case);
                let stands = found.iter().find(|difference| !allow.contains(&difference.kind));
                cell.reason = cell.reason.or(stands.map(|d| format!("not comparable, {d}")));
            }
            row.cells.push(cell);
        }
        let figures = self.rows.iter().filter_map(|row| row.cells[machine].figure);
        let Some(fastest) = figures.max_by(|a, b| a.interval.centre.total_cmp(&b.interval.centre))
        else {
            return;
        };
        for row in &mut self.rows {
            let cell = &mut row.cells[machine];
            cell.of_fastest = cell.figure.map(|figure| match figure == fastest {
                true => Interval::around(1.0, 0.0, f64::INFINITY),
                false => figure.row.ratio_to(&fastest.row),
            });
        }
    }
}

fn cell(side: &Side, case: Option<usize>, view: ViewKind) -> Cell {
    let figure = case.and_then(|case| side.view(case, view));
    let reason = match (case, figure) {
        (None, _) => Some("this run doesn't have it".to_owned()),
        (Some(case), None) => Some(side.why_no_figure(case, view)),
        (Some(_), Some(_)) => None,
    };
    let ready = case.and_then(|case| side.run.ready_of(case));
    let estimate = case.and_then(|case| side.case(case));
    let warnings = estimate.map(|estimate| &estimate.warnings[..]).unwrap_or_default();
    let told = warnings.iter().filter(|warning| warning.is_about_figure());
    Cell {
        figure,
        of_fastest: None,
        reason,
        bytes_per_op: ready.and_then(|ready| ready.bytes_per_op),
        output_bytes: ready.and_then(|ready| ready.output_bytes),
        warnings: told.map(ToString::to_string).collect(),
    }
}

/// What lags between the first machine and another.
fn lags(operations: &[Operation], machines: &[String], other: usize) -> Vec<Lag> {
    let labels = (machines[0].as_str(), machines[other].as_str());
    let candidates: Vec<Lag> =
        operations.iter().flat_map(|operation| operation.candidates(other, labels)).collect();
    let p_values: Vec<f64> =
        candidates.iter().map(|lag| lag.ratio.p_value(LEAST_LAG.ln())).collect();
    let adjusted = candidates.into_iter().zip(holm(&p_values));
    let lags = adjusted.map(|(lag, adjusted_p)| Lag { adjusted_p, ..lag });
    lags.filter(|lag| lag.adjusted_p < ERROR).collect()
}

impl Operation {
    /// Every implementation but one against that one, which stands for all: the upper median of what the other
    /// machine makes of them. Of two it is the one that fares better there.
    fn candidates(&self, other: usize, (first_label, other_label): (&str, &str)) -> Vec<Lag> {
        let mut moved: Vec<(&str, Interval)> = self
            .rows
            .iter()
            .filter(|row| row.cells[0].reason.is_none() && row.cells[other].reason.is_none())
            .filter_map(|row| {
                let (first, other) = (row.cells[0].figure?, row.cells[other].figure?);
                Some((row.implementation.as_str(), other.row.ratio_to(&first.row)))
            })
            .collect();
        moved.sort_by(|a, b| a.1.centre.total_cmp(&b.1.centre));
        let middle = moved.len() / 2;
        let Some((than, typical)) = moved.get(middle).copied() else { return Vec::new() };
        let lag = |(place, (implementation, ratio)): (usize, &(&str, Interval))| {
            let there = ratio.ratio_to(&typical);
            let is_there = place < middle;
            let (machine, other) =
                if is_there { (other_label, first_label) } else { (first_label, other_label) };
            Lag {
                operation: self.operation.clone(),
                threads: self.threads,
                implementation: (*implementation).to_owned(),
                machine: machine.to_owned(),
                other: other.to_owned(),
                than: than.to_owned(),
                ratio: if is_there { there } else { typical.ratio_to(ratio) },
                adjusted_p: 1.0,
            }
        };
        moved.iter().enumerate().filter(|(place, _)| *place != middle).map(lag).collect()
    }
}

#[cfg(test)]
mod tests;
