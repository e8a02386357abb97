//! The records of a run file, a JSON object a line. Readers ignore fields that they don't know.

use super::build::WorkerBuild;
use super::{Activity, Finding, Meter, Mixed, Plan, Ready, Variant, Window};
use catalog::{Category, Definition};
use machine::Machine;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// One line of a run file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(title = "One line of a sizeup run file, format 1")
)]
#[serde(tag = "record", rename_all = "snake_case")]
pub enum Record {
    /// The first line.
    Header(Box<Header>),
    /// A worker was started and is ready.
    Launch(Box<Launch>),
    /// A window was measured.
    Window(Window),
    /// All cases of a mix were measured at once.
    Mixed(Mixed),
    /// A launch passed its final verification.
    Verified(Verified),
    /// A case has come to another end than being measured.
    Outcome(Outcome),
    /// A value of telemetry.
    Reading(Reading),
    /// A meter's log was joined to the run.
    Meter(Meter),
    /// Who used the machine since the last look at it.
    Activity(Activity),
    /// A run that had ended early goes on.
    Resume(Resume),
    /// A figure that something else measured.
    Imported(Imported),
    /// The run ended; nothing follows but perhaps a resume.
    Close(Close),
}

/// Where figures come from that sizeup did not measure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Origin {
    /// What measured them, with its version where it tells: rows of different tools are not compared.
    pub tool: String,
    /// What was read: names of files.
    pub sources: Vec<String>,
    /// What these figures lack, in words.
    pub lacks: Vec<String>,
}

/// One figure that something else measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Imported {
    /// The case.
    pub case: usize,
    /// Throughput, above zero, in the unit of its workload's definition.
    #[cfg_attr(feature = "schema", schemars(extend("exclusiveMinimum" = 0)))]
    pub per_s: f64,
    /// Input bytes of one op, where bytes make sense.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_per_op: Option<u64>,
}

/// What is measured, on what, with what.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Header {
    /// `MAJOR.MINOR` of the file's format.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = r"^1\.[0-9]+$")))]
    pub format: String,
    /// Version of sizeup.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub sizeup: String,
    /// The name that the user gives to what is measured.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub label: String,
    /// When the run started, in ns since 1970.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub started_unix_ns: u64,
    /// The same moment on `CLOCK_MONOTONIC`, which all other times are of.
    pub started_ns: u64,
    /// The suite's name.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub suite: String,
    /// The suite's version.
    pub suite_version: u64,
    /// In the order in which scores are shown.
    pub categories: Vec<Category>,
    /// Workload → what it is.
    #[cfg_attr(
        feature = "schema",
        schemars(
            with = "BTreeMap<catalog::schema::WorkloadId, Definition>",
            extend("minProperties" = 1)
        )
    )]
    pub workloads: BTreeMap<String, Definition>,
    /// Worker → what it is made of.
    pub workers: BTreeMap<String, Manifest>,
    /// What is done and in which order.
    pub plan: Plan,
    /// The computer under test.
    pub machine: Machine,
    /// Settings that are measured next to each other; the others are compared to the first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(min = 2)))]
    pub variants: Vec<Variant>,
    /// A workload whose worker was told to give a wrong answer: such a run proves checks, not speed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<catalog::schema::WorkloadId>"))]
    pub planted: Option<String>,
    /// The name that the user gives to this very machine among others of its kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// What tells this boot of the machine from all others, where the kernel tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boot: Option<String>,
    /// Where the figures come from, if sizeup did not measure them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// What was told at the start about a machine that is not fit to be measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
}

impl Imported {
    /// Less or more can't be: an op in a century, and as many a nanosecond as no machine does.
    pub const POSSIBLE_PER_S: std::ops::RangeInclusive<f64> = 1e-10..=1e18;
}

impl Header {
    /// What tells its computer from others: the name that the user gives it, or the boot. `None` if neither is told.
    pub fn host_key(&self) -> Option<String> {
        let of_boot = || self.boot.as_ref().map(|boot| format!("boot {boot}"));
        self.host.as_ref().map(|host| format!("host {host}")).or_else(of_boot)
    }

    /// What shows that instructions were translated: the run itself saw it, or a worker was built for another
    /// architecture than the machine's.
    pub fn emulation(&self) -> Option<String> {
        if let Some(finding) = self.findings.iter().find(|finding| finding.tells_emulation()) {
            return Some(finding.seen.clone());
        }
        let machine = self.machine.cpu.architecture.known()?;
        self.workers.iter().find_map(|(name, manifest)| {
            let built_for = manifest.build.architecture()?;
            let told =
                || format!("the worker {name} is built for {built_for}, the machine is {machine}");
            (built_for != machine).then(told)
        })
    }
}

/// What a worker says of itself before anything is measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Manifest {
    /// SHA-256 of its program, in hex.
    #[cfg_attr(feature = "schema", schemars(with = "catalog::schema::Sha256"))]
    pub sha256: String,
    /// What it is made of.
    pub build: WorkerBuild,
}

/// One worker process doing one case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Launch {
    /// Its number in the run.
    pub launch: u64,
    /// Its case.
    pub case: usize,
    /// When it was ready.
    pub at_ns: u64,
    /// What it says.
    pub ready: Ready,
}

/// A launch's final verification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Verified {
    /// The launch.
    pub launch: u64,
    /// When.
    pub at_ns: u64,
    /// What was checked.
    pub verified: String,
}

/// Another end of a case than being measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Outcome {
    /// The case.
    pub case: usize,
    /// What became of it.
    pub outcome: OutcomeKind,
    /// What went wrong, as the protocol's kinds of errors or the harness's own.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub kind: String,
    /// What happened, and where.
    pub message: String,
    /// What to do next; may be empty.
    pub hint: String,
    /// The last that the worker wrote to stderr.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
}

impl Outcome {
    /// The kind of a case that was left out from the start, for the budget is too short for all.
    pub const LEFT_OUT: &str = "left-out";

    /// Whether the case was left out from the start.
    pub fn is_left_out(&self) -> bool {
        self.kind == Self::LEFT_OUT
    }
}

/// What became of a case that was not measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum OutcomeKind {
    /// It can't be trusted: no figure is given.
    Failed,
    /// It can't run here.
    Unavailable,
    /// The time was over before its first window, or too short for it from the start.
    Unfinished,
}

impl fmt::Display for OutcomeKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.serialize(f)
    }
}

/// One value of telemetry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reading {
    /// When.
    pub at_ns: u64,
    /// What, e.g. `load1` or `frequency_khz.cpu3`.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub source: String,
    /// How much.
    pub value: f64,
}

/// A run that had ended early goes on; what was torn before it was cut off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Resume {
    /// When, in ns since 1970.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub at_unix_ns: u64,
    /// The same moment on `CLOCK_MONOTONIC`, which may have started anew.
    pub at_ns: u64,
    /// Bytes of a torn line that were cut off.
    pub torn_bytes: u64,
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Close {
    /// When.
    pub at_ns: u64,
    /// Why.
    pub ended: Ended,
    /// SHA-256 of all bytes of the file before this line, in hex.
    #[cfg_attr(feature = "schema", schemars(with = "catalog::schema::Sha256"))]
    pub sha256: String,
}

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// All cases are within the precision asked, or have come to another end.
    Precision,
    /// The time was used up.
    Budget,
    /// Someone stopped it.
    Interrupted,
}
