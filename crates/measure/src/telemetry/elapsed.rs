//! CPU ticks between two readings of the kernel's counters.

use machine::{CpuTimes, Elapsed, Fact};

/// The ticks of these CPUs between two readings; `None` if the kernel doesn't report them.
pub fn elapsed(before: &Fact<CpuTimes>, after: &Fact<CpuTimes>, cpus: &[u32]) -> Option<Elapsed> {
    let mut cpus = cpus.to_vec();
    cpus.sort_unstable();
    cpus.dedup();
    after.known()?.since(before.known()?, &cpus).known().copied()
}
