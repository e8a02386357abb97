//! The worker's clocks, all in nanoseconds.

use std::mem::MaybeUninit;

/// Reads one of the system's clocks.
fn read(clock: libc::clockid_t) -> u64 {
    let mut time = MaybeUninit::<libc::timespec>::uninit();
    // SAFETY: the pointer is valid for one timespec; the call fails only for a clock that the system does not have,
    // and Linux has had all three since 2.6.12.
    let time = unsafe {
        let status = libc::clock_gettime(clock, time.as_mut_ptr());
        assert_eq!(status, 0, "clock_gettime({clock}) failed");
        time.assume_init()
    };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// `CLOCK_MONOTONIC`, which times samples: the same in every process.
#[must_use]
pub fn now_ns() -> u64 {
    read(libc::CLOCK_MONOTONIC)
}

/// CPU time of the calling thread.
#[must_use]
pub fn thread_cpu_ns() -> u64 {
    read(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// CPU time of all threads of the process.
pub(crate) fn process_cpu_ns() -> u64 {
    read(libc::CLOCK_PROCESS_CPUTIME_ID)
}

/// The cost of one [`now_ns`], loop included: the least mean of several short series, at least 1. The least, because
/// other activity on the machine can only lengthen a series.
pub(crate) fn cost_ns(between: impl Fn()) -> u64 {
    const SERIES: usize = 16;
    const READINGS: u64 = 128;
    (0..SERIES)
        .map(|_| {
            let start = now_ns();
            for _ in 0..READINGS {
                std::hint::black_box(now_ns());
                between();
            }
            (now_ns() - start) / READINGS
        })
        .min()
        .unwrap_or(0)
        .max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_never_runs_backwards() {
        let readings: Vec<u64> = (0..10_000).map(|_| now_ns()).collect();
        assert!(readings.is_sorted());
    }
}
