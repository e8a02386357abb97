//! The studies' shape: a row a workload, a column for each machine and number of threads; of sweeps a row a workload and
//! number of threads, and a column for each machine.

use super::comparisons::view_in_words;
use super::{ShowRow, ShowView};
use catalog::Unit;
use estimate::{View, ViewKind, Warning};
use judge::compare::{Contention, MeasuredRows, Needs, distinct};
use judge::numbers::{dash, ghz, interval_width, quantity};
use judge::units::{in_unit, unit_in_words};
use record::ThreadSpec;
use std::fmt::Write;
use table::Table;
use terminal::printable;

/// With more numbers of threads than this on a machine, they stand in rows.
const MOST_ACROSS: usize = 4;

/// A machine, on a number of threads unless the lines have that.
struct GridColumn<'a> {
    label: &'a str,
    view: &'a ShowView,
    /// Of its figures.
    kind: ViewKind,
    threads: Option<ThreadSpec>,
}

/// A workload, on a number of threads unless the columns have that.
struct GridLine<'a> {
    workload: &'a str,
    threads: Option<ThreadSpec>,
}

impl<'a> GridColumn<'a> {
    fn rows(&self) -> impl Iterator<Item = &'a ShowRow> {
        let threads = self.threads;
        self.view.rows.iter().filter(move |row| threads.is_none_or(|of| row.thread_spec == of))
    }

    fn row(&self, line: &GridLine) -> Option<&'a ShowRow> {
        let is_it = |row: &&ShowRow| {
            row.workload == line.workload && line.threads.is_none_or(|of| row.thread_spec == of)
        };
        self.rows().find(is_it)
    }

    fn name(&self) -> String {
        let label = printable(self.label);
        self.threads.map_or_else(|| label.clone(), |of| format!("{label} on {}", of.in_words()))
    }

    /// Whether any row has a clock: nothing else measures one.
    fn has_clock(&self) -> bool {
        self.rows().any(|row| row.clock_hz().is_some())
    }

    /// The figure of a row; none where its rate is fixed, for that is no result.
    fn figure(&self, row: &ShowRow) -> Option<View> {
        row.view(self.kind).filter(|_| row.fixed_rate_per_s.is_none())
    }
}

/// The rows of runs side by side, in the view that is asked for, or uncontended ones unless too many rows lack these, but
/// imported ones as they are: MiB/s where bytes make sense, else what they count; then what has no figure, and what must be
/// known of the others.
pub fn grid_table(views: &[ShowView], asked: Option<ViewKind>) -> String {
    let labels = distinct(views.iter().map(|view| view.label.as_str()));
    let measured: Vec<MeasuredRows> =
        views.iter().zip(&labels).map(|(view, label)| view.measured(label)).collect();
    let contention = Contention::of(&measured, Needs::Most, asked);
    let kind = match &contention {
        Some(contention) if contention.falls_back => ViewKind::Delivered,
        _ => asked.unwrap_or(ViewKind::Uncontended),
    };
    let machines = views.iter().zip(&labels).map(|(view, label)| {
        let kind = if view.origin.is_some() { ViewKind::Imported } else { kind };
        GridColumn { label, view, kind, threads: None }
    });
    let machines: Vec<GridColumn> = machines.collect();
    let is_sweep = views.iter().any(|view| thread_specs(view).len() > MOST_ACROSS);
    let (columns, lines) = if is_sweep { by_threads(machines) } else { across(machines) };
    let mut heads = vec!["workload".to_owned()];
    heads.extend(is_sweep.then(|| ">threads".to_owned()));
    heads.push("unit".to_owned());
    for column in &columns {
        heads.extend([format!(">{}", column.name()), ">95 %".to_owned()]);
        heads.extend(column.has_clock().then(|| ">GHz".to_owned()));
    }
    let mut table = Table::new(&heads.iter().map(String::as_str).collect::<Vec<_>>());
    let mut missing = String::new();
    for line in &lines {
        let rows: Vec<Option<&ShowRow>> = columns.iter().map(|column| column.row(line)).collect();
        let (unit, figures) = in_one_unit(&columns, &rows);
        let mut cells = vec![line.workload.to_owned()];
        cells.extend(line.threads.map(|threads| threads.to_string()));
        cells.push(unit);
        for ((column, row), figure) in columns.iter().zip(&rows).zip(figures) {
            let of = row.and_then(|row| column.figure(row));
            cells.extend([figure, of.map_or_else(String::new, |of| interval_width(&of.interval))]);
            let clock_hz = row.and_then(|row| row.clock_hz());
            let clock = || clock_hz.map_or_else(String::new, |clock_hz| ghz(&clock_hz));
            cells.extend(column.has_clock().then(clock));
        }
        table.row(cells);
        for (column, row) in columns.iter().zip(&rows) {
            if let Some(why) = row.and_then(|row| why_no_figure(column, row)) {
                let on =
                    line.threads.map_or_else(String::new, |of| format!(" on {}", of.in_words()));
                let name = column.name();
                let _ = writeln!(missing, "{}, {name}{on}: {}", line.workload, printable(&why));
            }
        }
    }
    let lacking =
        contention.map_or_else(String::new, |of| format!("{}\n\n", printable(&of.to_string())));
    let mut text = format!("{lacking}{table}\n{}\n{missing}", what_it_shows(&columns));
    for column in &columns {
        warnings(&mut text, column);
    }
    for (label, note) in
        views.iter().zip(&labels).flat_map(|(v, l)| v.notes.iter().map(move |n| (l, n)))
    {
        let _ = writeln!(text, "note: {}: {}", printable(label), printable(note));
    }
    text
}

/// A column for each machine and number of threads, a line a workload.
fn across(machines: Vec<GridColumn>) -> (Vec<GridColumn>, Vec<GridLine>) {
    let lines: Vec<GridLine> = workloads(&machines)
        .into_iter()
        .map(|workload| GridLine { workload, threads: None })
        .collect();
    let columns = machines.into_iter().flat_map(|machine| {
        let of = move |threads| GridColumn { threads: Some(threads), ..machine };
        thread_specs(machine.view).into_iter().map(of)
    });
    (columns.collect(), lines)
}

/// A column a machine, a line for each workload and number of threads.
fn by_threads(machines: Vec<GridColumn>) -> (Vec<GridColumn>, Vec<GridLine>) {
    let mut lines = Vec::new();
    for workload in workloads(&machines) {
        let rows = machines.iter().flat_map(|machine| &machine.view.rows);
        let mut specs: Vec<ThreadSpec> =
            rows.filter(|row| row.workload == workload).map(|row| row.thread_spec).collect();
        specs.sort_unstable();
        specs.dedup();
        lines.extend(specs.into_iter().map(|of| GridLine { workload, threads: Some(of) }));
    }
    (machines, lines)
}

/// The unit of a line, and each machine's figure in it: empty where the machine was not asked. Figures that are in no unit
/// together have each its own behind it.
fn in_one_unit(columns: &[GridColumn], rows: &[Option<&ShowRow>]) -> (String, Vec<String>) {
    let asked: Vec<(&GridColumn, &ShowRow)> =
        columns.iter().zip(rows).filter_map(|(column, row)| Some((column, (*row)?))).collect();
    let has_figure = |(column, row): &&(&GridColumn, &ShowRow)| column.figure(row).is_some();
    let mut told: Vec<&ShowRow> = asked.iter().filter(has_figure).map(|(_, row)| *row).collect();
    if told.is_empty() {
        told.extend(asked.iter().map(|(_, row)| *row));
    }
    let has_bytes = told.iter().all(|row| row.unit.bytes_each(row.bytes_per_op).is_some());
    let is_one = has_bytes || told.iter().all(|row| row.unit == told[0].unit);
    let kind = columns.first().map_or(ViewKind::Uncontended, |column| column.kind);
    let unit = match told.first() {
        Some(_) if has_bytes => unit_in_words(&Unit::Bytes, kind),
        Some(row) if is_one => unit_in_words(&row.unit, kind),
        _ => String::new(),
    };
    let figures = columns.iter().zip(rows).map(|(column, row)| {
        let Some(row) = row else { return String::new() };
        let Some(figure) = column.figure(row) else { return dash() };
        let per_s = figure.interval.centre;
        match row.unit.mib_per_s(per_s, row.bytes_per_op).filter(|_| has_bytes) {
            Some(mib_per_s) => quantity(mib_per_s),
            None if is_one => in_unit(&row.unit, per_s),
            None => {
                format!("{} {}", in_unit(&row.unit, per_s), unit_in_words(&row.unit, column.kind))
            }
        }
    });
    (unit, figures.collect())
}

/// Of which view the figures are, and which of them have an interval.
fn what_it_shows(columns: &[GridColumn]) -> String {
    let mut kinds: Vec<ViewKind> = Vec::new();
    for column in columns {
        if !kinds.contains(&column.kind) {
            kinds.push(column.kind);
        }
    }
    let views: Vec<&str> = kinds.iter().map(|kind| view_in_words(*kind)).collect();
    let figures =
        columns.iter().flat_map(|column| column.rows().filter_map(|row| column.figure(row)));
    let is_known = |figure: View| figure.interval.margin().is_finite();
    let known: Vec<bool> = figures.map(is_known).collect();
    let intervals = match (known.contains(&true), known.contains(&false)) {
        (true, false) => "with 95 % intervals",
        (true, true) => "with 95 % intervals where these are known",
        (false, _) => "without intervals",
    };
    format!("Figures: {}, {intervals}.", views.join(" and "))
}

/// A line for each thing that must be known of rows in a column, with the rows.
fn warnings(text: &mut String, column: &GridColumn) {
    let mut told: Vec<(String, Vec<String>)> = Vec::new();
    for row in column.rows() {
        for warning in row.estimate.iter().flat_map(|estimate| &estimate.warnings) {
            let Some(warning) = in_words(warning) else { continue };
            let name = match column.threads {
                Some(_) => row.workload.clone(),
                None => format!("{} on {}", row.workload, row.thread_spec.in_words()),
            };
            match told.iter_mut().find(|(known, _)| *known == warning) {
                Some((_, rows)) => rows.push(name),
                None => told.push((warning, vec![name])),
            }
        }
    }
    for (warning, of) in told {
        let is_all = of.len() == column.rows().count();
        let of = if is_all { "all rows".to_owned() } else { of.join(", ") };
        let _ = writeln!(text, "{}: {warning}: {of}", column.name());
    }
}

/// The same words for rows in which the same is the matter.
fn in_words(warning: &Warning) -> Option<String> {
    match warning {
        Warning::Disturbed { cause, .. } => Some(format!("most samples disturbed: {cause}")),
        Warning::FewLaunches { .. } => {
            Some("too few launches: excludes variation between processes".to_owned())
        }
        Warning::TooFewSamples { .. } => None, // their intervals are missing, and that is told
        warning => warning.is_about_figure().then(|| warning.to_string()),
    }
}

/// Numbers of threads, the least first.
fn thread_specs(view: &ShowView) -> Vec<ThreadSpec> {
    let mut specs: Vec<ThreadSpec> = view.rows.iter().map(|row| row.thread_spec).collect();
    specs.sort_unstable();
    specs.dedup();
    specs
}

/// In the order in which they first come.
fn workloads<'a>(machines: &[GridColumn<'a>]) -> Vec<&'a str> {
    let mut workloads: Vec<&str> = Vec::new();
    for row in machines.iter().flat_map(|machine| &machine.view.rows) {
        if !workloads.contains(&row.workload.as_str()) {
            workloads.push(&row.workload);
        }
    }
    workloads
}

fn why_no_figure(column: &GridColumn, row: &ShowRow) -> Option<String> {
    match (&row.outcome, row.view(column.kind)) {
        (Some(outcome), _) => Some(format!("{}: {}", outcome.outcome, outcome.message)),
        _ if row.fixed_rate_per_s.is_some() => {
            Some("its rate is fixed; `sizeup show` has its latencies".to_owned())
        }
        (None, None) => {
            Some(format!("too few samples for an interval ({})", view_in_words(column.kind)))
        }
        (None, Some(_)) => None,
    }
}

#[cfg(test)]
mod tests;
