//! What a run is asked to do, and the cases that this comes to on a machine.

use super::threads::ThreadsAsked;
use catalog::{Mix, Suite};
use machine::Placement;
use record::{Timing, Variant};
use std::time::Duration;

/// A header names the CPU of each thread of each case: it stays below some 20 MB.
pub(super) const MOST_THREADS_OF_ALL: usize = 1 << 22;

/// What the user asks for.
#[derive(Debug, Clone)]
pub struct Ask {
    /// Which workloads.
    pub suite: Suite,
    /// What all workloads are measured as at once, too.
    pub mix: Option<Mix>,
    /// On how many threads each, where its category doesn't say.
    pub threads: Vec<ThreadsAsked>,
    /// In which settings each, the baseline first; none for the work as it is.
    pub variants: Vec<Variant>,
    /// On which CPUs.
    pub placement: Placement,
    /// Only on these CPUs.
    pub cpus: Option<Vec<u32>>,
    /// Half-width to reach, in parts per million.
    pub precision_ppm: u64,
    /// Time for the whole run.
    pub budget: Duration,
    /// How windows are taken.
    pub timing: Timing,
    /// Of all random choices.
    pub seed: u64,
}

/// An ask that this machine can't meet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// A CPU that is not there or not allowed.
    #[error("CPU {cpu} may not be used here, only {allowed}")]
    Cpu {
        /// Which.
        cpu: u32,
        /// Those that may.
        allowed: String,
    },
    /// A category's numbers of threads make no sense.
    #[error("the category {category:?}: {what}")]
    Threads {
        /// Whose.
        category: String,
        /// What is wrong.
        what: String,
    },
    /// No time for one window.
    #[error("the budget is shorter than one window with its settling")]
    Budget,
    /// One variant, or two of one name.
    #[error("variants are compared to the first: two or more of different names are needed")]
    Variants,
    /// More than a run file's header can hold.
    #[error(
        "that is {threads} threads in all cases together, and a run can have {MOST_THREADS_OF_ALL}: ask for fewer workloads or numbers of threads"
    )]
    TooMany {
        /// The sum over cases.
        threads: usize,
    },
    /// Nothing to do.
    #[error("the suite has no workload, or no number of threads was asked for")]
    Empty,
}
