//! What a window's figures can be: bounds that hold for what workers tell and for what run files hold.

use super::window::{Measured, PartWindow, Pulse, ThreadWindow};
use std::collections::BTreeSet;

/// The kernel tells a process's CPU time up to some ticks.
const CPU_TICKS_NS: u64 = 40_000_000;
/// CPU time may be this part more than elapsed time: they are read one after the other.
const CPU_TIME_SPARE: u64 = 50;
/// No op takes less than a fraction of a clock cycle.
const MOST_OPS_PER_NS: u64 = 10;
/// No core has 20 GHz, and none begins more than 16 instructions a cycle.
const MOST_CLOCK_OPS_PER_NS: u64 = 20;
const MOST_WIDTH_OPS_PER_NS: u64 = 16 * MOST_CLOCK_OPS_PER_NS;
/// Thread 0 may be stopped for a moment between its looks at the process's times and those at its own.
const LONGEST_STOP_NS: u64 = 1_000_000_000;
/// A day: nobody waits that long for a window, and sums over threads can't overflow.
const LONGEST_WINDOW_NS: u64 = 86_400_000_000_000;

/// Whether a window's figures can be: the harness asks this of workers, too.
pub fn check_measured(window: &Measured, threads: usize) -> Result<(), String> {
    if window.threads.len() != threads {
        return Err(format!("the window has {} threads, not {threads}", window.threads.len()));
    }
    if window.start_ns >= window.end_ns || window.process_elapsed_ns == 0 {
        return Err("the window ends before it starts".to_owned());
    }
    let window_ns = window.end_ns - window.start_ns;
    if let [alone] = &window.threads[..]
        && alone.elapsed_ns < window_ns - window_ns / 100
    {
        let elapsed_ns = alone.elapsed_ns;
        return Err(format!("the only thread worked {elapsed_ns} ns in {window_ns} ns"));
    }
    if window_ns > LONGEST_WINDOW_NS {
        return Err(format!("the window lasts {window_ns} ns, more than a day"));
    }
    if window.process_elapsed_ns > window_ns + LONGEST_STOP_NS {
        let elapsed_ns = window.process_elapsed_ns;
        return Err(format!("the process was looked at for {elapsed_ns} ns in {window_ns} ns"));
    }
    for (number, thread) in window.threads.iter().enumerate() {
        check_thread(thread, window_ns, window.has_parts())
            .map_err(|what| format!("thread {number}: {what}"))?;
    }
    if window.threads.iter().all(|thread| thread.ops == 0) {
        return Err("no thread has any op".to_owned());
    }
    for (number, part) in window.parts.iter().enumerate() {
        check_part(part, window_ns).map_err(|what| format!("part {number}: {what}"))?;
    }
    check_latency(window)?;
    check_cpu_times(window, window_ns)
}

/// No part has more CPU time than its CPUs gave, or was looked at for another time than the window's.
fn check_part(part: &PartWindow, window_ns: u64) -> Result<(), String> {
    let PartWindow { cpu_count, cpu_ns, elapsed_ns } = *part;
    if cpu_count == 0 || elapsed_ns == 0 || elapsed_ns > window_ns + LONGEST_STOP_NS {
        return Err(format!("{cpu_count} CPUs for {elapsed_ns} ns in a window of {window_ns} ns"));
    }
    if cpu_ns > most_cpu_ns(elapsed_ns.saturating_mul(cpu_count)) {
        return Err(format!("{cpu_ns} ns of CPU time on {cpu_count} CPUs in {elapsed_ns} ns"));
    }
    Ok(())
}

/// Buckets rise, hold something, and together what was due.
fn check_latency(window: &Measured) -> Result<(), String> {
    let buckets = &window.latency;
    let window_ns = window.end_ns - window.start_ns;
    if let Some(due) = window.due_ops.filter(|due| *due > window_ns * MOST_OPS_PER_NS) {
        return Err(format!("{due} ops were due in {window_ns} ns"));
    }
    if buckets.is_empty() {
        return Ok(());
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

/// Neither the process nor its working threads together have more CPU time than their CPUs gave.
fn check_cpu_times(window: &Measured, window_ns: u64) -> Result<(), String> {
    let cpu_count = match &window.threads[..] {
        [_] => 1,
        threads => threads.iter().map(|thread| thread.cpu).collect::<BTreeSet<_>>().len() as u64,
    };
    let of_threads_ns = window.threads.iter().filter_map(|thread| thread.cpu_ns).sum::<u64>();
    for (who, cpu_ns, elapsed_ns) in [
        ("the process", window.process_cpu_ns, window.process_elapsed_ns),
        ("the threads", of_threads_ns, window_ns),
    ] {
        let there_was_ns = elapsed_ns.saturating_mul(cpu_count);
        if cpu_ns > most_cpu_ns(there_was_ns) {
            return Err(format!(
                "{who} had {cpu_ns} ns of CPU time where there were {there_was_ns}"
            ));
        }
    }
    Ok(())
}

/// The most CPU time that can be told of so much elapsed time.
fn most_cpu_ns(elapsed_ns: u64) -> u64 {
    elapsed_ns.saturating_add(elapsed_ns / CPU_TIME_SPARE).saturating_add(CPU_TICKS_NS)
}

fn check_thread(
    thread: &ThreadWindow,
    window_ns: u64,
    may_have_no_ops: bool,
) -> Result<(), String> {
    let ThreadWindow { ops, elapsed_ns, cpu_ns, .. } = *thread;
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
        cpu_ns,
        thread.minor_faults,
        thread.major_faults,
        thread.voluntary_switches,
        thread.involuntary_switches,
    ];
    if !may_have_no_ops && counters.contains(&None) {
        return Err("a counter that is not told".to_owned());
    }
    if let Some(cpu_ns) = cpu_ns.filter(|ns| *ns > most_cpu_ns(elapsed_ns)) {
        return Err(format!("{cpu_ns} ns of CPU time in {elapsed_ns} ns"));
    }
    let silent =
        |p: &Pulse| p.clock_ops == 0 || p.clock_ns == 0 || p.width_ops == 0 || p.width_ns == 0;
    if silent(&thread.pulse_before) || silent(&thread.pulse_after) {
        return Err("a pulse without instructions or without time".to_owned());
    }
    let too_fast = |p: &Pulse| {
        p.clock_ops > p.clock_ns.saturating_mul(MOST_CLOCK_OPS_PER_NS)
            || p.width_ops > p.width_ns.saturating_mul(MOST_WIDTH_OPS_PER_NS)
    };
    if too_fast(&thread.pulse_before) || too_fast(&thread.pulse_after) {
        return Err("a pulse that is faster than any core".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::samples;
    use crate::record::{Record, Window};

    /// Two threads that did 5,000,000 ops in 50 ms each, on these CPUs.
    fn window(cpus: [u32; 2]) -> Measured {
        let Record::Window(Window { mut measured, .. }) = samples::window(1_000) else {
            unreachable!()
        };
        let ns = 50_000_000;
        measured.end_ns = measured.start_ns + ns;
        (measured.process_cpu_ns, measured.process_elapsed_ns) = (ns, ns);
        let thread = &mut measured.threads[0];
        (thread.ops, thread.elapsed_ns, thread.cpu_ns) = (5_000_000, ns, Some(ns / 2));
        measured.threads = cpus.map(|cpu| ThreadWindow { cpu, ..thread.clone() }).to_vec();
        measured
    }

    fn refusal(change: impl Fn(&mut Measured)) -> String {
        let mut window = window([0, 1]);
        change(&mut window);
        check_measured(&window, 2).unwrap_err()
    }

    #[test]
    fn what_workers_give_is_taken() {
        assert_eq!(check_measured(&window([0, 1]), 2), Ok(()));
        assert_eq!(check_measured(&window([0, 0]), 2), Ok(()));
        // The kernel counts in ticks, and a thread may be stopped between two looks.
        let mut coarse = window([0, 1]);
        coarse.process_cpu_ns = 140_000_000;
        assert_eq!(check_measured(&coarse, 2), Ok(()));
        let mut stopped = window([0, 1]);
        stopped.process_elapsed_ns = 900_000_000;
        assert_eq!(check_measured(&stopped, 2), Ok(()));
    }

    #[test]
    fn nobody_has_more_cpu_time_than_there_was() {
        let thread = refusal(|w| w.threads[1].cpu_ns = Some(92_000_000));
        assert_eq!(thread, "thread 1: 92000000 ns of CPU time in 50000000 ns");
        let process = refusal(|w| w.process_cpu_ns = 143_000_000);
        assert!(process.starts_with("the process had 143000000 ns of CPU time"), "{process}");
        let together = refusal(|w| {
            w.threads
                .iter_mut()
                .for_each(|thread| (thread.cpu, thread.cpu_ns) = (0, Some(50_000_000)));
        });
        assert!(together.starts_with("the threads had 100000000 ns of CPU time"), "{together}");
    }

    #[test]
    fn no_pulse_is_silent_or_faster_than_any_core() {
        let pulse = |clock_ns, width_ns| Pulse {
            clock_ops: 600_000,
            clock_ns,
            width_ops: 6_000_000,
            width_ns,
        };
        let refused = |pulse: Pulse| refusal(move |w| w.threads[1].pulse_after = pulse);
        assert!(refused(pulse(0, 400_000)).contains("without time"));
        assert!(refused(pulse(1, 400_000)).contains("faster than any core"));
        assert!(refused(pulse(500_000, 1)).contains("faster than any core"));
    }

    /// Of a server on CPU 0 with a client on CPU 1, at a rate.
    fn served(change: impl Fn(&mut Measured)) -> Result<(), String> {
        let mut window = window([0, 1]);
        let part = PartWindow { cpu_count: 1, cpu_ns: 30_000_000, elapsed_ns: 50_000_000 };
        window.parts = vec![part; 2];
        window.threads.iter_mut().for_each(|thread| thread.cpu_ns = None);
        window.threads[1].ops = 0;
        window.due_ops = Some(5);
        window.latency = vec![(100, 3), (101, 2)];
        change(&mut window);
        check_measured(&window, 2)
    }

    #[test]
    fn only_where_processes_have_parts_a_cpu_may_have_no_ops_and_tell_no_counters() {
        assert_eq!(served(|_| ()), Ok(()));
        assert!(served(|w| w.parts.clear()).is_err());
        assert_eq!(served(|w| w.threads[0].ops = 0).unwrap_err(), "no thread has any op");
        let untold = refusal(|w| w.threads[1].minor_faults = None);
        assert_eq!(untold, "thread 1: a counter that is not told");
    }

    #[test]
    fn parts_have_no_more_cpu_time_than_their_cpus_gave() {
        let too_much = served(|w| w.parts[1].cpu_ns = 92_000_000).unwrap_err();
        assert_eq!(too_much, "part 1: 92000000 ns of CPU time on 1 CPUs in 50000000 ns");
        assert!(served(|w| w.parts[0].cpu_count = 0).is_err());
        assert!(served(|w| w.parts[0].elapsed_ns = 2_000_000_000).is_err());
    }

    #[test]
    fn latencies_are_of_what_was_due() {
        assert!(served(|w| w.due_ops = Some(6)).unwrap_err().contains("Some(6) were due"));
        assert!(served(|w| w.due_ops = None).is_err());
        let many = served(|w| (w.due_ops, w.latency) = (Some(u64::MAX), vec![(1, u64::MAX)]));
        assert!(many.unwrap_err().contains("were due in 50000000 ns"));
        assert!(served(|w| w.latency = vec![(100, 5), (101, 0)]).is_err());
        assert!(served(|w| w.latency = vec![(101, 2), (100, 3)]).unwrap_err().contains("rise"));
        assert!(served(|w| w.latency = vec![(100, u64::MAX), (101, 6)]).is_err());
    }

    #[test]
    fn no_time_is_longer_than_the_window_and_no_window_longer_than_a_day() {
        let looked_at = refusal(|w| w.process_elapsed_ns = 1_050_000_001);
        assert!(looked_at.starts_with("the process was looked at for"), "{looked_at}");
        let endless = refusal(|w| {
            (w.start_ns, w.end_ns) = (0, u64::MAX);
            w.threads
                .iter_mut()
                .for_each(|t| (t.elapsed_ns, t.cpu_ns) = (u64::MAX, Some(u64::MAX)));
        });
        assert!(endless.ends_with("more than a day"), "{endless}");
    }
}
