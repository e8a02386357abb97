//! A row of one of the two machines.

use crate::compare::{Group, RowKey, RowResult};
use catalog::Family;
use estimate::Usage;
use record::ThreadSpec;
use stats::Interval;

/// A row in a group, and the same workload there on one thread if the row is on more.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub group: &'a Group,
    pub row: usize,
    alone: Option<usize>,
}

impl<'a> Side<'a> {
    pub fn of(group: &'a Group, workload: &str, threads: ThreadSpec) -> Option<Self> {
        let find = |threads| group.find(&RowKey { name: workload.to_owned(), threads });
        let alone = (threads != ThreadSpec::Count(1)).then(|| find(ThreadSpec::Count(1)));
        Some(Self { group, row: find(threads)?, alone: alone.flatten() })
    }

    pub fn cores(self) -> Option<f64> {
        self.group.first_figure(self.row)?.cores.map(|cores| cores as f64)
    }

    pub fn per_ghz(self) -> Option<Interval> {
        self.group.per_ghz(self.row)
    }

    pub fn per_ghz_alone(self) -> Option<Interval> {
        self.group.per_ghz(self.alone?)
    }

    /// Instructions in an op, on one thread where that was measured, and whether the kernel's are among them.
    pub fn instructions(self) -> Option<(f64, bool)> {
        let events = usage(self.group, self.alone.unwrap_or(self.row))?.events?;
        Some((events.instructions_per_op?, events.kernel))
    }

    /// Whether its work is the kernel's.
    pub fn is_of_kernel(self) -> bool {
        is_of_kernel(self.group, self.row)
    }

    /// The share of CPU time outside the kernel, on one thread where that was measured.
    pub fn outside_kernel(self) -> Option<Interval> {
        self.group.outside_kernel(self.alone.unwrap_or(self.row))
    }
}

/// Whether a row's work is the kernel's.
pub(super) fn is_of_kernel(group: &Group, row: usize) -> bool {
    group.first_figure(row).is_some_and(|figure| figure.family == Some(Family::Kernel))
}

/// Usage reported by the first run that has the row.
pub(super) fn usage(group: &Group, row: usize) -> Option<Usage> {
    group.figures(row).find_map(RowResult::usage)
}
