//! How much of its CPUs' time a worker had.

use record::{Measured, ThreadWindow};
use std::collections::BTreeSet;

/// The CPUs that a window's threads were on, each once.
pub(super) fn cpus_of(window: &Measured) -> BTreeSet<u32> {
    window.threads.iter().map(|thread| thread.cpu).collect()
}

/// How much of its CPUs' time the worker had, with the processes that it started and waited for. The runtime's other threads work on the same CPUs: that is the
/// worker's own CPU time. But the kernel tells the process's only up to the last tick, and that of its threads exactly.
/// Each is held against the time in which it was read, for threads end their windows one after the other.
pub(super) fn cpu_share(window: &Measured, cpus: usize) -> f64 {
    let share = |cpu_ns: u64, elapsed_ns: u64| cpu_ns as f64 / elapsed_ns as f64;
    let of_process = share(window.process_cpu_ns, window.process_elapsed_ns) / cpus as f64;
    let sum = |of: fn(&ThreadWindow) -> Option<u64>| window.threads.iter().filter_map(of).sum();
    // With more threads than CPUs they take turns, each with a part of its CPU.
    let each_has = window.threads.len() as f64 / cpus as f64;
    let of_threads = share(sum(|t| t.cpu_ns), sum(|t| t.cpu_elapsed_ns)) * each_has;
    of_process.max(of_threads)
}
