//! A worker's answer when it is ready.

use super::build::WorkerBuild;
use super::counters::Counted;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

/// A worker's answer to `prepare`; see `docs/protocol.md`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Ready {
    /// Version of the worker protocol.
    #[schemars(range(min = 1))]
    pub protocol: u64,
    #[schemars(length(min = 1))]
    pub worker: String,
    /// The build, limited to what the workload uses.
    pub build: WorkerBuild,
    /// Input bytes per op; `null` where bytes make no sense.
    pub bytes_per_op: Option<u64>,
    /// Ops between two clock readings.
    #[schemars(range(min = 1))]
    pub batch_ops: u64,
    /// The cost of a clock reading, in ns.
    pub clock_cost_ns: u64,
    /// Resident memory after set-up.
    pub resident_bytes: u64,
    /// The check that the worker performed before it was ready, in words.
    pub verified: String,
    /// SHA-256 of an op's output, in hex; `null` if ops differ in their output or the worker does not report it.
    #[serde(default, deserialize_with = "sha256_or_null")]
    #[schemars(with = "Option<catalog::schema::Sha256>")]
    pub output_sha256: Option<String>,
    /// Length of that output in bytes.
    #[serde(default)]
    pub output_bytes: Option<u64>,
    /// Whether ops time a part of themselves, which alone counts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub counts_part: bool,
    /// The instructions of its pulse, a 1 ms core probe.
    pub pulse: PulseKernels,
    /// The instruction chain inside samples; absent if the worker has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chain: Option<ChainKernel>,
    /// Hardware events; absent where other processes do the work and from workers that count nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counters: Option<Counted>,
    /// Fixed request rate in ops/s, if there is one; such a row has latencies and no throughput.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub fixed_rate_per_s: Option<u64>,
    /// The parts of the work that other processes do, with their CPUs; the first is the one measured. Absent if the
    /// worker does the work itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    pub parts: Vec<Part>,
}

/// No instruction takes so many cycles.
const MOST_CYCLES_PER_OP: u64 = 1000;

impl Ready {
    /// Checks that a worker on these CPUs can give this answer.
    ///
    /// # Errors
    /// Names the impossible value.
    pub fn check(&self, cpus: &[u32]) -> Result<(), String> {
        if self.batch_ops == 0 {
            return Err("a batch has no ops".to_owned());
        }
        if self.bytes_per_op == Some(0) {
            return Err("an op of 0 bytes".to_owned());
        }
        match self.pulse.clock_cycles_per_op {
            1..=MOST_CYCLES_PER_OP => {}
            cycles => {
                return Err(format!("the clock pulse uses instructions of {cycles} cycles"));
            }
        }
        if let Some(counted) = &self.counters {
            counted.check()?;
        }
        if self.chain.is_some_and(|chain| chain.ops == 0) {
            return Err("a chain has no instructions".to_owned());
        }
        // A part uses CPUs of the case, unless it runs on another machine.
        if self.parts.first().is_some_and(|first| first.cpus.is_empty()) {
            return Err("the first part has no CPU".to_owned());
        }
        let mut cpus_of_parts = self.parts.iter().flat_map(|part| &part.cpus);
        if let Some(cpu) = cpus_of_parts.find(|cpu| !cpus.contains(cpu)) {
            return Err(format!("a part has CPU {cpu}, which does not belong to the case"));
        }
        if self.chain.is_some() && !self.parts.is_empty() {
            return Err("chains need a worker that does the work itself".to_owned());
        }
        Ok(())
    }

    /// Whether another machine does part of the work.
    pub fn is_partly_elsewhere(&self) -> bool {
        self.parts.iter().any(|part| part.cpus.is_empty())
    }
}

/// Processes that do one part of the work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Part {
    #[schemars(length(min = 1))]
    pub name: String,
    /// Its CPUs; empty if it runs on another machine.
    pub cpus: Vec<u32>,
}

/// Accepts only a SHA-256 in lower-case hex, because it is printed.
fn sha256_or_null<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(from)?;
    let is_digest = |text: &String| {
        text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    match text {
        Some(text) if !is_digest(&text) => {
            Err(D::Error::custom(format!("{text:?} is not a SHA-256 (64 lower-case hex digits)")))
        }
        text => Ok(text),
    }
}

/// A chain of the pulse's dependent instructions that measures the core clock inside a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ChainKernel {
    /// Number of instructions.
    #[schemars(range(min = 1))]
    pub ops: u64,
    /// The overhead of timing a chain, in ns.
    pub cost_ns: u64,
}

/// The instructions of a pulse.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PulseKernels {
    /// The dependent instruction.
    pub clock_kernel: String,
    /// Its latency in cycles.
    #[schemars(range(min = 1, max = 1000))]
    pub clock_cycles_per_op: u64,
    /// The independent instruction.
    pub width_kernel: String,
}
