//! Rows on all threads, one after the other, each without pauses until it has settled.

use super::context::RunContext;
use super::launch::Checked;
use super::runner::Runner;
use crate::telemetry::elapsed;
use estimate::{Look, SustainedPoint, is_steady, span_ns};
use machine::CpuTimes;
use record::{Record, ThreadSpec, Timing, WriteError};
use std::time::{Duration, Instant};

/// Loads each row on all threads that was not loaded yet.
pub(super) fn sustain(
    cases: &mut [Runner],
    longest: Duration,
    run: &mut RunContext,
) -> Result<(), WriteError> {
    for case in cases {
        let is_row = case.case().is_row() && case.case().thread_spec == ThreadSpec::All;
        if is_row && !case.has_ended() && !case.was_sustained() && !run.is_stopped() {
            sustain_row(case, longest, run)?;
        }
    }
    Ok(())
}

fn sustain_row(
    row: &mut Runner,
    longest: Duration,
    run: &mut RunContext,
) -> Result<(), WriteError> {
    if !row.finish(run)? || !row.start(run)? {
        return Ok(());
    }
    let longest_ns = u64::try_from(longest.as_nanos()).unwrap_or(u64::MAX);
    let sample_ns = run.settings().plan.sustained_sample_ns();
    let timing = Timing { warmup_ns: 0, sample_ns, ..run.settings().plan.timing };
    let (end, mut points) = (Instant::now() + longest, Vec::new());
    while Instant::now() < end && !run.is_stopped() {
        let before = CpuTimes::read(run.settings().root);
        let Some(launch) = row.launch_mut() else { return Ok(()) };
        run.read_energy();
        let number = launch.number;
        let Checked { measured, stray, .. } = match launch.measure(&timing) {
            Ok(checked) => checked,
            Err(failure) => return row.fail(failure, run),
        };
        run.read_energy();
        let ticks = elapsed(&before, &CpuTimes::read(run.settings().root), &row.case().cpus);
        if stray.is_none()
            && let Err(failure) = run.count_sample(row.number(), &measured)
        {
            return row.fail(failure, run);
        }
        let sample = row.sample(number, measured, ticks, run.round());
        if let (None, Some(launch)) = (&stray, row.launch()) {
            points.push(SustainedPoint::of(&sample, &Look::of(&sample, &launch.ready)));
        }
        run.write(&Record::Sustained(Box::new(sample)))?;
        row.count_stray(stray, run)?;
        if row.has_ended() {
            return Ok(());
        }
        run.write_readings()?;
        run.flush_if_due()?;
        if is_steady(&points, run.heat(), span_ns(longest_ns)) {
            break;
        }
    }
    row.finish(run)?;
    run.flush()
}
