//! Plausible values of a sample, for workers' answers and run files alike.

use super::cpu_time::{check_cpu_times, check_readings};
use super::flaw::Flaw;
use super::sample::{Measured, MemoryPulse, Pulse, ThreadSample};

/// No op takes less than a fraction of a clock cycle.
const MOST_OPS_PER_NS: u64 = 10;
/// No core has 20 GHz …
pub(super) const MOST_GHZ: u64 = 20;
/// … and none begins more than 16 instructions a cycle.
const MOST_WIDTH_OPS_PER_NS: u64 = 16 * MOST_GHZ;
/// A day: no sample is that long, and sums over threads can't overflow.
const LONGEST_SAMPLE_NS: u64 = 86_400_000_000_000;

/// Nothing counts so much in a day, and sums over as many threads as a case can have stay in range.
const MOST_COUNT: u64 = 1 << 52;

/// Checks that a sample's figures are plausible.
pub fn check_measured(sample: &Measured, threads: usize) -> Result<(), Flaw> {
    check_shape(sample, threads)?;
    check_latency(sample)?;
    Flaw::gravest([check_readings(sample), check_cpu_times(sample)])
}

fn check_shape(sample: &Measured, threads: usize) -> Result<(), String> {
    if sample.threads.len() != threads {
        return Err(format!("the sample has {} threads, not {threads}", sample.threads.len()));
    }
    if sample.start_ns >= sample.end_ns || sample.process_elapsed_ns == 0 {
        return Err("the sample ends before it starts".to_owned());
    }
    let sample_ns = sample.length_ns();
    if let [alone] = &sample.threads[..]
        && alone.elapsed_ns < sample_ns - sample_ns / 100
    {
        let elapsed_ns = alone.elapsed_ns;
        return Err(format!("the only thread worked {elapsed_ns} ns of a {sample_ns} ns sample"));
    }
    if sample_ns > LONGEST_SAMPLE_NS {
        return Err(format!("the sample lasts {sample_ns} ns, more than a day"));
    }
    for (number, thread) in sample.threads.iter().enumerate() {
        check_thread(thread, sample_ns, sample.has_parts())
            .map_err(|what| format!("thread {number}: {what}"))?;
    }
    if sample.threads.iter().all(|thread| thread.ops == 0) {
        return Err("no thread has any ops".to_owned());
    }
    Ok(())
}

/// Buckets are ascending and not empty, and their counts add up to the ops that were due.
fn check_latency(sample: &Measured) -> Result<(), String> {
    let buckets = &sample.latency;
    let sample_ns = sample.length_ns();
    if let Some(due) = sample.due_ops.filter(|due| *due > sample_ns * MOST_OPS_PER_NS) {
        return Err(format!("{due} ops were due in {sample_ns} ns"));
    }
    let Some((longest_ns, _)) = buckets.last() else { return Ok(()) };
    if *longest_ns > LONGEST_SAMPLE_NS {
        return Err(format!("a latency of {longest_ns} ns, more than a day"));
    }
    if !buckets.is_sorted_by(|a, b| a.0 < b.0) {
        return Err("its latency buckets are not ascending".to_owned());
    }
    let sum = buckets.iter().try_fold(0_u64, |sum, (_, count)| sum.checked_add(*count));
    if buckets.iter().any(|(_, count)| *count == 0) || sum != sample.due_ops {
        let due = sample.due_ops;
        return Err(format!("latencies of {sum:?} ops, but {due:?} were due"));
    }
    Ok(())
}

fn check_thread(
    thread: &ThreadSample,
    sample_ns: u64,
    may_have_no_ops: bool,
) -> Result<(), String> {
    let ThreadSample { ops, elapsed_ns, .. } = *thread;
    if (ops == 0 && !may_have_no_ops)
        || elapsed_ns == 0
        || ops > elapsed_ns.saturating_mul(MOST_OPS_PER_NS)
    {
        return Err(format!("{ops} ops in {elapsed_ns} ns"));
    }
    if elapsed_ns > sample_ns {
        return Err(format!("{elapsed_ns} ns within a sample of {sample_ns} ns"));
    }
    let counters = [
        thread.cpu_ns,
        thread.minor_faults,
        thread.major_faults,
        thread.voluntary_switches,
        thread.involuntary_switches,
    ];
    if !may_have_no_ops && counters.contains(&None) {
        return Err("a counter is missing".to_owned());
    }
    if let Some(count) = counters.into_iter().flatten().find(|count| *count > MOST_COUNT) {
        return Err(format!("a counter of {count} is too large"));
    }
    let silent =
        |p: &Pulse| p.clock_ops == 0 || p.clock_ns == 0 || p.width_ops == 0 || p.width_ns == 0;
    if silent(&thread.pulse_before) || silent(&thread.pulse_after) {
        return Err("a pulse has no instructions or no time".to_owned());
    }
    let too_wide = |p: &Pulse| p.width_ops > p.width_ns.saturating_mul(MOST_WIDTH_OPS_PER_NS);
    if too_wide(&thread.pulse_before) || too_wide(&thread.pulse_after) {
        return Err("the pulse implies more instructions per cycle than any core has".to_owned());
    }
    if may_have_no_ops && (thread.gc_ns.is_some() || thread.jit_ns.is_some()) {
        return Err("the time of a runtime where other processes do the work".to_owned());
    }
    match (&thread.memory_before, &thread.memory_after) {
        (None, None) => Ok(()),
        (Some(before), Some(after)) if !may_have_no_ops => {
            check_memory(before).and_then(|()| check_memory(after))
        }
        (Some(_), Some(_)) => Err("a memory pulse where other processes do the work".to_owned()),
        _ => Err("a memory pulse on one side of the sample only".to_owned()),
    }
}

/// No memory gives a line, and no cache a word, in less than a cycle of any core.
fn check_memory(pulse: &MemoryPulse) -> Result<(), String> {
    let MemoryPulse { loads, loads_ns, lines, lines_ns } = *pulse;
    for (what, count, ns) in [("loads", loads, loads_ns), ("lines", lines, lines_ns)] {
        if count == 0 || ns == 0 || count > ns.saturating_mul(MOST_GHZ) {
            return Err(format!("a memory pulse of {count} {what} in {ns} ns"));
        }
    }
    Ok(())
}

#[cfg(test)]
pub(super) mod tests;
