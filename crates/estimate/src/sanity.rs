//! Sanity bounds: limits that no machine can exceed, or no sample should. A figure beyond one is wrong, however
//! narrow its interval.

use super::bound::Bound;
use super::case::CaseEstimate;
use super::look::Look;
use super::warning::Warning;
use record::{Run, Sample};
use stats::Interval;
use std::collections::{BTreeMap, BTreeSet};

/// Bytes that the widest cores load from their first-level cache in a cycle: two vectors of 64 bytes (Golden Cove and
/// its successors, Zen 5; Intel's optimization reference manual, AMD's optimization guide for family 1Ah).
/// Zen 4 and the Neoverse cores load at most half of that. An op reads or writes each of its bytes at
/// least once.
const MOST_BYTES_PER_CYCLE: f64 = 128.0;
/// A loop performs and counts ops one by one: none takes less than a cycle.
const MOST_OPS_PER_CYCLE: f64 = 1.0;
/// The share of a sample that reading the clock may take; see `docs/protocol.md`.
const MOST_CLOCK_SHARE: f64 = 0.001;
/// The share of time that counts within ops: their parts can't be made longer, as batches can.
const MOST_COUNTED_CLOCK_SHARE: f64 = 0.005;

/// Adds a warning to the estimate of each case for every bound that it exceeds.
pub(super) fn check(run: &Run, looks: &[Vec<Look>], cases: &mut [Option<CaseEstimate>]) {
    let clock_shares = clock_shares(run);
    let on_one_thread = on_one_thread(run);
    for case in 0..cases.len() {
        let Some(estimate) = &cases[case] else { continue };
        let found = [
            speed_up(run, case, estimate, cases, &on_one_thread),
            bytes_per_cycle(run, case, estimate, &looks[case]),
            ops_per_cycle(run, case, estimate, &looks[case]),
            clock_reading(
                clock_shares[case],
                run.ready_of(case).is_some_and(|ready| ready.counts_part),
            ),
        ];
        if let Some(estimate) = &mut cases[case] {
            estimate.warnings.extend(found.into_iter().flatten().map(Warning::OutOfBounds));
        }
    }
}

/// Threads of a case that can work at once.
fn at_once(run: &Run, case: usize) -> usize {
    let case = &run.header.plan.cases[case];
    case.threads.min(case.cpus.iter().collect::<BTreeSet<_>>().len())
}

/// The first case of each name that has one thread.
fn on_one_thread(run: &Run) -> BTreeMap<String, usize> {
    let plan = run.header.plan.cases.iter().enumerate();
    // The first of a name is inserted last.
    plan.rev().filter(|(_, case)| case.threads == 1).map(|(i, case)| (case.name(), i)).collect()
}

/// Against the same workload on one thread. Neighbours may have slowed down one thread more than several,
/// so all views that both have must agree.
fn speed_up(
    run: &Run,
    case: usize,
    estimate: &CaseEstimate,
    cases: &[Option<CaseEstimate>],
    on_one_thread: &BTreeMap<String, usize>,
) -> Option<Bound> {
    let planned = &run.header.plan.cases[case];
    let most = at_once(run, case);
    if planned.threads == 1 {
        return None;
    }
    let single = cases[*on_one_thread.get(&planned.name())?].as_ref()?;
    let ratio = |figure: fn(&CaseEstimate) -> Option<Interval>| -> Option<Interval> {
        Some(figure(estimate)?.ratio_to(&figure(single)?))
    };
    let delivered = ratio(|e| e.delivered.map(|view| view.interval))?;
    let uncontended = ratio(|e| e.uncontended.map(|view| view.interval));
    let is_beyond = |ratio: &Interval| ratio.low > most as f64;
    (is_beyond(&delivered) && uncontended.is_none_or(|ratio| is_beyond(&ratio)))
        .then_some(Bound::SpeedUp { speed_up: delivered.centre, most })
}

/// Lower bound of the ops per cycle and CPU of a case. An interrupted pulse makes a clock look slow, never fast, so
/// the fastest counts.
fn least_ops_per_cycle(
    run: &Run,
    case: usize,
    estimate: &CaseEstimate,
    looks: &[Look],
) -> Option<f64> {
    let clock_hz = looks.iter().map(|look| look.clock_hz).fold(0.0, f64::max);
    let ops = estimate.delivered?.interval.low / clock_hz / at_once(run, case) as f64;
    ops.is_finite().then_some(ops)
}

fn bytes_per_cycle(
    run: &Run,
    case: usize,
    estimate: &CaseEstimate,
    looks: &[Look],
) -> Option<Bound> {
    let bytes_per_op = run.ready_of(case)?.bytes_per_op?;
    let bytes = least_ops_per_cycle(run, case, estimate, looks)? * bytes_per_op as f64;
    (bytes > MOST_BYTES_PER_CYCLE)
        .then_some(Bound::BytesPerCycle { bytes, most: MOST_BYTES_PER_CYCLE })
}

fn ops_per_cycle(run: &Run, case: usize, estimate: &CaseEstimate, looks: &[Look]) -> Option<Bound> {
    let ops = least_ops_per_cycle(run, case, estimate, looks)?;
    (ops > MOST_OPS_PER_CYCLE).then_some(Bound::OpsPerCycle { ops, most: MOST_OPS_PER_CYCLE })
}

/// For each case, the share of its samples' time that went to reading the clock, once per batch or stretch; NaN without samples.
fn clock_shares(run: &Run) -> Vec<f64> {
    let ready: BTreeMap<u64, _> =
        run.launches.iter().map(|launch| (launch.launch, &launch.ready)).collect();
    let mut times_ns = vec![(0.0, 0.0); run.header.plan.cases.len()];
    for Sample { case, launch, measured, .. } in &run.samples {
        let Some(ready) = ready.get(launch) else { continue };
        let (clock_ns, all_ns) = &mut times_ns[*case];
        for thread in &measured.threads {
            let batches = thread.ops as f64 / ready.batch_ops as f64;
            // Half of the readings of a stretch that counts are in its time.
            let looks = thread.counted_stretches.map_or(batches, |stretches| stretches as f64);
            *clock_ns += looks * ready.clock_cost_ns as f64;
            *all_ns += thread.counted_ns.unwrap_or(thread.elapsed_ns) as f64;
        }
    }
    times_ns.into_iter().map(|(clock_ns, all_ns)| clock_ns / all_ns).collect()
}

fn clock_reading(share: f64, counts_part: bool) -> Option<Bound> {
    let most = if counts_part { MOST_COUNTED_CLOCK_SHARE } else { MOST_CLOCK_SHARE };
    (share > most).then_some(Bound::ClockReading { share, most })
}

#[cfg(test)]
mod tests;
