//! Raw samples: integers, per thread.

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use std::marker::PhantomData;

/// One timed stretch of a launch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(!from)]
#[serde(from = "FlatSample")]
pub struct Sample {
    pub launch: u64,
    pub case: usize,
    pub round: u64,
    /// Steal ticks on the case's CPUs during the sample; `null` if unknown.
    pub steal_ticks: Option<u64>,
    /// Idle ticks on these CPUs during the sample; absent if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idle_ticks: Option<u64>,
    /// All ticks of these CPUs during the sample; absent if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_ticks: Option<u64>,
    #[serde(flatten)]
    pub measured: Measured,
}

impl Sample {
    /// Checks that CPUs were not idle or stolen for more than all their time.
    pub(super) fn check_ticks(&self) -> Result<(), String> {
        let (Some(idle), Some(total)) = (self.idle_ticks, self.total_ticks) else { return Ok(()) };
        let steal = self.steal_ticks.unwrap_or(0);
        if idle.saturating_add(steal) <= total {
            return Ok(());
        }
        Err(format!("its CPUs were idle for {idle} and stolen for {steal} of {total} ticks"))
    }
}

/// A worker's figures of one sample; see `docs/protocol.md`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(extend("if" = { "not": { "required": ["parts"] } }, "then" = working_threads()))]
pub struct Measured {
    /// Earliest start of a thread's sample.
    pub start_ns: u64,
    /// Latest end of a thread's sample.
    #[schemars(range(min = 1))]
    pub end_ns: u64,
    /// CPU time of the process during thread 0's sample.
    pub process_cpu_ns: u64,
    /// Elapsed time between the clock readings that enclose that CPU time.
    #[schemars(range(min = 1))]
    pub process_elapsed_ns: u64,
    #[schemars(length(min = 1))]
    pub threads: Vec<ThreadSample>,
    /// CPU time of the parts that `ready` lists, in that order; absent if the worker does the work itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    pub parts: Vec<PartSample>,
    /// Ops due in the sample, if they become due at a fixed rate whether or not earlier ones are finished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due_ops: Option<u64>,
    /// Latency histogram of these ops, from when each was due: lower bound of a bucket in ns, count. A bucket's width is
    /// at most 1 % of its lower bound.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<(u64, std::num::NonZeroU64)>")]
    pub latency: Vec<(u64, u64)>,
}

/// Constraints on threads that do the work themselves.
fn working_threads() -> serde_json::Value {
    let (count, positive) = (
        serde_json::json!({ "type": "integer" }),
        serde_json::json!({ "type": "integer", "minimum": 1 }),
    );
    serde_json::json!({ "properties": { "threads": { "items": { "properties": {
        "ops": positive,
        "cpu_ns": count,
        "cpu_elapsed_ns": positive,
        "minor_faults": count,
        "major_faults": count,
        "voluntary_switches": count,
        "involuntary_switches": count,
    } } } } })
}

/// A sample without nesting: serde parses flattened fields by way of a tree, which is slow, and files are mostly samples.
#[derive(Deserialize)]
struct FlatSample {
    launch: u64,
    case: usize,
    round: u64,
    steal_ticks: Option<u64>,
    idle_ticks: Option<u64>,
    total_ticks: Option<u64>,
    start_ns: u64,
    end_ns: u64,
    process_cpu_ns: u64,
    process_elapsed_ns: u64,
    #[serde(deserialize_with = "mostly_one")]
    threads: Vec<ThreadSample>,
    #[serde(default)]
    parts: Vec<PartSample>,
    due_ops: Option<u64>,
    #[serde(default)]
    latency: Vec<(u64, u64)>,
}

/// Reads a sequence with an initial capacity of one. A growing vector starts with four, which would waste most of the
/// memory of many single-threaded samples.
fn mostly_one<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Vec<T>, D::Error> {
    struct MostlyOne<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for MostlyOne<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
            f.write_str("a sequence")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Vec<T>, A::Error> {
            let mut sequence = Vec::with_capacity(1);
            while let Some(next) = from.next_element()? {
                sequence.push(next);
            }
            Ok(sequence)
        }
    }

    from.deserialize_seq(MostlyOne(PhantomData))
}

impl From<FlatSample> for Sample {
    fn from(flat: FlatSample) -> Self {
        let FlatSample { launch, case, round, steal_ticks, idle_ticks, total_ticks, .. } = flat;
        let FlatSample { start_ns, end_ns, .. } = flat;
        let FlatSample { process_cpu_ns, process_elapsed_ns, threads, .. } = flat;
        let FlatSample { parts, due_ops, latency, .. } = flat;
        let measured = Measured {
            start_ns,
            end_ns,
            process_cpu_ns,
            process_elapsed_ns,
            threads,
            parts,
            due_ops,
            latency,
        };
        Self { launch, case, round, steal_ticks, idle_ticks, total_ticks, measured }
    }
}

impl Measured {
    /// From the earliest start of a thread to the latest end of one.
    pub fn length_ns(&self) -> u64 {
        self.end_ns.saturating_sub(self.start_ns)
    }

    /// Whether other processes than the worker do the work, so that `threads` stands for their CPUs.
    pub fn has_parts(&self) -> bool {
        !self.parts.is_empty()
    }
}

/// CPU time of a part's processes in a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PartSample {
    /// Number of its CPUs.
    #[schemars(range(min = 1))]
    pub cpu_count: u64,
    /// CPU time of all its processes.
    pub cpu_ns: u64,
    /// Elapsed time over which that CPU time was measured, in ns.
    #[schemars(range(min = 1))]
    pub elapsed_ns: u64,
}

impl std::ops::Deref for Sample {
    type Target = Measured;

    fn deref(&self) -> &Measured {
        &self.measured
    }
}

/// One thread's share of a sample.
#[derive(
    Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
pub struct ThreadSample {
    /// The CPU that it is pinned to.
    pub cpu: u32,
    /// Completed ops; 0 on CPUs outside the measured part.
    pub ops: u64,
    /// Time between the first and last op boundary, in ns.
    #[schemars(range(min = 1))]
    pub elapsed_ns: u64,
    /// Time within it that counts, of work that times a part of each op: throughput is ops over this time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub counted_ns: Option<u64>,
    /// In how many stretches that time was timed, by two clock readings each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub counted_stretches: Option<u64>,
    /// The thread's CPU time, with that of processes that it started and waited for. This and the counters are `null` where
    /// there are parts.
    pub cpu_ns: Option<u64>,
    /// Elapsed time between the clock readings that enclose its CPU time.
    pub cpu_elapsed_ns: Option<u64>,
    /// The part of that CPU time in the kernel. Many kernels count it by their timer's ticks, so only sums over many samples
    /// mean anything. Absent where other threads do the work, or if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_ns: Option<u64>,
    /// For how long the collector of a language's runtime stopped the thread, by the clock. This and the next are absent where the
    /// worker can't tell, and where there are parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gc_ns: Option<u64>,
    /// For how long the runtime's compilers ran, all together, by the clock and on whichever thread; each compilation counts where
    /// it ends. Threads of one runtime all have what they saw of the same compilers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jit_ns: Option<u64>,
    /// Page faults without I/O, also of these processes.
    pub minor_faults: Option<u64>,
    /// Page faults with I/O.
    pub major_faults: Option<u64>,
    /// Voluntary context switches.
    pub voluntary_switches: Option<u64>,
    /// Involuntary context switches.
    pub involuntary_switches: Option<u64>,
    /// The pulse before the sample.
    pub pulse_before: Pulse,
    /// The pulse after the sample.
    pub pulse_after: Pulse,
    /// Duration of each instruction chain inside the sample, in order. Absent where other processes do the work and from
    /// workers without chains.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1, max = 9), inner(range(min = 1)))]
    pub chains_ns: Vec<u64>,
    /// The memory pulse before the sample. This and the one after it are absent from workers without memory pulses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_before: Option<MemoryPulse>,
    /// The memory pulse after the sample.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_after: Option<MemoryPulse>,
    /// For each of the launch's counter groups: the time for which it was enabled and the time for which it ran, in ns, then
    /// the counts. Where groups took turns, it ran for less than it was enabled.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counters: Vec<Vec<u64>>,
}

impl ThreadSample {
    /// Ops per second of the time that counts.
    pub fn ops_per_s(&self) -> f64 {
        self.ops as f64 * 1e9 / self.counted_ns.unwrap_or(self.elapsed_ns) as f64
    }
}

/// A probe of the last-level cache and the memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
pub struct MemoryPulse {
    /// Number of dependent loads of lines that were flushed from all caches before the sample.
    #[schemars(range(min = 1))]
    pub loads: u64,
    /// Their duration.
    #[schemars(range(min = 1))]
    pub loads_ns: u64,
    /// Number of lines of 64 bytes read from memory.
    #[schemars(range(min = 1))]
    pub lines: u64,
    /// The duration of reading them.
    #[schemars(range(min = 1))]
    pub lines_ns: u64,
}

/// A 1 ms core probe.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
pub struct Pulse {
    /// Number of dependent instructions.
    #[schemars(range(min = 1))]
    pub clock_ops: u64,
    /// Their duration.
    #[schemars(range(min = 1))]
    pub clock_ns: u64,
    /// Number of independent instructions.
    #[schemars(range(min = 1))]
    pub width_ops: u64,
    /// Their duration.
    #[schemars(range(min = 1))]
    pub width_ns: u64,
}
