//! Tidy tables of a run: a row a window, or a row an estimate.

use super::columns::{Batch, float, int, text};
use estimate::{CaseEstimate, Look, RunEstimate, View, ViewKind};
use record::{Case, Run, Window};

/// A row for each estimate: case by case, view by view. What something else measured has only one view.
pub fn estimates(run: &Run) -> Batch {
    struct TidyRow<'a> {
        number: usize,
        case: &'a Case,
        kind: ViewKind,
        estimate: Option<&'a CaseEstimate>,
        view: Option<View>,
    }
    let estimate = RunEstimate::of(run);
    let kinds: &[ViewKind] =
        if run.header.origin.is_some() { &[ViewKind::Imported] } else { &ViewKind::ALL };
    let cases = run.header.plan.cases.iter().enumerate();
    let rows: Vec<TidyRow> = cases
        .flat_map(|(number, case)| {
            let estimate = estimate.cases[number].as_ref();
            kinds.iter().map(move |&kind| {
                let view = estimate.and_then(|estimate| estimate.view(kind));
                TidyRow { number, case, kind, estimate, view }
            })
        })
        .collect();
    let header = &run.header;
    // Of a single figure nothing tells how far it may be off: it has no ends.
    let known = |row: &TidyRow| row.view.filter(|view| view.interval.is_known());
    let half = |row: &TidyRow| known(row).map(|view| view.row.half());
    let why = |row: &TidyRow| match run.outcome(row.number) {
        Some(outcome) => Some(outcome.message.clone()),
        None => row.view.is_none().then(|| "too few windows for a figure".to_owned()),
    };
    let unit = |row: &TidyRow| match row.kind {
        ViewKind::PerClock => format!("{} per GHz", run.unit_of(row.number)),
        _ => run.unit_of(row.number).to_string(),
    };
    let columns = vec![
        text("label", &rows, |_| Some(header.label.clone())),
        text("host", &rows, |_| header.host_key()),
        text("origin", &rows, |_| header.origin.as_ref().map(|origin| origin.tool.clone())),
        text("cpu", &rows, |_| header.machine.cpu.model.known().cloned()),
        text("suite", &rows, |_| Some(header.suite.clone())),
        text("workload", &rows, |row| Some(row.case.workload.clone())),
        text("family", &rows, |row| Some(header.workloads[&row.case.workload].family.to_string())),
        text("variant", &rows, |row| row.case.variant.clone()),
        text("threads_asked", &rows, |row| Some(row.case.thread_spec.to_string())),
        int("threads", &rows, |row| Some(row.case.threads as u64)),
        int("bytes_per_op", &rows, |row| run.bytes_per_op(row.number)),
        text("view", &rows, |row| Some(row.kind.to_string())),
        text("unit", &rows, |row| Some(unit(row))),
        float("value", &rows, |row| Some(row.view?.interval.centre)),
        float("low", &rows, |row| Some(known(row)?.interval.low)),
        float("high", &rows, |row| Some(known(row)?.interval.high)),
        float("mib_per_s", &rows, |row| {
            let (unit, per_s) = (run.unit_of(row.number), row.view?.interval.centre);
            unit.mib_per_s(per_s, run.bytes_per_op(row.number))
        }),
        float("row_half", &rows, half),
        float("level_half", &rows, |row| Some(known(row)?.level.half)),
        float("clock_hz", &rows, |row| Some(row.estimate?.clock_hz?.centre)),
        int("windows", &rows, |row| Some(row.estimate?.windows as u64)),
        int("launches", &rows, |row| Some(row.estimate?.launches as u64)),
        text("warnings", &rows, |row| {
            let warnings = &row.estimate?.warnings;
            let told: Vec<String> = warnings.iter().map(ToString::to_string).collect();
            (!told.is_empty()).then(|| told.join("; "))
        }),
        text("why_none", &rows, why),
    ];
    Batch { columns }
}

/// A row for each window, in the order in which they were taken.
pub fn windows(run: &Run) -> Batch {
    struct TidyRow<'a> {
        window: &'a Window,
        case: &'a Case,
        look: Option<&'a Look>,
    }
    let estimate = RunEstimate::of(run);
    let cases = &run.header.plan.cases;
    let row = |(window, look): (_, _)| TidyRow { window, case: &cases[window.case], look };
    let rows: Vec<TidyRow> = estimate.in_order(run).map(row).collect();
    let header = &run.header;
    let ops =
        |row: &TidyRow| row.window.measured.threads.iter().map(|thread| thread.ops).sum::<u64>();
    let told = |row: &TidyRow, of: fn(&record::ThreadWindow) -> Option<u64>| {
        row.window.measured.threads.iter().map(of).sum::<Option<u64>>()
    };
    let columns = vec![
        text("label", &rows, |_| Some(header.label.clone())),
        text("host", &rows, |_| header.host_key()),
        text("suite", &rows, |_| Some(header.suite.clone())),
        text("workload", &rows, |row| Some(row.case.workload.clone())),
        text("variant", &rows, |row| row.case.variant.clone()),
        text("threads_asked", &rows, |row| Some(row.case.thread_spec.to_string())),
        int("threads", &rows, |row| Some(row.case.threads as u64)),
        int("bytes_per_op", &rows, |row| run.bytes_per_op(row.window.case)),
        int("launch", &rows, |row| Some(row.window.launch)),
        int("round", &rows, |row| Some(row.window.round)),
        int("start_ns", &rows, |row| Some(row.window.measured.start_ns)),
        int("end_ns", &rows, |row| Some(row.window.measured.end_ns)),
        int("ops", &rows, |row| Some(ops(row))),
        float("ops_per_s", &rows, |row| Some(row.look?.throughput)),
        int("cpu_ns", &rows, |row| told(row, |thread| thread.cpu_ns)),
        int("minor_faults", &rows, |row| told(row, |thread| thread.minor_faults)),
        int("major_faults", &rows, |row| told(row, |thread| thread.major_faults)),
        int("involuntary_switches", &rows, |row| told(row, |thread| thread.involuntary_switches)),
        int("steal_ticks", &rows, |row| row.window.steal_ticks),
        float("clock_hz", &rows, |row| Some(row.look?.clock_hz)),
        float("least_width", &rows, |row| {
            row.look?.threads.iter().map(estimate::ThreadLook::width).min_by(f64::total_cmp)
        }),
        text("outcome", &rows, |row| {
            run.outcome(row.window.case).map(|outcome| outcome.outcome.to_string())
        }),
        text("disturbed_by", &rows, |row| {
            let causes: Vec<String> =
                row.look?.disturbances.iter().map(ToString::to_string).collect();
            (!causes.is_empty()).then(|| causes.join("; "))
        }),
    ];
    Batch { columns }
}
