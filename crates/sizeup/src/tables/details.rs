//! All that is known of each row of a run, and of the control workloads.

use super::ShowView;
use super::row_words::note;
use estimate::{HardwareEvents, KernelShare, TopDown, View, ViewKind};
use judge::compare::RowResult;
use judge::numbers::{dash, ghz, interval_width, quantity};
use table::{Heading, Table};

const MIB: f64 = (1 << 20) as f64;
/// Of fewer page faults in an op nobody needs to know how many.
const LEAST_PER_OP: f64 = 0.001;

/// A line a case with all that is known of it.
pub(super) fn details(view: &ShowView) -> Table {
    let mut table = Table::new([
        Heading::left("workload"),
        Heading::right("threads"),
        Heading::right("ops/s"),
        Heading::right("±"),
        Heading::right("MiB/s"),
        Heading::right("delivered"),
        Heading::right("±"),
        Heading::right("GHz"),
        Heading::right("per GHz"),
        Heading::right("CPU time"),
        Heading::right("in kernel"),
        Heading::right("faults/op"),
        Heading::right("instructions/op"),
        Heading::right("IPC"),
        Heading::right("branch misses/op"),
        Heading::right("LLC misses/op"),
        Heading::right("retiring/in vain/frontend/backend"),
        Heading::right("output bytes"),
        Heading::right("worker MiB"),
        Heading::right("W"),
        Heading::right("ops/J"),
        Heading::right("samples"),
        Heading::left("note"),
    ]);
    let judged = view.judged;
    for row in &view.rows {
        let per_ghz = row.estimate.as_ref().and_then(|estimate| estimate.per_ghz);
        let usage = row.usage();
        let events = usage.and_then(|usage| usage.events);
        let of_events = |of: &dyn Fn(&HardwareEvents) -> Option<f64>| {
            events.as_ref().and_then(of).map_or_else(String::new, count_of_op)
        };
        let mean = row.estimate.as_ref().and_then(|estimate| estimate.mean);
        table.row([
            row.key.name.clone(),
            row.key.threads.to_string(),
            centre(row.view(judged)),
            width(row.view(judged)),
            row.mib_per_s.map_or_else(String::new, quantity),
            mean.map_or_else(dash, quantity),
            width(row.view(ViewKind::Delivered)),
            row.clock_hz().map_or_else(dash, |clock_hz| ghz(&clock_hz)),
            centre(per_ghz),
            usage.map_or_else(String::new, |of| whole_percent(of.cpu_share)),
            usage.and_then(|of| of.kernel).map_or_else(String::new, |of| kernel_share(&of)),
            usage.and_then(|of| of.minor_faults_per_op).map_or_else(String::new, count_of_op),
            of_events(&|of| of.instructions_per_op),
            of_events(&|of| of.ipc()),
            of_events(&|of| of.branch_misses_per_op),
            of_events(&|of| of.llc_misses_per_op),
            events.and_then(|of| of.top_down).map_or_else(String::new, |of| slots(&of)),
            row.output_bytes.map_or_else(String::new, |bytes| quantity(bytes as f64)),
            usage.map_or_else(String::new, |of| quantity(of.resident_bytes / MIB)),
            row.powers.first().map_or_else(String::new, |of| quantity(of.watts.centre)),
            ops_per_joule(row, judged),
            row.estimate.as_ref().map_or_else(dash, |estimate| estimate.samples.to_string()),
            note(row),
        ]);
    }
    table
}

/// By the meter that sees most of the machine.
fn ops_per_joule(row: &RowResult, judged: ViewKind) -> String {
    let watts = row.powers.first().map(|power| power.watts);
    let ratio = row.view(judged).zip(watts).map(|(view, watts)| view.interval.ratio_to(&watts));
    ratio.map_or_else(String::new, |ratio| quantity(ratio.centre))
}

/// What the machine was like meanwhile.
pub(super) fn controls(view: &ShowView) -> Table {
    let mut table = Table::new([
        Heading::left("control"),
        Heading::right("ops/s"),
        Heading::right("±"),
        Heading::right("samples"),
    ]);
    for row in &view.controls {
        let estimate = row.estimate.as_ref();
        table.row([
            row.key.name.clone(),
            estimate.and_then(|e| e.mean).map_or_else(dash, quantity),
            width(row.view(ViewKind::Delivered)),
            estimate.map_or_else(dash, |e| e.samples.to_string()),
        ]);
    }
    table
}

/// `45/5/10/40 %`.
fn slots(of: &TopDown) -> String {
    let all = [of.retiring, of.bad_speculation, of.frontend_bound, of.backend_bound];
    format!("{} %", all.map(|share| format!("{:.0}", share * 100.0)).join("/"))
}

/// `98 %`.
fn whole_percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// `58 %`, or with its margin where that is not small: `3 % ±2`.
fn kernel_share(of: &KernelShare) -> String {
    let margin = of.margin * 100.0;
    let share = whole_percent(of.share);
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
