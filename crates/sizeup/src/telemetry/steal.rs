//! Steal: time that the hypervisor gave to others.

use crate::machine::{CpuTimes, Fact};

/// Ticks stolen from these CPUs between two moments; `None` where the kernel doesn't tell.
pub fn steal_ticks(before: &Fact<CpuTimes>, after: &Fact<CpuTimes>, cpus: &[u32]) -> Option<u64> {
    let mut cpus = cpus.to_vec();
    cpus.sort_unstable();
    cpus.dedup();
    let elapsed = after.known()?.since(before.known()?, &cpus);
    elapsed.known().map(|elapsed| elapsed.steal)
}
