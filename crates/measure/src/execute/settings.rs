//! Settings of an execution.

use super::manifest::Manifests;
use crate::telemetry::TelemetryAsk;
use machine::{Limits, Topology};
use record::Plan;
use std::path::Path;
use std::time::{Duration, Instant};

/// How to carry out a plan.
#[derive(Debug)]
pub struct Settings<'a> {
    pub plan: &'a Plan,
    pub manifests: &'a Manifests,
    /// The resource limits of this process.
    pub limits: &'a Limits,
    /// Which CPUs share a core.
    pub topology: &'a Topology,
    /// Launch order of the cases; if time runs out, the last ones are not measured.
    pub order: &'a [usize],
    /// When the budget ends.
    pub deadline: Instant,
    /// How long a worker may take for an answer, in addition to the requested sample time.
    pub answer_timeout: Duration,
    /// The folder with `/proc` and `/sys`.
    pub root: &'a Path,
    /// Sensors and commands that are read while cases run.
    pub telemetry: &'a TelemetryAsk,
}
