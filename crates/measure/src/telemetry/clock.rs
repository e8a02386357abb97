//! The clock of all times in a run.

use nix::sys::time::TimeSpec;
use nix::time::{ClockId, clock_gettime};

/// `CLOCK_MONOTONIC`, which workers use as well; 0 where it shows what no run can hold.
pub fn monotonic_ns() -> u64 {
    clock_gettime(ClockId::CLOCK_MONOTONIC).map_or(0, ns_of)
}

/// 0 before the clock's start, where a virtual machine's or a container's clock was set wrong.
fn ns_of(time: TimeSpec) -> u64 {
    let ns = i128::from(time.tv_sec()) * 1_000_000_000 + i128::from(time.tv_nsec());
    u64::try_from(ns).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_before_its_start_shows_0_and_none_panics() {
        assert_eq!(ns_of(TimeSpec::new(2, 5)), 2_000_000_005);
        for seconds in [-1, i64::MIN, i64::MAX] {
            assert_eq!(ns_of(TimeSpec::new(seconds, 999_999_999)), 0);
        }
    }
}
