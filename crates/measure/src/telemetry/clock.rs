//! The clock of all times in a run.

use nix::time::{ClockId, clock_gettime};

/// `CLOCK_MONOTONIC`, which workers use as well.
pub fn monotonic_ns() -> u64 {
    clock_gettime(ClockId::CLOCK_MONOTONIC)
        .map_or(0, |time| time.tv_sec() as u64 * 1_000_000_000 + time.tv_nsec() as u64)
}
