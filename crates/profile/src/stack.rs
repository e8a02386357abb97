//! Stack samples, as both profilers take them.

use std::ops::RangeInclusive;

/// A thread's stack at one moment, the innermost frame first.
#[derive(Debug, Clone, PartialEq)]
pub struct StackSample {
    /// On the monotonic clock.
    pub time_ns: u64,
    pub(crate) frames: Vec<StackFrame>,
}

/// One frame of a stack.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum StackFrame {
    /// The address of an instruction in the process; of callers, behind the call.
    User(u64),
    /// A function of the kernel, as `perf` names it.
    Kernel(String),
}

impl StackSample {
    /// Whether it was taken in one of these times.
    pub fn is_within(&self, times_ns: &[RangeInclusive<u64>]) -> bool {
        times_ns.iter().any(|time| time.contains(&self.time_ns))
    }
}
