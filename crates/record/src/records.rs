//! The records of a run file, one JSON object per line. Readers ignore unknown fields.

use super::build::WorkerBuild;
use super::{
    Activity, Beside, Finding, Idle, MeasuredMachine, Meter, Mixed, Plan, Ready, RollingLaunch,
    RollingList, RollingPass, Sample, Telemetry, Timing, UserFacts, Validity, Variant,
};
use catalog::{Category, Definition};
use machine::Machine;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

/// One line of a run file.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[schemars(title = "One line of a sizeup run file, format 2")]
#[serde(tag = "record", rename_all = "snake_case")]
pub enum Record {
    /// The first line.
    Header(Box<Header>),
    /// The machine itself was measured.
    MeasuredMachine(Box<MeasuredMachine>),
    /// A worker has started and is ready.
    Launch(Box<Launch>),
    /// A sample was measured.
    Sample(Sample),
    /// A sample of a row under sustained load.
    Sustained(Box<Sample>),
    /// A row was measured beside co-runners.
    Beside(Box<Beside>),
    /// All cases of a mix were measured at once.
    Mixed(Mixed),
    /// The list of a rolling mix was made.
    RollingList(RollingList),
    /// A worker of a rolling mix has started and is ready.
    RollingLaunch(Box<RollingLaunch>),
    /// Every thread went through the list of a rolling mix.
    RollingPass(RollingPass),
    /// A launch of a rolling mix passed its final verification.
    RollingVerified(Verified),
    /// A launch passed its final verification.
    Verified(Verified),
    /// A case ended without being measured.
    Outcome(Outcome),
    /// A change in a telemetry source's readings.
    Telemetry(Telemetry),
    /// A telemetry value.
    Reading(Reading),
    /// The machine was left idle, to read its meters.
    Idle(Idle),
    /// A meter's log was joined to the run.
    Meter(Meter),
    /// Machine activity since the previous activity record.
    Activity(Activity),
    /// A run that ended early continues.
    Resume(Resume),
    /// A figure that another tool measured.
    Imported(Imported),
    /// How far the figures are to be believed, as sizeup judged when it had measured them.
    Validity(Validity),
    /// The run ended; only a resume may follow.
    Close(Close),
}

/// The tag that gives a record's kind.
#[derive(Deserialize)]
struct Kind {
    record: Option<Value>,
}

impl Record {
    /// Reads a line; `None` if this version doesn't know its kind. Not by serde's tag, which reads a line into a tree first and has
    /// all records compiled once more for that.
    ///
    /// # Errors
    /// When the line is not JSON, or its record lacks something.
    pub(super) fn of_line(line: &str) -> serde_json::Result<Option<Self>> {
        // How sizeup writes the lines that nearly all of a file are.
        if line.starts_with(r#"{"record":"sample","#) {
            return serde_json::from_str(line).map(|sample| Some(Self::Sample(sample)));
        }
        let kind: Kind = serde_json::from_str(line)?;
        Ok(Some(match kind.record.as_ref().and_then(Value::as_str) {
            Some("header") => Self::Header(serde_json::from_str(line)?),
            Some("measured_machine") => Self::MeasuredMachine(serde_json::from_str(line)?),
            Some("launch") => Self::Launch(serde_json::from_str(line)?),
            Some("sample") => Self::Sample(serde_json::from_str(line)?),
            Some("sustained") => Self::Sustained(serde_json::from_str(line)?),
            Some("beside") => Self::Beside(serde_json::from_str(line)?),
            Some("mixed") => Self::Mixed(serde_json::from_str(line)?),
            Some("rolling_list") => Self::RollingList(serde_json::from_str(line)?),
            Some("rolling_launch") => Self::RollingLaunch(serde_json::from_str(line)?),
            Some("rolling_pass") => Self::RollingPass(serde_json::from_str(line)?),
            Some("rolling_verified") => Self::RollingVerified(serde_json::from_str(line)?),
            Some("verified") => Self::Verified(serde_json::from_str(line)?),
            Some("outcome") => Self::Outcome(serde_json::from_str(line)?),
            Some("telemetry") => Self::Telemetry(serde_json::from_str(line)?),
            Some("reading") => Self::Reading(serde_json::from_str(line)?),
            Some("idle") => Self::Idle(serde_json::from_str(line)?),
            Some("meter") => Self::Meter(serde_json::from_str(line)?),
            Some("activity") => Self::Activity(serde_json::from_str(line)?),
            Some("resume") => Self::Resume(serde_json::from_str(line)?),
            Some("imported") => Self::Imported(serde_json::from_str(line)?),
            Some("validity") => Self::Validity(serde_json::from_str(line)?),
            Some("close") => Self::Close(serde_json::from_str(line)?),
            _ => return Ok(None),
        }))
    }
}

/// The source of figures that sizeup did not measure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Origin {
    /// The tool, with its version where known. Rows of different tools are not compared.
    pub tool: String,
    /// Names of the files that were read.
    pub sources: Vec<String>,
    /// Properties that these figures lack, e.g. intervals.
    pub lacks: Vec<String>,
    /// Workloads without rows: the tool has no valid result for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<String>,
}

/// One figure that another tool measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Imported {
    pub case: usize,
    /// Throughput, above zero, in the unit of its workload's definition.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub per_s: f64,
    /// Input bytes per op; absent where bytes make no sense.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_per_op: Option<u64>,
}

/// The first record: the workloads, workers, machine and plan of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Header {
    /// `MAJOR.MINOR` of the file's format.
    #[schemars(regex(pattern = r"^2\.[0-9]+$"))]
    pub format: String,
    #[schemars(length(min = 1))]
    pub sizeup: String,
    /// The user's name for what is measured.
    #[schemars(length(min = 1))]
    pub label: String,
    /// When the run started, in ns since 1970.
    #[schemars(range(min = 1))]
    pub started_unix_ns: u64,
    /// That moment on `CLOCK_MONOTONIC`, which all other times use.
    pub started_ns: u64,
    #[schemars(length(min = 1))]
    pub suite: String,
    pub suite_version: u64,
    /// In the order in which scores are listed.
    pub categories: Vec<Category>,
    /// Workload ID → definition.
    #[schemars(
            with = "BTreeMap<catalog::schema::WorkloadId, Definition>",
            extend("minProperties" = 1)
        )]
    pub workloads: BTreeMap<String, Definition>,
    /// Worker name → manifest.
    pub workers: BTreeMap<String, Manifest>,
    /// The cases and how they are measured.
    pub plan: Plan,
    /// The computer under test.
    pub machine: Machine,
    /// Settings measured side by side; the first is the baseline.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 2))]
    pub variants: Vec<Variant>,
    /// The workload whose worker was made to give a wrong answer; the run's figures are invalid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<catalog::schema::WorkloadId>")]
    pub injected: Option<String>,
    /// The user's name for this individual machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// The kernel's boot ID; absent if unavailable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boot: Option<String>,
    /// The source of the figures, if sizeup did not measure them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// Problems with the machine that the preflight check reported.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// Facts about the machine that the user states, by name; none was read from the machine.
    #[serde(default, skip_serializing_if = "UserFacts::is_empty")]
    #[schemars(extend("maxProperties" = 64))]
    pub facts: UserFacts,
}

impl Imported {
    /// Plausible throughputs: from an op in three centuries to far more ops per ns than any machine does.
    pub const POSSIBLE_PER_S: std::ops::RangeInclusive<f64> = 1e-10..=1e18;
}

impl Header {
    /// How a case's samples are taken. Its workload is known: files with other cases are refused.
    pub fn timing(&self, case: usize) -> Timing {
        self.plan.timing.of(&self.workloads[&self.plan.cases[case].workload])
    }

    /// Identifies the machine: the user's name for it or else the boot ID; `None` if neither is known.
    pub fn host_key(&self) -> Option<String> {
        let of_boot = || self.boot.as_ref().map(|boot| format!("boot {boot}"));
        self.host.as_ref().map(|host| format!("host {host}")).or_else(of_boot)
    }

    /// Evidence of emulation: a finding of this run, or a worker built for another architecture than the machine's.
    pub fn emulation(&self) -> Option<String> {
        if let Some(finding) = self.findings.iter().find(|finding| finding.is_emulation()) {
            return Some(finding.seen.clone());
        }
        let machine = self.machine.cpu.architecture.known()?;
        self.workers.iter().find_map(|(name, manifest)| {
            let built_for = manifest.build.architecture()?;
            let why = || {
                format!("the worker {name} is built for {built_for}, but the machine is {machine}")
            };
            (built_for != machine).then(why)
        })
    }
}

/// A worker's identity and build, as it reports them before anything is measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Manifest {
    /// SHA-256 of the worker's program, in hex.
    #[schemars(with = "catalog::schema::Sha256")]
    pub sha256: String,
    pub build: WorkerBuild,
}

/// One worker process that runs one case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Launch {
    /// The launch's number in the run.
    pub launch: u64,
    pub case: usize,
    /// When the worker was ready.
    pub at_ns: u64,
    /// The worker's answer to `prepare`.
    pub ready: Ready,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Verified {
    pub launch: u64,
    pub at_ns: u64,
    /// The worker's final check, in words.
    pub verified: String,
}

/// How a case ended that was not measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Outcome {
    pub case: usize,
    pub outcome: OutcomeKind,
    /// The kind of error: one of the protocol's or of the harness's.
    #[schemars(length(min = 1))]
    pub kind: String,
    /// The event, and where it happened.
    pub message: String,
    /// The user's next step; may be empty.
    pub hint: String,
    /// The tail of the worker's stderr.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
}

impl Outcome {
    /// The kind of a case that was skipped from the start because the budget is too short.
    pub const LEFT_OUT: &str = "left-out";

    pub fn is_left_out(&self) -> bool {
        self.kind == Self::LEFT_OUT
    }
}

/// Why a case was not measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OutcomeKind {
    /// The worker failed or gave impossible results; no figure is reported.
    Failed,
    /// The case can't run on this machine.
    Unavailable,
    /// The budget ran out before the first sample.
    Unfinished,
}

impl fmt::Display for OutcomeKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.serialize(f)
    }
}

/// One telemetry value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Reading {
    pub at_ns: u64,
    /// The quantity, e.g. `load1` or `frequency_khz.cpu3`.
    #[schemars(length(min = 1))]
    pub source: String,
    pub value: f64,
}

/// A run that ended early continues; a truncated last line was removed first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Resume {
    /// When the run continued, in ns since 1970.
    #[schemars(range(min = 1))]
    pub at_unix_ns: u64,
    /// That moment on `CLOCK_MONOTONIC`, which may have been reset.
    pub at_ns: u64,
    /// Bytes of the truncated line that was removed.
    pub torn_bytes: u64,
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Close {
    pub at_ns: u64,
    pub ended: Ended,
    /// SHA-256 of all bytes of the file before this line, in hex.
    #[schemars(with = "catalog::schema::Sha256")]
    pub sha256: String,
}

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// Every case reached the requested precision or has an outcome.
    Precision,
    /// The budget ran out.
    Budget,
    /// The user stopped the run.
    Interrupted,
}
