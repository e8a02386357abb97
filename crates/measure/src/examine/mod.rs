//! Gathers the evidence that the rules of `doctor` judge: an `examination`, whose pulses `probe` takes, or a short
//! `preflight` check before a run. And measures what no file of a machine tells: `measured`.
//! A `subject` is a worker at work for others to look at.

mod candidates;
mod clocks;
mod examination;
mod measured;
mod preflight;
mod probe;
mod subject;

pub use examination::examine;
pub use measured::measure_machine;
pub use preflight::Preflight;
pub use subject::{Subject, SubjectAsked};

/// The workload that keeps cores busy.
const WORKLOAD: &str = "issue-width/control";
