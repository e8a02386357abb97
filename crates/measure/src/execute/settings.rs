//! How a plan is to be done.

use super::manifest::Manifests;
use machine::{Limits, Topology};
use record::Plan;
use std::path::Path;
use std::time::{Duration, Instant};

/// How a plan is to be done.
#[derive(Debug)]
pub struct Settings<'a> {
    /// What is done.
    pub plan: &'a Plan,
    /// Who does it.
    pub manifests: &'a Manifests,
    /// What this process may take.
    pub limits: &'a Limits,
    /// Which CPUs share a core.
    pub topology: &'a Topology,
    /// The cases in the order in which they are launched: if there is no time for the last, these are left.
    pub order: &'a [usize],
    /// When the budget ends.
    pub deadline: Instant,
    /// How long a worker may take for an answer, beyond what it was asked to take.
    pub answer_timeout: Duration,
    /// Where `/proc` and `/sys` are.
    pub root: &'a Path,
}
