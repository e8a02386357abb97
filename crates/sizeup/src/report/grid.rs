//! The studies' shape: a row a workload, a column for each machine and number of threads.

use super::numbers::{dash, interval_width, quantity};
use super::printable;
use super::{ShowRow, ShowView, Table};
use crate::compare::distinct;
use crate::estimate::Warning;
use crate::record::ThreadSpec;
use std::fmt::Write;

/// A machine on a number of threads.
struct Column<'a> {
    label: &'a str,
    view: &'a ShowView,
    threads: ThreadSpec,
}

impl Column<'_> {
    fn row(&self, workload: &str) -> Option<&ShowRow> {
        self.view
            .rows
            .iter()
            .find(|row| row.workload == workload && row.thread_spec == self.threads)
    }

    fn name(&self) -> String {
        format!("{} on {}", printable(self.label), self.threads.in_words())
    }
}

/// The rows of runs side by side: MiB/s where bytes make sense, else ops/s, on own cores; then what has no figure, and
/// what must be known of the others.
pub fn grid_table(views: &[ShowView]) -> String {
    let labels = distinct(views.iter().map(|view| view.label.as_str()));
    let columns: Vec<Column> =
        views.iter().zip(&labels).flat_map(|(view, label)| columns_of(view, label)).collect();
    let mut heads = vec!["workload".to_owned(), "unit".to_owned()];
    heads.extend(
        columns.iter().flat_map(|column| [format!(">{}", column.name()), ">95 %".to_owned()]),
    );
    let mut table = Table::new(&heads.iter().map(String::as_str).collect::<Vec<_>>());
    let mut missing = String::new();
    for workload in workloads(views) {
        let rows: Vec<Option<&ShowRow>> = columns.iter().map(|c| c.row(workload)).collect();
        let has_bytes = rows.iter().flatten().any(|row| row.bytes_per_op.is_some());
        let unit = if has_bytes { "MiB/s" } else { "ops/s" };
        let cells = rows.iter().flat_map(|row| cell(*row, has_bytes));
        table.row([workload.to_owned(), unit.to_owned()].into_iter().chain(cells));
        for (column, row) in columns.iter().zip(&rows) {
            if let Some(why) = row.and_then(why_no_figure) {
                let name = column.name();
                let _ = writeln!(missing, "{workload}, {name}: {}", printable(&why));
            }
        }
    }
    let mut text = format!("{table}\nOn own cores, with 95 % intervals.\n{missing}");
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

/// A line for each thing that must be known of rows in a column, with the rows.
fn warnings(text: &mut String, column: &Column) {
    let rows = column.view.rows.iter().filter(|row| row.thread_spec == column.threads);
    let mut told: Vec<(String, Vec<&str>)> = Vec::new();
    for row in rows.clone() {
        for warning in row.estimate.iter().flat_map(|estimate| &estimate.warnings) {
            let Some(warning) = in_words(warning) else { continue };
            match told.iter_mut().find(|(known, _)| *known == warning) {
                Some((_, rows)) => rows.push(&row.workload),
                None => told.push((warning, vec![&row.workload])),
            }
        }
    }
    for (warning, of) in told {
        let of =
            if of.len() == rows.clone().count() { "all rows".to_owned() } else { of.join(", ") };
        let _ = writeln!(text, "{}: {warning}: {of}", column.name());
    }
}

/// The same words for rows in which the same is the matter.
fn in_words(warning: &Warning) -> Option<String> {
    match warning {
        Warning::Disturbed { cause, .. } => Some(format!("most windows disturbed: {cause}")),
        Warning::FewLaunches { .. } => {
            Some("too few launches: how processes differ is not in the interval".to_owned())
        }
        Warning::TooFewWindows { .. } => None, // their intervals are missing, and that is told
        warning => warning.is_about_figure().then(|| warning.to_string()),
    }
}

fn columns_of<'a>(view: &'a ShowView, label: &'a str) -> Vec<Column<'a>> {
    let mut columns: Vec<Column> = Vec::new();
    for row in &view.rows {
        if !columns.iter().any(|column| column.threads == row.thread_spec) {
            columns.push(Column { label, view, threads: row.thread_spec });
        }
    }
    columns.sort_by_key(|column| column.threads);
    columns
}

/// In the order in which they first come.
fn workloads(views: &[ShowView]) -> Vec<&str> {
    let mut workloads: Vec<&str> = Vec::new();
    for row in views.iter().flat_map(|view| &view.rows) {
        if !workloads.contains(&row.workload.as_str()) {
            workloads.push(&row.workload);
        }
    }
    workloads
}

/// Figure and width; empty where the machine was not asked.
fn cell(row: Option<&ShowRow>, has_bytes: bool) -> [String; 2] {
    let Some(row) = row else { return [String::new(), String::new()] };
    let own_core = row.own_core().filter(|_| row.fixed_rate_per_s.is_none());
    let figure = if has_bytes {
        own_core.and(row.mib_per_s)
    } else {
        own_core.map(|view| view.interval.centre)
    };
    let width = own_core.map_or_else(String::new, |view| interval_width(&view.interval));
    [figure.map_or_else(dash, quantity), width]
}

fn why_no_figure(row: &ShowRow) -> Option<String> {
    match (&row.outcome, row.own_core()) {
        (Some(outcome), _) => Some(format!("{}: {}", outcome.outcome, outcome.message)),
        _ if row.fixed_rate_per_s.is_some() => {
            Some("its rate is fixed; `sizeup show` has its latencies".to_owned())
        }
        (None, None) => Some("too few windows for an interval on own cores".to_owned()),
        (None, Some(_)) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Note;
    use crate::record::samples::run;

    /// The same in all samples but one: nothing that was measured has no spread.
    fn about(ops: u64) -> [u64; 20] {
        let mut all = [ops; 20];
        all[7] += 1;
        all
    }

    #[test]
    fn machines_stand_side_by_side_and_what_is_missing_is_told_below() {
        let view = |label: &str, rows: &[(&str, &[u64])]| {
            let mut run = run(rows);
            run.header.label = label.to_owned();
            ShowView::of(&run)
        };
        let views = [
            view("left", &[("a/x", &about(100)), ("b/x", &about(100))]),
            view("right", &[("a/x", &about(200)), ("c/x", &[100; 2])]),
        ];
        let table = grid_table(&views);
        let lines: Vec<Vec<&str>> = table
            .lines()
            .map(|line| line.split("  ").map(str::trim).filter(|c| !c.is_empty()).collect())
            .collect();
        assert_eq!(
            lines[0],
            ["workload", "unit", "left on 1 thread", "95 %", "right on 1 thread", "95 %"]
        );
        assert_eq!(lines[1], ["a/x", "MiB/s", "9,537", "±0.4 %", "19,073", "±0.2 %"]);
        assert_eq!(lines[2], ["b/x", "MiB/s", "9,537", "±0.4 %"]);
        assert_eq!(lines[3], ["c/x", "MiB/s", "–"]);
        assert!(
            table.contains(
                "\nc/x, right on 1 thread: too few windows for an interval on own cores\n"
            )
        );
    }

    #[test]
    fn what_must_be_known_of_rows_is_told_once_with_the_rows() {
        let mut run = run(&[("a/x", &[100; 20]), ("b/x", &[100; 20]), ("c/x", &[100; 20])]);
        run.header.label = "left".to_owned();
        for workload in ["a/x", "c/x"] {
            run.header.workloads.get_mut(workload).unwrap().starts_threads = true;
        }
        run.launches[1].ready.fixed_rate_per_s = Some(500);
        run.notes.push(Note::Changed);
        let table = grid_table(&[ShowView::of(&run)]);
        let below: Vec<&str> = table.lines().skip_while(|line| !line.is_empty()).skip(2).collect();
        assert_eq!(
            below[0],
            "b/x, left on 1 thread: its rate is fixed; `sizeup show` has its latencies"
        );
        let threads =
            "left on 1 thread: its library starts more threads, on the same CPUs: a/x, c/x";
        assert!(below.contains(&threads), "{table}");
        assert!(below.iter().any(|line| line.starts_with("note: left: ")), "{table}");
    }
}
