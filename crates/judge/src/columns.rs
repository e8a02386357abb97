//! The registry of columns: everything that tables and exports have of a row. `show --details`, CSV, Parquet, the report's page and the table of the
//! reference page are made of it.

use crate::compare::RowResult;
use estimate::{HardwareEvents, TimeShare, TopDown, View, ViewKind};
use record::ThreadSpec;
use stats::Interval;

/// A fact of a row.
#[derive(Debug)]
pub struct Column {
    /// Its name in CSV and Parquet, with its unit; `None` where only people read it.
    pub name: Option<&'static str>,
    /// Its heading in `show --details`; `None` where that lacks it.
    pub heading: Option<&'static str>,
    /// Its meaning, for the reference page.
    pub meaning: &'static str,
    /// How it is found and written.
    pub value: Value,
    /// Whether a row without it has a dash in `show --details`.
    pub is_of_each_row: bool,
    /// Whether the report's page has it.
    pub is_on_page: bool,
}

/// A value of a row in a view; `None` where it is not known.
type Get<T> = fn(&RowResult, ViewKind) -> Option<T>;

/// Values of a column, by how they are written.
#[derive(Debug)]
pub enum Value {
    /// Words.
    Text(Get<String>),
    /// A number of threads as it was asked for.
    Threads(Get<ThreadSpec>),
    /// A whole number.
    Count(Get<u64>),
    /// In four digits.
    Quantity(Get<f64>),
    /// For each op; next to none is 0.
    PerOp(Get<f64>),
    /// Bytes that people read in MiB.
    Memory(Get<f64>),
    /// In percent.
    Share(Get<f64>),
    /// In percent, with its margin.
    TimeShare(Get<TimeShare>),
    /// Four shares.
    TopDown(Get<TopDown>),
    /// In Hz; people read GHz.
    Clock(Get<Interval>),
    /// As a share of the figure.
    Margin(Get<f64>),
}

impl Column {
    const fn of(meaning: &'static str, value: Value) -> Self {
        let (name, heading) = (None, None);
        Self { name, heading, meaning, value, is_of_each_row: false, is_on_page: false }
    }

    const fn exported(name: &'static str, meaning: &'static str, value: Value) -> Self {
        Self { name: Some(name), ..Self::of(meaning, value) }
    }

    const fn shown(heading: &'static str, meaning: &'static str, value: Value) -> Self {
        Self::of(meaning, value).headed(heading)
    }

    const fn headed(self, heading: &'static str) -> Self {
        Self { heading: Some(heading), ..self }
    }

    const fn of_each_row(self) -> Self {
        Self { is_of_each_row: true, ..self }
    }

    const fn on_page(self) -> Self {
        Self { is_on_page: true, ..self }
    }

    /// Its value where that is one number.
    pub fn number(&self, row: &RowResult, view: ViewKind) -> Option<f64> {
        match self.value {
            Value::Text(_) | Value::Threads(_) | Value::TopDown(_) => None,
            Value::Count(value) => value(row, view).map(|count| count as f64),
            Value::TimeShare(value) => value(row, view).map(|time| time.share),
            Value::Clock(value) => value(row, view).map(|clock_hz| clock_hz.centre),
            Value::Quantity(value)
            | Value::PerOp(value)
            | Value::Memory(value)
            | Value::Share(value)
            | Value::Margin(value) => value(row, view),
        }
    }
}

/// All columns, in the order in which they are shown.
pub const COLUMNS: &[Column] = &[
    Column::exported("workload", "operation/implementation", Value::Text(|row, _| Some(row.workload.clone()))),
    Column::shown(
        "workload",
        "operation/implementation, with the variant if there is one",
        Value::Text(|row, _| Some(row.key.name.clone())),
    ),
    Column::exported("family", "the kind of work", Value::Text(|row, _| Some(row.family.as_ref()?.to_string()))),
    Column::exported("variant", "the variant, if the run has variants", Value::Text(|row, _| row.variant.clone())),
    Column::exported(
        "threads_asked",
        "how many threads run at once; `all` means all that may run here. A thread count that equals all is measured once, as \
         `all`",
        Value::Threads(|row, _| Some(row.key.threads)),
    )
    .headed("threads"),
    Column::exported("threads", "how many threads ran at once", Value::Count(|row, _| Some(row.threads as u64))),
    Column::exported("bytes_per_op", "input bytes of an op, where bytes make sense", Value::Count(|row, _| row.bytes_per_op)).on_page(),
    Column::exported(
        "view",
        "which samples the figure is of: `uncontended`, `delivered`, `per-ghz` or `imported`",
        Value::Text(|_, view| Some(view.to_string())),
    ),
    Column::exported("unit", "the figure's unit", Value::Text(unit)),
    Column::exported(
        "value",
        "*uncontended* operations per second, all threads together: the median of the samples without a neighbour on their \
         cores, at the row's clock. A sample is 50 ms of work. If no neighbour is detected, all samples count but disturbed \
         ones. Exports have a line for each view",
        Value::Quantity(|row, view| Some(row.view(view)?.interval.centre)),
    )
    .headed("ops/s")
    .of_each_row(),
    Column::shown(
        "±",
        "the margin of error: half the width of the 95 % confidence interval. ±2 %: with 95 % confidence, the true value is \
         within 2 % of the figure, if this run is typical of this machine",
        Value::Margin(|row, view| Some(row.view(view)?.interval.margin())),
    )
    .of_each_row(),
    Column::exported(
        "low",
        "the lower end of the 95 % confidence interval; nothing without an error bar",
        Value::Quantity(|row, view| Some(known(row, view)?.interval.low)),
    ),
    Column::exported("high", "the upper end of the 95 % confidence interval; nothing without an error bar", Value::Quantity(|row, view| Some(known(row, view)?.interval.high))),
    Column::exported(
        "mib_per_s",
        "ops/s × input bytes per op ÷ 2²⁰, where bytes make sense",
        Value::Quantity(|row, view| row.unit.mib_per_s(row.view(view)?.interval.centre, row.bytes_per_op)),
    )
    .headed("MiB/s"),
    Column::exported(
        "row_margin",
        "the margin of error without what all rows of the run share",
        Value::Margin(|row, view| Some(known(row, view)?.own.margin())),
    ),
    Column::exported(
        "run_effect_margin",
        "the margin that all rows of the run share ([run effect](methodology.md#the-interval))",
        Value::Margin(|row, view| Some(known(row, view)?.run_effect.margin)),
    ),
    Column::shown(
        "delivered",
        "the mean over all samples: what this machine delivered, neighbours included",
        Value::Quantity(|row, _| row.estimate.as_ref()?.mean),
    )
    .of_each_row(),
    Column::shown(
        "±",
        "the margin of error of `delivered`",
        Value::Margin(|row, _| Some(row.view(ViewKind::Delivered)?.interval.margin())),
    )
    .of_each_row(),
    Column::exported(
        "clock_hz",
        "the row's clock: the one at which its work ran. Wide vectors, heat or power limits can lower it below other rows'",
        Value::Clock(|row, _| row.clock_hz()),
    )
    .headed("GHz")
    .of_each_row()
    .on_page(),
    Column::shown(
        "per GHz",
        "ops/s divided by the row's clock: the work per cycle",
        Value::Quantity(|row, _| Some(row.view(ViewKind::PerGhz)?.interval.centre)),
    )
    .of_each_row(),
    Column::exported(
        "cpu_share",
        "the share of its CPUs' time that the work used: all of it unless it waits or others take them",
        Value::Share(|row, _| Some(row.usage()?.cpu_share)),
    )
    .headed("CPU time"),
    Column::exported(
        "kernel_share",
        "the share of its CPU time in the kernel, with a margin where that is not small",
        Value::TimeShare(|row, _| row.usage()?.kernel),
    )
    .headed("in kernel")
    .on_page(),
    Column::exported(
        "gc_share",
        "the share of the time for which collections of garbage stopped the threads",
        Value::TimeShare(|row, _| row.usage()?.collections),
    )
    .headed("in GC"),
    Column::exported(
        "jit_share",
        "the time of the runtime's compilers as a share of the time",
        Value::TimeShare(|row, _| row.usage()?.compilation),
    )
    .headed("in JIT"),
    Column::exported(
        "minor_faults_per_op",
        "page faults without I/O in an op",
        Value::PerOp(|row, _| row.usage()?.minor_faults_per_op),
    )
    .headed("faults/op")
    .on_page(),
    Column::exported(
        "major_faults_per_op",
        "page faults with I/O in an op",
        Value::PerOp(|row, _| row.usage()?.major_faults_per_op),
    ),
    Column::exported(
        "cycles_per_op",
        "cycles of an op, where there are [counters](methodology.md#kernel-time-and-counters) of events",
        Value::PerOp(|row, _| events(row)?.cycles_per_op),
    ),
    Column::exported("instructions_per_op", "instructions of an op", Value::PerOp(|row, _| events(row)?.instructions_per_op))
        .headed("instructions/op"),
    Column::shown("IPC", "instructions per cycle", Value::PerOp(|row, _| events(row)?.ipc())),
    Column::exported(
        "branch_misses_per_op",
        "mispredicted branches of an op",
        Value::PerOp(|row, _| events(row)?.branch_misses_per_op),
    )
    .headed("branch misses/op"),
    Column::exported(
        "l1d_misses_per_op",
        "reads of an op that missed the first-level data cache",
        Value::PerOp(|row, _| events(row)?.l1d_misses_per_op),
    ),
    Column::exported(
        "llc_misses_per_op",
        "misses of the last-level cache in an op, as the kernel's event `cache-misses` has them",
        Value::PerOp(|row, _| events(row)?.llc_misses_per_op),
    )
    .headed("LLC misses/op"),
    Column::exported(
        "dtlb_misses_per_op",
        "misses of the data TLB in an op",
        Value::PerOp(|row, _| events(row)?.dtlb_misses_per_op),
    ),
    Column::exported(
        "frontend_stalls_per_op",
        "cycles of an op in which no instruction could be fetched or decoded",
        Value::PerOp(|row, _| events(row)?.frontend_stalls_per_op),
    ),
    Column::exported(
        "backend_stalls_per_op",
        "cycles of an op in which the core waited for data or units",
        Value::PerOp(|row, _| events(row)?.backend_stalls_per_op),
    ),
    Column::shown(
        "retiring/bad spec/frontend/backend",
        "where issue slots went, on CPUs whose events say that",
        Value::TopDown(|row, _| events(row)?.top_down),
    ),
    Column::exported(
        "resident_bytes",
        "memory of the worker after its set-up: the median over launches",
        Value::Memory(|row, _| Some(row.usage()?.resident_bytes)),
    )
    .headed("worker MiB"),
    Column::exported("output_bytes", "the output of an op, where it has any", Value::Count(|row, _| row.output_bytes))
        .headed("output bytes")
        .on_page(),
    Column::shown(
        "W",
        "watts meanwhile, by the meter that sees most of the machine",
        Value::Quantity(|row, _| Some(row.powers.first()?.watts.centre)),
    ),
    Column::shown("ops/J", "operations per joule, by the same meter", Value::Quantity(ops_per_joule)),
    Column::exported("samples", "the number of samples", Value::Count(|row, _| Some(row.estimate.as_ref()?.samples as u64)))
        .headed("samples")
        .of_each_row(),
    Column::exported(
        "launches",
        "how often its worker was started",
        Value::Count(|row, _| Some(row.estimate.as_ref()?.launches as u64)),
    ),
    Column::exported("warnings", "caveats about the figure", Value::Text(|row, _| filled(row.warnings_in_words(|_| true)))),
    Column::exported("why_none", "why there is no figure", Value::Text(why_none)),
    Column::shown("note", "caveats about the figure, or why there is none", Value::Text(|row, _| filled(row.note()))),
];

fn unit(row: &RowResult, view: ViewKind) -> Option<String> {
    Some(match view {
        ViewKind::PerGhz => format!("{} per GHz", row.unit),
        _ => row.unit.to_string(),
    })
}

/// A single figure has no interval.
fn known(row: &RowResult, view: ViewKind) -> Option<View> {
    row.view(view).filter(|view| view.interval.is_known())
}

fn events(row: &RowResult) -> Option<HardwareEvents> {
    row.usage()?.events
}

fn ops_per_joule(row: &RowResult, view: ViewKind) -> Option<f64> {
    Some(row.view(view)?.interval.ratio_to(&row.powers.first()?.watts).centre)
}

fn why_none(row: &RowResult, view: ViewKind) -> Option<String> {
    match &row.outcome {
        Some(outcome) => Some(outcome.message.clone()),
        None => row.view(view).is_none().then(|| "too few samples for a figure".to_owned()),
    }
}

fn filled(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_two_columns_of_an_export_have_one_name() {
        let names: Vec<&str> = COLUMNS.iter().filter_map(|column| column.name).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{names:?}");
    }

    #[test]
    fn the_page_has_columns_of_numbers_only() {
        for column in COLUMNS.iter().filter(|column| column.is_on_page) {
            let is_number =
                !matches!(column.value, Value::Text(_) | Value::Threads(_) | Value::TopDown(_));
            assert!(is_number && column.name.is_some(), "{column:?}");
        }
    }
}
