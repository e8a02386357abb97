//! Binds threads to CPUs.

use nix::sched::{CpuSet, sched_setaffinity};
use nix::unistd::Pid;

/// Binds the calling thread to a CPU.
pub(super) fn pin(cpu: u32) -> Result<(), String> {
    let mut set = CpuSet::new();
    set.set(cpu as usize)
        .and_then(|()| sched_setaffinity(Pid::from_raw(0), &set))
        .map_err(|e| format!("no thread can be bound to CPU {cpu}: {e}"))
}
