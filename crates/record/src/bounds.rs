//! What a window's figures can be: bounds that hold for what workers tell and for what run files hold.

use super::cpu_time::{check_cpu_times, check_readings};
use super::flaw::Flaw;
use super::window::{Measured, Pulse, ThreadWindow};

/// No op takes less than a fraction of a clock cycle.
const MOST_OPS_PER_NS: u64 = 10;
/// No core has 20 GHz …
pub(super) const MOST_GHZ: u64 = 20;
/// … and none begins more than 16 instructions a cycle.
const MOST_WIDTH_OPS_PER_NS: u64 = 16 * MOST_GHZ;
/// A day: nobody waits that long for a window, and sums over threads can't overflow.
const LONGEST_WINDOW_NS: u64 = 86_400_000_000_000;

/// Whether a window's figures can be: the harness asks this of workers, too.
pub fn check_measured(window: &Measured, threads: usize) -> Result<(), Flaw> {
    check_shape(window, threads)?;
    check_latency(window)?;
    Flaw::gravest([check_readings(window), check_cpu_times(window)])
}

fn check_shape(window: &Measured, threads: usize) -> Result<(), String> {
    if window.threads.len() != threads {
        return Err(format!("the window has {} threads, not {threads}", window.threads.len()));
    }
    if window.start_ns >= window.end_ns || window.process_elapsed_ns == 0 {
        return Err("the window ends before it starts".to_owned());
    }
    let window_ns = window.length_ns();
    if let [alone] = &window.threads[..]
        && alone.elapsed_ns < window_ns - window_ns / 100
    {
        let elapsed_ns = alone.elapsed_ns;
        return Err(format!("the only thread worked {elapsed_ns} ns in {window_ns} ns"));
    }
    if window_ns > LONGEST_WINDOW_NS {
        return Err(format!("the window lasts {window_ns} ns, more than a day"));
    }
    for (number, thread) in window.threads.iter().enumerate() {
        check_thread(thread, window_ns, window.has_parts())
            .map_err(|what| format!("thread {number}: {what}"))?;
    }
    if window.threads.iter().all(|thread| thread.ops == 0) {
        return Err("no thread has any op".to_owned());
    }
    Ok(())
}

/// Buckets rise, hold something, and together what was due.
fn check_latency(window: &Measured) -> Result<(), String> {
    let buckets = &window.latency;
    let window_ns = window.length_ns();
    if let Some(due) = window.due_ops.filter(|due| *due > window_ns * MOST_OPS_PER_NS) {
        return Err(format!("{due} ops were due in {window_ns} ns"));
    }
    let Some((longest_ns, _)) = buckets.last() else { return Ok(()) };
    if *longest_ns > LONGEST_WINDOW_NS {
        return Err(format!("a latency of {longest_ns} ns, more than a day"));
    }
    if !buckets.is_sorted_by(|a, b| a.0 < b.0) {
        return Err("the buckets of its latencies don't rise".to_owned());
    }
    let sum = buckets.iter().try_fold(0_u64, |sum, (_, count)| sum.checked_add(*count));
    if buckets.iter().any(|(_, count)| *count == 0) || sum != window.due_ops {
        let due = window.due_ops;
        return Err(format!("latencies of {sum:?} ops where {due:?} were due"));
    }
    Ok(())
}

fn check_thread(
    thread: &ThreadWindow,
    window_ns: u64,
    may_have_no_ops: bool,
) -> Result<(), String> {
    let ThreadWindow { ops, elapsed_ns, .. } = *thread;
    if (ops == 0 && !may_have_no_ops)
        || elapsed_ns == 0
        || ops > elapsed_ns.saturating_mul(MOST_OPS_PER_NS)
    {
        return Err(format!("{ops} ops in {elapsed_ns} ns"));
    }
    if elapsed_ns > window_ns {
        return Err(format!("{elapsed_ns} ns within a window of {window_ns} ns"));
    }
    let counters = [
        thread.cpu_ns,
        thread.minor_faults,
        thread.major_faults,
        thread.voluntary_switches,
        thread.involuntary_switches,
    ];
    if !may_have_no_ops && counters.contains(&None) {
        return Err("a counter that is not told".to_owned());
    }
    let silent =
        |p: &Pulse| p.clock_ops == 0 || p.clock_ns == 0 || p.width_ops == 0 || p.width_ns == 0;
    if silent(&thread.pulse_before) || silent(&thread.pulse_after) {
        return Err("a pulse without instructions or without time".to_owned());
    }
    let too_wide = |p: &Pulse| p.width_ops > p.width_ns.saturating_mul(MOST_WIDTH_OPS_PER_NS);
    if too_wide(&thread.pulse_before) || too_wide(&thread.pulse_after) {
        return Err("a pulse that is wider than any core".to_owned());
    }
    Ok(())
}

#[cfg(test)]
pub(super) mod tests;
