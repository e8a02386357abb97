//! What a worker says when it is ready.

use super::build::WorkerBuild;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

/// A worker's answer to `prepare`; see `docs/protocol.md`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ready {
    /// The protocol that it speaks.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub protocol: u64,
    /// Its name.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub worker: String,
    /// What it is made of, as far as the workload uses it.
    pub build: WorkerBuild,
    /// Input bytes of one op.
    pub bytes_per_op: Option<u64>,
    /// Ops between two looks at the clock.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub batch_ops: u64,
    /// What a look at the clock costs.
    pub clock_cost_ns: u64,
    /// Resident memory with everything set up.
    pub resident_bytes: u64,
    /// What was checked.
    pub verified: String,
    /// The SHA-256 of what an op makes, in hex, where every op makes the same and the worker tells.
    #[serde(default, deserialize_with = "sha256_or_null")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<catalog::schema::Sha256>"))]
    pub output_sha256: Option<String>,
    /// The length of that output in bytes.
    #[serde(default)]
    pub output_bytes: Option<u64>,
    /// What its pulse is made of.
    pub pulse: PulseKernels,
    /// What a chain inside a window is; `None` for a worker that has no chains.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chain: Option<ChainKernel>,
    /// Ops that become due every second, where that is fixed: such a row tells latencies, and no throughput.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub fixed_rate_per_s: Option<u64>,
    /// The sides of work that other processes do, and their CPUs: the first is what is measured. None where the
    /// worker itself does the work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub parts: Vec<Part>,
}

/// No instruction takes so many cycles.
const MOST_CYCLES_PER_OP: u64 = 1000;

impl Ready {
    /// Whether a worker on these CPUs can be ready like this.
    ///
    /// # Errors
    /// What can't be, in words.
    pub fn check(&self, cpus: &[u32]) -> Result<(), String> {
        if self.batch_ops == 0 {
            return Err("a batch of no op".to_owned());
        }
        match self.pulse.clock_cycles_per_op {
            1..=MOST_CYCLES_PER_OP => {}
            cycles => {
                return Err(format!("a clock pulse of instructions that take {cycles} cycles"));
            }
        }
        if self.chain.is_some_and(|chain| chain.ops == 0) {
            return Err("a chain of no instruction".to_owned());
        }
        // Parts have CPUs of the case; only one that is on another machine has none.
        if self.parts.first().is_some_and(|first| first.cpus.is_empty()) {
            return Err("the first part has no CPU".to_owned());
        }
        let mut cpus_of_parts = self.parts.iter().flat_map(|part| &part.cpus);
        if let Some(cpu) = cpus_of_parts.find(|cpu| !cpus.contains(cpu)) {
            return Err(format!("a part has CPU {cpu}, which is not the case's"));
        }
        if self.chain.is_some() && !self.parts.is_empty() {
            return Err("chains between ops that other processes do".to_owned());
        }
        Ok(())
    }

    /// Whether another machine does a side of the work.
    pub fn is_partly_elsewhere(&self) -> bool {
        self.parts.iter().any(|part| part.cpus.is_empty())
    }
}

/// Processes that do one side of the work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Part {
    /// What it is.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub name: String,
    /// Its CPUs; none if it is on another machine.
    pub cpus: Vec<u32>,
}

/// A SHA-256 in lower-case hex and nothing else: it is shown.
fn sha256_or_null<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(from)?;
    let is_digest = |text: &String| {
        text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    match text {
        Some(text) if !is_digest(&text) => {
            Err(D::Error::custom(format!("{text:?} is no SHA-256 of 64 lower-case hex digits")))
        }
        text => Ok(text),
    }
}

/// A chain of the pulse's dependent instructions, which looks at the clock inside a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChainKernel {
    /// Instructions.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub ops: u64,
    /// How long a chain takes that is shorter by so many: what timing one costs.
    pub cost_ns: u64,
}

/// The instructions of a pulse.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PulseKernels {
    /// The dependent ones.
    pub clock_kernel: String,
    /// Their latency.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1000)))]
    pub clock_cycles_per_op: u64,
    /// The independent ones.
    pub width_kernel: String,
}
