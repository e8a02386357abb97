//! The share of its CPUs' time that a worker used.

use record::{Measured, ThreadSample};
use std::collections::BTreeSet;

/// The CPUs of a sample's threads, each once.
pub(super) fn cpus_of(sample: &Measured) -> BTreeSet<u32> {
    sample.threads.iter().map(|thread| thread.cpu).collect()
}

/// The share of its CPUs' time that the worker used, with the processes that it started and waited for. Other threads
/// of its runtime run on the same CPUs and count, too. The kernel reports the process's CPU time only up to the last
/// tick, but that of threads exactly. Each is divided by the time over which it was read, as threads end their samples
/// one after the other.
pub(super) fn cpu_share(sample: &Measured, cpus: usize) -> f64 {
    let share = |cpu_ns: u64, elapsed_ns: u64| cpu_ns as f64 / elapsed_ns as f64;
    let of_process = share(sample.process_cpu_ns, sample.process_elapsed_ns) / cpus as f64;
    let sum =
        |counter: fn(&ThreadSample) -> Option<u64>| sample.threads.iter().filter_map(counter).sum();
    // More threads than CPUs take turns, each with a part of its CPU.
    let each_has = sample.threads.len() as f64 / cpus as f64;
    let of_threads = share(sum(|t| t.cpu_ns), sum(|t| t.cpu_elapsed_ns)) * each_has;
    of_process.max(of_threads)
}
