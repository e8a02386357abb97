//! Warms up work in languages that compile while they run.

use sizeup_kit::{OpError, clock};

/// Long enough for many ops, and for a collector's pauses to be in each window.
const STRETCH_NS: u64 = 400_000_000;
/// Together two seconds.
const STEADY_WINDOWS: usize = 5;
const STEADY: f64 = 0.02;
/// On a busy machine windows never agree: six seconds without compilation are enough.
const QUIET_WINDOWS: usize = 15;
/// Unless a row has another.
pub(crate) const LONGEST_MS: u64 = 30_000;

/// Performs ops until the compilers have come to rest: in windows of two seconds together `compiled` did not change, and an op
/// took as much CPU time in each, within 2 %; or it did not change for six seconds, or the longest time is over.
pub(crate) fn warm_up(
    longest_ms: u64,
    mut op: impl FnMut() -> Result<(), OpError>,
    compiled: impl Fn() -> Result<u64, OpError>,
) -> Result<(), OpError> {
    let longest_ns = longest_ms * 1_000_000;
    let stretch_ns = STRETCH_NS.min(longest_ns);
    let start_ns = clock::now_ns();
    let mut windows = Windows::default();
    while clock::now_ns() - start_ns < longest_ns {
        let (from_ns, cpu_from_ns) = (clock::now_ns(), clock::thread_cpu_ns());
        let mut ops = 0;
        while ops == 0 || clock::now_ns() - from_ns < stretch_ns {
            op()?;
            ops += 1;
        }
        let cpu_ns = clock::thread_cpu_ns() - cpu_from_ns;
        if windows.are_over(compiled()?, cpu_ns as f64 / f64::from(ops)) {
            break;
        }
    }
    Ok(())
}

/// The last windows in which nothing was compiled.
#[derive(Default)]
struct Windows {
    compiled: u64,
    ns_per_op: Vec<f64>,
}

impl Windows {
    /// Adds a window.
    fn are_over(&mut self, compiled: u64, ns_per_op: f64) -> bool {
        if std::mem::replace(&mut self.compiled, compiled) != compiled {
            self.ns_per_op.clear();
        }
        self.ns_per_op.push(ns_per_op);
        let last = self.ns_per_op.len().checked_sub(STEADY_WINDOWS);
        let is_steady = last.is_some_and(|last| {
            let last = self.ns_per_op[last..].iter().copied();
            last.clone().fold(0.0, f64::max) <= (1.0 + STEADY) * last.fold(f64::INFINITY, f64::min)
        });
        is_steady || self.ns_per_op.len() == QUIET_WINDOWS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(windows: &[(u64, f64)]) -> bool {
        let mut seen = Windows::default();
        windows.iter().fold(false, |_, (compiled, ns)| seen.are_over(*compiled, *ns))
    }

    #[test]
    fn five_like_windows_without_compilation_are_steady() {
        assert!(after(&[(1, 90.0), (1, 100.0), (1, 101.0), (1, 102.0), (1, 100.5), (1, 101.5)]));
        assert!(!after(&[(1, 100.0), (1, 101.0), (1, 102.0), (1, 100.5)]));
    }

    #[test]
    fn what_was_compiled_or_took_longer_within_them_is_not() {
        assert!(!after(&[(1, 100.0), (1, 100.0), (2, 100.0), (2, 100.0), (2, 100.0)]));
        assert!(!after(&[(1, 100.0), (1, 100.0), (1, 103.0), (1, 100.0), (1, 100.0)]));
    }

    #[test]
    fn fifteen_unlike_windows_without_compilation_are_enough() {
        let windows: Vec<_> = (0..QUIET_WINDOWS).map(|at| (1, 100.0 + at as f64 * 3.0)).collect();
        assert!(after(&windows) && !after(&windows[1..]));
    }

    #[test]
    fn ops_are_performed_for_two_seconds_at_least_and_a_failure_ends_them() {
        let start_ns = clock::now_ns();
        warm_up(LONGEST_MS, || Ok(()), || Ok(1)).unwrap();
        assert!(clock::now_ns() - start_ns >= 5 * STRETCH_NS);
        let failure = || OpError::new("no");
        assert_eq!(warm_up(1, || Err(failure()), || Ok(1)), Err(failure()));
    }

    #[test]
    fn a_short_time_ends_it_after_a_few_ops_and_none_before_the_first() {
        let mut ops = 0;
        let mut op = || {
            ops += 1;
            Ok(())
        };
        warm_up(0, &mut op, || Ok(1)).unwrap();
        warm_up(1, &mut op, || Err(OpError::new("asked"))).unwrap_err();
        assert!(ops > 0);
    }
}
