//! The plan of a run: its cases, and how samples are taken.

use super::ThreadSpec;
use catalog::{Definition, Mix};
use machine::{IsaSwitch, Placement, Topology};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

const MS: u64 = 1_000_000;
const S: u64 = 1_000 * MS;
const DAY: u64 = 86_400 * S;

/// The plan of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Plan {
    /// Seed of all random choices.
    pub seed: u64,
    /// Target margin, in parts per million of the estimate.
    #[schemars(range(min = 1))]
    pub precision_ppm: u64,
    /// Time limit of the whole run, in ns.
    #[schemars(range(min = 1))]
    pub budget_ns: u64,
    pub timing: Timing,
    /// Cases; other records refer to them by index.
    #[schemars(length(min = 1))]
    pub cases: Vec<Case>,
    /// The mix that the cases form: all are also measured at the same time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mix: Option<Mix>,
    /// The mix that the cases form whose work all threads also go through, each from another place on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rolling: Option<Mix>,
    /// Instruction sets that libraries do without, as far as they have switches for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub isa: Vec<IsaSwitch>,
    /// How long each row on all threads is loaded without pauses at most, after all samples; in ns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sustain_ns: Option<u64>,
}

impl Plan {
    /// From 0.01 % to 50 %.
    pub const POSSIBLE_PRECISION_PPM: RangeInclusive<u64> = 100..=500_000;
    pub const POSSIBLE_BUDGET_NS: RangeInclusive<u64> = S..=7 * DAY;
    /// Samples under sustained load would be too short in less than a second.
    pub const POSSIBLE_SUSTAIN_NS: RangeInclusive<u64> = S..=DAY;

    /// Checks that the command line allows these values: nothing else writes the plan of a measured run.
    pub(super) fn check(&self) -> Result<(), String> {
        let Timing { warmup_ns, sample_ns, rounds_per_launch } = self.timing;
        let sustain_ns = self.sustain_ns.unwrap_or(*Self::POSSIBLE_SUSTAIN_NS.start());
        let all = [
            ("precision, in ppm,", self.precision_ppm, Self::POSSIBLE_PRECISION_PPM),
            ("budget, in ns,", self.budget_ns, Self::POSSIBLE_BUDGET_NS),
            ("warm-up, in ns,", warmup_ns, Timing::POSSIBLE_WARMUP_NS),
            ("sample time, in ns,", sample_ns, Timing::POSSIBLE_SAMPLE_NS),
            ("number of rounds per launch", rounds_per_launch, 1..=u64::MAX),
            ("sustained load, in ns,", sustain_ns, Self::POSSIBLE_SUSTAIN_NS),
        ];
        match all.into_iter().find(|(_, value, possible)| !possible.contains(value)) {
            None => Ok(()),
            Some((what, value, possible)) => {
                let (least, most) = possible.into_inner();
                Err(format!("the plan's {what} is {value}, not {least} … {most}"))
            }
        }
    }

    /// Whether its rows are also measured as a whole, of which none may be missing.
    pub fn has_whole(&self) -> bool {
        self.mix.is_some() || self.rolling.is_some()
    }

    /// The length of a sample under sustained load: a second, or a hundredth of a shorter load.
    pub fn sustained_sample_ns(&self) -> u64 {
        (self.sustain_ns.unwrap_or_default() / 100).clamp(1_000_000, 1_000_000_000)
    }

    /// The cases that run beside rows.
    pub fn co_runners(&self) -> impl Iterator<Item = (usize, &Case)> {
        self.cases.iter().enumerate().filter(|(_, case)| case.co_runner)
    }

    /// The thread counts at which some threads share a core, as far as the kernel knows.
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Timing {
    /// Warm-up before each sample, in ns; its ops are not counted.
    pub warmup_ns: u64,
    /// Least length of a sample, in ns.
    #[schemars(range(min = 1))]
    pub sample_ns: u64,
    /// Samples per launch; then a new process replaces it.
    #[schemars(range(min = 1))]
    pub rounds_per_launch: u64,
}

impl Timing {
    pub const POSSIBLE_WARMUP_NS: RangeInclusive<u64> = 0..=60 * S;
    pub const POSSIBLE_SAMPLE_NS: RangeInclusive<u64> = MS..=Self::MOST_WAIT_NS;
    /// The longest time that a worker gets for an answer, beyond the time requested of it.
    pub const MOST_WAIT_NS: u64 = 600 * S;

    /// How samples of a workload are taken: as the run says, unless its definition asks for longer ones, or for another
    /// number of them per launch.
    #[must_use]
    pub fn of(self, workload: &Definition) -> Self {
        let least_ns = workload.sample_ms.unwrap_or(0).saturating_mul(MS);
        Self {
            warmup_ns: self.warmup_ns,
            sample_ns: self.sample_ns.max(least_ns),
            rounds_per_launch: workload.rounds_per_launch.unwrap_or(self.rounds_per_launch),
        }
    }
}

/// A workload on a number of threads, placed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Case {
    /// `OPERATION/IMPLEMENTATION`.
    #[schemars(with = "catalog::schema::WorkloadId")]
    pub workload: String,
    /// As requested; the same on machines of different sizes.
    pub thread_spec: ThreadSpec,
    /// The number of threads on this machine.
    #[schemars(range(min = 1))]
    pub threads: usize,
    pub placement: Placement,
    /// The CPU of each thread, repeated in order if there are fewer CPUs than threads.
    #[schemars(length(min = 1))]
    pub cpus: Vec<u32>,
    /// The variant; `None` in a run without variants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = crate::variant::NAME_PATTERN))]
    pub variant: Option<String>,
    /// Whether it is a control workload: measured once a minute to track the machine's state, not scored.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub control: bool,
    /// Whether it runs beside rows, on CPUs that no row uses, and is never measured alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub co_runner: bool,
}

impl Case {
    /// Whether it is a row of the result.
    pub fn is_row(&self) -> bool {
        !self.control && !self.co_runner
    }

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
    use crate::fixture;

    #[test]
    fn the_topology_shows_which_thread_counts_share_cores() {
        let topology = Topology::with_siblings(4, |cpu| vec![cpu % 2, cpu % 2 + 2]);
        let case = |cpus: &[u32]| {
            let mut case = fixture::header().plan.cases.remove(0);
            (case.threads, case.cpus) = (cpus.len(), cpus.to_vec());
            case
        };
        let mut plan = fixture::header().plan;
        plan.cases = vec![case(&[0]), case(&[0, 1]), case(&[0, 1, 2])];
        assert_eq!(plan.thread_counts_on_shared_cores(&topology), [3].into());
        // Without a known topology, each CPU is a core.
        assert!(plan.thread_counts_on_shared_cores(&Topology::default()).is_empty());
    }
}
