//! Tidy tables of a run: a row a sample, or a row an estimate.

use super::columns::{Batch, Column, float, int, text};
use doctor::{findings_of_run, validity_of};
use estimate::{Look, RunEstimate, ViewKind};
use judge::columns::{COLUMNS, Value};
use judge::compare::{CaseRole, RowResult, row_results};
use record::{Case, Run, Sample};

/// A row for each estimate: case by case, view by view. What something else measured has only one view.
pub fn estimates(run: &Run) -> Batch {
    let estimate = RunEstimate::of(run);
    let (results, _) = row_results(run, &estimate, &[]);
    let kinds: &[ViewKind] =
        if run.header.origin.is_some() { &[ViewKind::Imported] } else { &ViewKind::ALL };
    let shown = results.iter().filter(|row| row.role != CaseRole::CoRunner);
    let rows: Vec<Shown> =
        shown.flat_map(|row| kinds.iter().map(move |kind| (row, *kind))).collect();
    let header = &run.header;
    let validity = validity(run, &estimate);
    let of_run = [
        text("label", &rows, |_| Some(header.label.clone())),
        text("host", &rows, |_| header.host_key()),
        text("origin", &rows, |_| header.origin.as_ref().map(|origin| origin.tool.clone())),
        text("cpu", &rows, |_| header.machine.cpu.model.known().cloned()),
        text("suite", &rows, |_| Some(header.suite.clone())),
        text("validity", &rows, |_| Some(validity.clone())),
    ];
    let of_rows = COLUMNS.iter().filter_map(|column| Some(filled(column, column.name?, &rows)));
    Batch { columns: of_run.into_iter().chain(of_rows).collect() }
}

type Shown<'a> = (&'a RowResult, ViewKind);

/// A column of the registry with its values.
fn filled(column: &judge::columns::Column, name: &'static str, rows: &[Shown]) -> Column {
    match column.value {
        Value::Text(value) => text(name, rows, |(row, view)| value(row, *view)),
        Value::Threads(value) => {
            text(name, rows, |(row, view)| Some(value(row, *view)?.to_string()))
        }
        Value::Count(value) => int(name, rows, |(row, view)| value(row, *view)),
        _ => float(name, rows, |(row, view)| column.number(row, *view)),
    }
}

/// The grade of the whole run: readers of a table don't see what `sizeup show` says above it.
fn validity(run: &Run, estimate: &RunEstimate) -> String {
    validity_of(run, estimate, &findings_of_run(run, estimate)).grade.to_string()
}

/// A row for each sample, in the order in which they were taken.
pub fn samples(run: &Run) -> Batch {
    struct TidyRow<'a> {
        sample: &'a Sample,
        case: &'a Case,
        look: Option<&'a Look>,
    }
    let estimate = RunEstimate::of(run);
    let cases = &run.header.plan.cases;
    let row = |(sample, look): (_, _)| TidyRow { sample, case: &cases[sample.case], look };
    let rows: Vec<TidyRow> = estimate.in_order(run).map(row).collect();
    let header = &run.header;
    let validity = validity(run, &estimate);
    let ops =
        |row: &TidyRow| row.sample.measured.threads.iter().map(|thread| thread.ops).sum::<u64>();
    let sum = |row: &TidyRow, counter: fn(&record::ThreadSample) -> Option<u64>| {
        row.sample.measured.threads.iter().map(counter).sum::<Option<u64>>()
    };
    let columns = vec![
        text("label", &rows, |_| Some(header.label.clone())),
        text("host", &rows, |_| header.host_key()),
        text("suite", &rows, |_| Some(header.suite.clone())),
        text("validity", &rows, |_| Some(validity.clone())),
        text("workload", &rows, |row| Some(row.case.workload.clone())),
        text("variant", &rows, |row| row.case.variant.clone()),
        text("threads_asked", &rows, |row| Some(row.case.thread_spec.to_string())),
        int("threads", &rows, |row| Some(row.case.threads as u64)),
        int("bytes_per_op", &rows, |row| run.bytes_per_op(row.sample.case)),
        int("launch", &rows, |row| Some(row.sample.launch)),
        int("round", &rows, |row| Some(row.sample.round)),
        int("start_ns", &rows, |row| Some(row.sample.measured.start_ns)),
        int("end_ns", &rows, |row| Some(row.sample.measured.end_ns)),
        int("ops", &rows, |row| Some(ops(row))),
        float("ops_per_s", &rows, |row| Some(row.look?.throughput)),
        int("cpu_ns", &rows, |row| sum(row, |thread| thread.cpu_ns)),
        int("system_ns", &rows, |row| sum(row, |thread| thread.system_ns)),
        int("gc_ns", &rows, |row| sum(row, |thread| thread.gc_ns)),
        int("jit_ns", &rows, |row| sum(row, |thread| thread.jit_ns)),
        int("minor_faults", &rows, |row| sum(row, |thread| thread.minor_faults)),
        int("major_faults", &rows, |row| sum(row, |thread| thread.major_faults)),
        int("involuntary_switches", &rows, |row| sum(row, |thread| thread.involuntary_switches)),
        int("steal_ticks", &rows, |row| row.sample.steal_ticks),
        float("clock_hz", &rows, |row| Some(row.look?.clock_hz)),
        float("least_width", &rows, |row| {
            row.look?.threads.iter().map(estimate::ThreadLook::width).min_by(f64::total_cmp)
        }),
        text("outcome", &rows, |row| {
            run.outcome(row.sample.case).map(|outcome| outcome.outcome.to_string())
        }),
        text("disturbed_by", &rows, |row| {
            let causes: Vec<String> =
                row.look?.disturbances.iter().map(ToString::to_string).collect();
            (!causes.is_empty()).then(|| causes.join("; "))
        }),
    ];
    Batch { columns }
}
