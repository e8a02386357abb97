//! How a run goes: its cases, and how windows are taken.

use super::ThreadSpec;
use catalog::Mix;
use machine::{Placement, Topology};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How a run goes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Plan {
    /// Of all random choices.
    pub seed: u64,
    /// Half-width to reach, in parts per million of the estimate.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub precision_ppm: u64,
    /// Time for the whole run.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub budget_ns: u64,
    /// How windows are taken.
    pub timing: Timing,
    /// Cases by number.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub cases: Vec<Case>,
    /// What the cases are measured as, all at once; each is measured alone, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mix: Option<Mix>,
}

impl Plan {
    /// The numbers of threads of which some share a core with each other, as far as the kernel knows.
    pub fn thread_counts_on_shared_cores(&self, topology: &Topology) -> BTreeSet<usize> {
        let core_of: BTreeMap<u32, u32> =
            topology.cpus.iter().map(|cpu| (cpu.cpu, cpu.core_key())).collect();
        let shares = |case: &&Case| {
            let cores: BTreeSet<u32> =
                case.cpus.iter().map(|cpu| *core_of.get(cpu).unwrap_or(cpu)).collect();
            cores.len() < case.threads
        };
        self.cases.iter().filter(shares).map(|case| case.threads).collect()
    }
}

/// How windows are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Timing {
    /// Uncounted work before each window.
    pub settle_ns: u64,
    /// Least length of a window.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub window_ns: u64,
    /// Windows that a launch gives before a fresh one replaces it.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub rounds_per_launch: u64,
}

/// A workload on a number of threads, placed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Case {
    /// `OPERATION/IMPLEMENTATION`.
    #[cfg_attr(feature = "schema", schemars(with = "catalog::schema::WorkloadId"))]
    pub workload: String,
    /// As it was asked for; the same on machines of different size.
    pub thread_spec: ThreadSpec,
    /// As it is here.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub threads: usize,
    /// How CPUs are chosen.
    pub placement: Placement,
    /// The CPU of each thread, repeated in order if there are fewer CPUs than threads.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub cpus: Vec<u32>,
    /// The variant; `None` in a run without variants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(regex(pattern = crate::variant::NAME_PATTERN)))]
    pub variant: Option<String>,
    /// Whether it only tells what the machine was like meanwhile: once a minute, not scored.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reference: bool,
}

impl Case {
    /// The workload, with its variant if there is one.
    pub fn name(&self) -> String {
        match &self.variant {
            Some(variant) => format!("{} [{variant}]", self.workload),
            None => self.workload.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn thread_counts_that_fill_a_core_twice_are_known_from_the_topology() {
        let topology = Topology::with_siblings(4, |cpu| vec![cpu % 2, cpu % 2 + 2]);
        let case = |cpus: &[u32]| {
            let mut case = samples::header().plan.cases.remove(0);
            (case.threads, case.cpus) = (cpus.len(), cpus.to_vec());
            case
        };
        let mut plan = samples::header().plan;
        plan.cases = vec![case(&[0]), case(&[0, 1]), case(&[0, 1, 2])];
        assert_eq!(plan.thread_counts_on_shared_cores(&topology), [3].into());
        // Where the kernel does not tell, each CPU is a core.
        assert!(plan.thread_counts_on_shared_cores(&Topology::default()).is_empty());
    }
}
