//! Tidy tables of a run: a row a sample, or a row an estimate.

use super::columns::{Batch, float, int, text};
use doctor::{findings_of_run, validity_of};
use estimate::{Look, RunEstimate, ViewKind};
use judge::compare::{CaseRole, RowResult, row_results};
use record::{Case, Run, Sample};

/// A row for each estimate: case by case, view by view. What something else measured has only one view.
pub fn estimates(run: &Run) -> Batch {
    type Shown<'a> = (&'a RowResult, ViewKind);
    let estimate = RunEstimate::of(run);
    let (results, _) = row_results(run, &estimate, &[]);
    let kinds: &[ViewKind] =
        if run.header.origin.is_some() { &[ViewKind::Imported] } else { &ViewKind::ALL };
    let shown = results.iter().filter(|row| row.role != CaseRole::CoRunner);
    let rows: Vec<Shown> =
        shown.flat_map(|row| kinds.iter().map(move |kind| (row, *kind))).collect();
    let header = &run.header;
    let validity = validity(run, &estimate);
    let view = |(row, kind): &Shown| row.view(*kind);
    // A single figure has no interval.
    let known = |row: &Shown| view(row).filter(|view| view.interval.is_known());
    let margin = |row: &Shown| known(row).map(|view| view.row.margin());
    let why = |row: &Shown| match &row.0.outcome {
        Some(outcome) => Some(outcome.message.clone()),
        None => view(row).is_none().then(|| "too few samples for a figure".to_owned()),
    };
    let usage = |row: &Shown| row.0.usage();
    let unit = |(row, kind): &Shown| match kind {
        ViewKind::PerGhz => format!("{} per GHz", row.unit),
        _ => row.unit.to_string(),
    };
    let columns = vec![
        text("label", &rows, |_| Some(header.label.clone())),
        text("host", &rows, |_| header.host_key()),
        text("origin", &rows, |_| header.origin.as_ref().map(|origin| origin.tool.clone())),
        text("cpu", &rows, |_| header.machine.cpu.model.known().cloned()),
        text("suite", &rows, |_| Some(header.suite.clone())),
        text("validity", &rows, |_| Some(validity.clone())),
        text("workload", &rows, |row| Some(row.0.workload.clone())),
        text("family", &rows, |row| Some(row.0.family.as_ref()?.to_string())),
        text("variant", &rows, |row| row.0.variant.clone()),
        text("threads_asked", &rows, |row| Some(row.0.key.threads.to_string())),
        int("threads", &rows, |row| Some(row.0.threads as u64)),
        int("bytes_per_op", &rows, |row| row.0.bytes_per_op),
        text("view", &rows, |row| Some(row.1.to_string())),
        text("unit", &rows, |row| Some(unit(row))),
        float("value", &rows, |row| Some(view(row)?.interval.centre)),
        float("low", &rows, |row| Some(known(row)?.interval.low)),
        float("high", &rows, |row| Some(known(row)?.interval.high)),
        float("mib_per_s", &rows, |row| {
            row.0.unit.mib_per_s(view(row)?.interval.centre, row.0.bytes_per_op)
        }),
        float("row_margin", &rows, margin),
        float("run_effect_margin", &rows, |row| Some(known(row)?.run_effect.margin)),
        float("clock_hz", &rows, |row| Some(row.0.clock_hz()?.centre)),
        float("cpu_share", &rows, |row| Some(usage(row)?.cpu_share)),
        float("kernel_share", &rows, |row| Some(usage(row)?.kernel?.share)),
        float("gc_share", &rows, |row| Some(usage(row)?.collections?.share)),
        float("jit_share", &rows, |row| Some(usage(row)?.compilation?.share)),
        float("minor_faults_per_op", &rows, |row| usage(row)?.minor_faults_per_op),
        float("major_faults_per_op", &rows, |row| usage(row)?.major_faults_per_op),
        float("cycles_per_op", &rows, |row| usage(row)?.events?.cycles_per_op),
        float("instructions_per_op", &rows, |row| usage(row)?.events?.instructions_per_op),
        float("branch_misses_per_op", &rows, |row| usage(row)?.events?.branch_misses_per_op),
        float("l1d_misses_per_op", &rows, |row| usage(row)?.events?.l1d_misses_per_op),
        float("llc_misses_per_op", &rows, |row| usage(row)?.events?.llc_misses_per_op),
        float("dtlb_misses_per_op", &rows, |row| usage(row)?.events?.dtlb_misses_per_op),
        float("frontend_stalls_per_op", &rows, |row| usage(row)?.events?.frontend_stalls_per_op),
        float("backend_stalls_per_op", &rows, |row| usage(row)?.events?.backend_stalls_per_op),
        float("resident_bytes", &rows, |row| Some(usage(row)?.resident_bytes)),
        int("output_bytes", &rows, |row| row.0.output_bytes),
        int("samples", &rows, |row| Some(row.0.estimate.as_ref()?.samples as u64)),
        int("launches", &rows, |row| Some(row.0.estimate.as_ref()?.launches as u64)),
        text("warnings", &rows, |row| {
            let texts: Vec<String> = row.0.warnings().iter().map(ToString::to_string).collect();
            (!texts.is_empty()).then(|| texts.join("; "))
        }),
        text("why_none", &rows, why),
    ];
    Batch { columns }
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
