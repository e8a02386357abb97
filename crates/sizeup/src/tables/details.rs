//! All that is known of each row of a run, and of the control workloads.

use super::ShowView;
use catalog::MIB;
use estimate::{TimeShare, TopDown, ViewKind};
use judge::columns::{COLUMNS, Column, Value};
use judge::compare::RowResult;
use judge::numbers::{dash, four_digits, ghz, percent};
use terminal::table::{Columns, Heading, Table};

/// Page faults and other events per op; rarer ones are not shown.
const LEAST_PER_OP: f64 = 0.001;

/// A line a case with all that is known of it.
pub(super) fn details(view: &ShowView) -> Table {
    let judged = view.judged;
    let shown = COLUMNS.iter().filter_map(|column| Some((column, column.heading?)));
    let columns = shown.fold(Columns::<&RowResult>::new(), |columns, (column, heading)| {
        let heading = match column.value {
            Value::Text(_) => Heading::left(heading),
            _ => Heading::right(heading),
        };
        columns.with(heading, move |row| cell(column, row, judged))
    });
    columns.table(&view.rows)
}

fn cell(column: &Column, row: &RowResult, view: ViewKind) -> String {
    let text = match column.value {
        Value::Text(value) => value(row, view),
        Value::Threads(value) => value(row, view).map(|threads| threads.to_string()),
        Value::Count(value) => value(row, view).map(count),
        Value::Quantity(value) => value(row, view).map(four_digits),
        Value::PerOp(value) => value(row, view).map(count_of_op),
        Value::Memory(value) => value(row, view).map(|bytes| four_digits(bytes / MIB)),
        Value::Share(value) => value(row, view).map(whole_percent),
        Value::TimeShare(value) => value(row, view).map(time_share),
        Value::TopDown(value) => value(row, view).map(slots),
        Value::Clock(value) => value(row, view).map(|clock_hz| ghz(&clock_hz)),
        Value::Margin(value) => value(row, view).map(percent),
    };
    text.unwrap_or_else(|| if column.is_of_each_row { dash() } else { String::new() })
}

/// Control workloads, which show how steady the machine was during the run.
pub(super) fn controls(view: &ShowView) -> Table {
    Columns::<&RowResult>::new()
        .with(Heading::left("control"), |row| row.key.name.clone())
        .with(Heading::right("ops/s"), |row| {
            let mean = row.estimate.as_ref().and_then(|estimate| estimate.mean);
            mean.map_or_else(dash, four_digits)
        })
        .with(Heading::right("±"), |row| {
            let view = row.view(ViewKind::Delivered);
            view.map_or_else(dash, |view| percent(view.interval.margin()))
        })
        .with(Heading::right("samples"), |row| {
            row.estimate.as_ref().map_or_else(dash, |estimate| estimate.samples.to_string())
        })
        .table(&view.controls)
}

/// `45/5/10/40 %`.
fn slots(top_down: TopDown) -> String {
    let all = [
        top_down.retiring,
        top_down.bad_speculation,
        top_down.frontend_bound,
        top_down.backend_bound,
    ];
    format!("{} %", all.map(|share| format!("{:.0}", share * 100.0)).join("/"))
}

/// `98 %`.
fn whole_percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// `58 %`, or with its margin where that is not small: `3 % ±2`.
fn time_share(TimeShare { share, margin, .. }: TimeShare) -> String {
    let margin = margin * 100.0;
    let share = whole_percent(share);
    if margin < 0.5 { share } else { format!("{share} ±{margin:.0}") }
}

/// `5,222`, `0.31`, `0`.
fn count_of_op(count: f64) -> String {
    if count < LEAST_PER_OP { "0".to_owned() } else { four_digits(count) }
}

/// `5,222`, `31`.
fn count(number: u64) -> String {
    if number < 1000 { number.to_string() } else { four_digits(number as f64) }
}
