//! What CPUs did between two looks at the kernel's counters.

use machine::{CpuTimes, Elapsed, Fact};

/// What these CPUs did between two moments; `None` where the kernel doesn't tell.
pub fn elapsed(before: &Fact<CpuTimes>, after: &Fact<CpuTimes>, cpus: &[u32]) -> Option<Elapsed> {
    let mut cpus = cpus.to_vec();
    cpus.sort_unstable();
    cpus.dedup();
    after.known()?.since(before.known()?, &cpus).known().copied()
}
