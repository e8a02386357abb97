//! All that is known of each row of a run, and of the control workloads.

use super::ShowView;
use super::row_words::note;
use estimate::{HardwareEvents, TimeShare, TopDown, View, ViewKind};
use judge::compare::RowResult;
use judge::numbers::{dash, ghz, interval_width, quantity};
use terminal::table::{Columns, Heading, Table};

const MIB: f64 = (1 << 20) as f64;
/// Page faults per op; rarer ones are not shown.
const LEAST_PER_OP: f64 = 0.001;

/// A line a case with all that is known of it.
pub(super) fn details(view: &ShowView) -> Table {
    let judged = view.judged;
    let events = |row: &&RowResult| row.usage().and_then(|usage| usage.events);
    let per_op = |event: fn(&HardwareEvents) -> Option<f64>| {
        move |row: &&RowResult| {
            events(row).as_ref().and_then(event).map_or_else(String::new, count_of_op)
        }
    };
    let some = |value: Option<f64>| value.map_or_else(String::new, quantity);
    Columns::<&RowResult>::new()
        .with(Heading::left("workload"), |row| row.key.name.clone())
        .with(Heading::right("threads"), |row| row.key.threads.to_string())
        .with(Heading::right("ops/s"), |row| centre(row.view(judged)))
        .with(Heading::right("±"), |row| width(row.view(judged)))
        .with(Heading::right("MiB/s"), |row| some(row.mib_per_s))
        .with(Heading::right("delivered"), |row| {
            let mean = row.estimate.as_ref().and_then(|estimate| estimate.mean);
            mean.map_or_else(dash, quantity)
        })
        .with(Heading::right("±"), |row| width(row.view(ViewKind::Delivered)))
        .with(Heading::right("GHz"), |row| row.clock_hz().map_or_else(dash, |hz| ghz(&hz)))
        .with(Heading::right("per GHz"), |row| centre(row.view(ViewKind::PerGhz)))
        .with(Heading::right("CPU time"), |row| {
            row.usage().map_or_else(String::new, |usage| whole_percent(usage.cpu_share))
        })
        .with(Heading::right("in kernel"), |row| {
            time_share(row.usage().and_then(|usage| usage.kernel))
        })
        .with(Heading::right("in GC"), |row| {
            time_share(row.usage().and_then(|usage| usage.collections))
        })
        .with(Heading::right("in JIT"), |row| {
            time_share(row.usage().and_then(|usage| usage.compilation))
        })
        .with(Heading::right("faults/op"), |row| {
            let faults = row.usage().and_then(|usage| usage.minor_faults_per_op);
            faults.map_or_else(String::new, count_of_op)
        })
        .with(Heading::right("instructions/op"), per_op(|events| events.instructions_per_op))
        .with(Heading::right("IPC"), per_op(HardwareEvents::ipc))
        .with(Heading::right("branch misses/op"), per_op(|events| events.branch_misses_per_op))
        .with(Heading::right("LLC misses/op"), per_op(|events| events.llc_misses_per_op))
        .with(Heading::right("retiring/bad spec/frontend/backend"), |row| {
            let slots_of = events(row).and_then(|events| events.top_down);
            slots_of.map_or_else(String::new, |top_down| slots(&top_down))
        })
        .with(Heading::right("output bytes"), |row| {
            some(row.output_bytes.map(|bytes| bytes as f64))
        })
        .with(Heading::right("worker MiB"), |row| {
            some(row.usage().map(|usage| usage.resident_bytes / MIB))
        })
        .with(Heading::right("W"), |row| some(row.powers.first().map(|power| power.watts.centre)))
        .with(Heading::right("ops/J"), |row| ops_per_joule(row, judged))
        .with(Heading::right("samples"), |row| samples(row))
        .with(Heading::left("note"), |row| note(row))
        .table(&view.rows)
}

fn samples(row: &RowResult) -> String {
    row.estimate.as_ref().map_or_else(dash, |estimate| estimate.samples.to_string())
}

/// By the meter that sees most of the machine.
fn ops_per_joule(row: &RowResult, judged: ViewKind) -> String {
    let watts = row.powers.first().map(|power| power.watts);
    let ratio = row.view(judged).zip(watts).map(|(view, watts)| view.interval.ratio_to(&watts));
    ratio.map_or_else(String::new, |ratio| quantity(ratio.centre))
}

/// Control workloads, which show how steady the machine was during the run.
pub(super) fn controls(view: &ShowView) -> Table {
    Columns::<&RowResult>::new()
        .with(Heading::left("control"), |row| row.key.name.clone())
        .with(Heading::right("ops/s"), |row| {
            let mean = row.estimate.as_ref().and_then(|estimate| estimate.mean);
            mean.map_or_else(dash, quantity)
        })
        .with(Heading::right("±"), |row| width(row.view(ViewKind::Delivered)))
        .with(Heading::right("samples"), |row| samples(row))
        .table(&view.controls)
}

/// `45/5/10/40 %`.
fn slots(top_down: &TopDown) -> String {
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
fn time_share(share: Option<TimeShare>) -> String {
    let Some(TimeShare { share, margin, .. }) = share else { return String::new() };
    let margin = margin * 100.0;
    let share = whole_percent(share);
    if margin < 0.5 { share } else { format!("{share} ±{margin:.0}") }
}

/// `5,222`, `0.31`, `0`.
fn count_of_op(count: f64) -> String {
    if count < LEAST_PER_OP { "0".to_owned() } else { quantity(count) }
}

fn centre(view: Option<View>) -> String {
    view.map_or_else(dash, |view| quantity(view.interval.centre))
}

fn width(view: Option<View>) -> String {
    view.map_or_else(dash, |view| interval_width(&view.interval))
}
