//! Options of a run that the user requests.

use super::threads::ThreadsAsked;
use catalog::{Mix, Suite};
use machine::{IsaSwitch, Placement};
use record::{Timing, Variant};
use std::time::Duration;

/// Keeps the header, which lists the CPU of each thread of each case, below about 20 MB.
pub(super) const MOST_THREADS_OF_ALL: usize = 1 << 22;

/// A requested run, not planned yet.
#[derive(Debug, Clone)]
pub struct Ask {
    pub suite: Suite,
    /// The mix as which all workloads are also measured at once.
    pub mix: Option<Mix>,
    /// The mix through whose work all threads also go, each from another place on.
    pub rolling: Option<Mix>,
    /// Thread counts for categories without their own.
    pub threads: Vec<ThreadsAsked>,
    /// Variants, the baseline first; may be empty.
    pub variants: Vec<Variant>,
    /// How long each row on all threads is loaded without pauses, after all samples.
    pub sustain: Option<Duration>,
    /// Instruction sets that libraries do without.
    pub isa: Vec<IsaSwitch>,
    /// Each row is measured again beside these; may be empty.
    pub co_runners: Vec<CoRunners>,
    pub placement: Placement,
    /// Restricts the run to these CPUs.
    pub cpus: Option<Vec<u32>>,
    /// Target margin, in parts per million.
    pub precision_ppm: u64,
    /// Time limit of the whole run.
    pub budget: Duration,
    pub timing: Timing,
    /// Seed of all random choices.
    pub seed: u64,
}

/// Co-runners of one workload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoRunners {
    /// The ID.
    pub workload: String,
    /// Whether each row is measured beside 1, 2, 4, … of them, or only beside one on each free CPU.
    pub in_steps: bool,
}

/// Why this machine can't do what the user requests.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// A CPU that does not exist or is not allowed.
    #[error("CPU {cpu} is unavailable; allowed: {allowed}")]
    Cpu { cpu: u32, allowed: String },
    /// A category has invalid thread counts.
    #[error("the category {category:?}: {what}")]
    Threads { category: String, what: String },
    /// No time for one sample.
    #[error("the budget is shorter than one sample plus warm-up")]
    Budget,
    /// A variant switches SMT off where no two CPUs share a core.
    #[error("the variant {name:?} switches SMT off, but no two of these CPUs share a core")]
    NoSmt { name: String },
    /// One variant, or two of one name.
    #[error("a comparison needs at least two variants with different names")]
    Variants,
    /// Nowhere for co-runners to run.
    #[error("no core is left for co-runners: {}", in_the_way(*has_siblings))]
    NoFreeCore {
        /// Whether there are CPUs that no row uses.
        has_siblings: bool,
    },
    /// More than a run file's header can hold.
    #[error(
        "all cases together have {threads} threads; the limit is {MOST_THREADS_OF_ALL}. Choose fewer workloads or thread counts"
    )]
    TooMany {
        /// The sum over cases.
        threads: usize,
    },
    /// Nothing to do.
    #[error("nothing to measure: the suite has no workloads, or no thread count was given")]
    Empty,
}

fn in_the_way(has_siblings: bool) -> &'static str {
    if has_siblings {
        "the other CPUs share their cores with rows, so co-runners would take more than caches and memory"
    } else {
        "rows use all CPUs: use fewer, --threads 1"
    }
}
