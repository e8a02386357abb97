//! A window as it is kept: integers, each thread's share.

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use std::marker::PhantomData;

/// One timed stretch of a launch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(!from))]
#[serde(from = "FlatWindow")]
pub struct Window {
    /// Its launch.
    pub launch: u64,
    /// Its case.
    pub case: usize,
    /// Its round.
    pub round: u64,
    /// Clock ticks that the hypervisor gave to others, on the case's CPUs meanwhile; `null` if unknown.
    pub steal_ticks: Option<u64>,
    /// Clock ticks in which nothing ran on these CPUs meanwhile; left out if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idle_ticks: Option<u64>,
    /// All clock ticks of these CPUs meanwhile; left out if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_ticks: Option<u64>,
    /// What the worker measured.
    #[serde(flatten)]
    pub measured: Measured,
}

impl Window {
    /// No CPU was idle, or taken away, for longer than there was time.
    pub(super) fn check_ticks(&self) -> Result<(), String> {
        let (Some(idle), Some(total)) = (self.idle_ticks, self.total_ticks) else { return Ok(()) };
        let steal = self.steal_ticks.unwrap_or(0);
        if idle.saturating_add(steal) <= total {
            return Ok(());
        }
        Err(format!("its CPUs were idle for {idle} and taken away for {steal} of {total} ticks"))
    }
}

/// What a worker measured in a window; see `docs/protocol.md`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(extend("if" = { "not": { "required": ["parts"] } }, "then" = working_threads()))
)]
pub struct Measured {
    /// Earliest start of a thread's window.
    pub start_ns: u64,
    /// Latest end of a thread's window.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub end_ns: u64,
    /// CPU time of the process while thread 0 was in its window.
    pub process_cpu_ns: u64,
    /// Between the readings of the clock that enclose those of that CPU time.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub process_elapsed_ns: u64,
    /// Each thread's share.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub threads: Vec<ThreadWindow>,
    /// CPU time of the parts that `ready` named, in that order; none where the worker itself does the work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub parts: Vec<PartWindow>,
    /// Ops that were due in the window, where they become due at a rate whether or not earlier ones are done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due_ops: Option<u64>,
    /// How long each of these took, from when it was due: lower end of a bucket in ns, count. A bucket is at
    /// most a hundredth as wide as its lower end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<(u64, std::num::NonZeroU64)>"))]
    pub latency: Vec<(u64, u64)>,
}

/// What holds of threads that do the work themselves.
#[cfg(feature = "schema")]
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

/// A window as its line has it: what is flattened by serde is read by way of a tree, and files are mostly windows.
#[derive(Deserialize)]
struct FlatWindow {
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
    threads: Vec<ThreadWindow>,
    #[serde(default)]
    parts: Vec<PartWindow>,
    due_ops: Option<u64>,
    #[serde(default)]
    latency: Vec<(u64, u64)>,
}

/// A sequence with room for one thing at first: a vector that grows by itself starts with room for four, and of a
/// thousand files with windows of one thread most memory would be that.
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

impl From<FlatWindow> for Window {
    fn from(flat: FlatWindow) -> Self {
        let FlatWindow { launch, case, round, steal_ticks, idle_ticks, total_ticks, .. } = flat;
        let FlatWindow { start_ns, end_ns, .. } = flat;
        let FlatWindow { process_cpu_ns, process_elapsed_ns, threads, .. } = flat;
        let FlatWindow { parts, due_ops, latency, .. } = flat;
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

    /// Whether processes beside the worker do the work, so that threads are CPUs that these have.
    pub fn has_parts(&self) -> bool {
        !self.parts.is_empty()
    }
}

/// CPU time of a part's processes in a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PartWindow {
    /// CPUs that it has.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub cpu_count: u64,
    /// CPU time of all its processes.
    pub cpu_ns: u64,
    /// In how long a time.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub elapsed_ns: u64,
}

impl std::ops::Deref for Window {
    type Target = Measured;

    fn deref(&self) -> &Measured {
        &self.measured
    }
}

/// One thread's share of a window.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ThreadWindow {
    /// Where it was pinned.
    pub cpu: u32,
    /// Whole ops. On a CPU that is not of the part that is measured: none.
    pub ops: u64,
    /// Between the op boundaries.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub elapsed_ns: u64,
    /// The thread's CPU time. It and the counters are `null` where other processes do the work.
    pub cpu_ns: Option<u64>,
    /// Between the readings of the clock that enclose those of its CPU time.
    pub cpu_elapsed_ns: Option<u64>,
    /// Page faults without I/O.
    pub minor_faults: Option<u64>,
    /// Page faults with I/O.
    pub major_faults: Option<u64>,
    /// Times that it gave up the CPU.
    pub voluntary_switches: Option<u64>,
    /// Times that the CPU was taken from it.
    pub involuntary_switches: Option<u64>,
    /// The core before the window.
    pub pulse_before: Pulse,
    /// The core after the window.
    pub pulse_after: Pulse,
    /// How long each chain of instructions took that looked at the clock inside the window, in order. None where
    /// other processes do the work, and from workers that have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 9), inner(range(min = 1))))]
    pub chains_ns: Vec<u64>,
}

/// A millisecond's look at a core.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pulse {
    /// Dependent instructions.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub clock_ops: u64,
    /// How long they took.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub clock_ns: u64,
    /// Independent instructions.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub width_ops: u64,
    /// How long they took.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub width_ns: u64,
}
