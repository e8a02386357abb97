//! Gathers the evidence that the rules of `doctor` judge: an `examination`, whose pulses `probe` takes, or a short
//! `preflight` check before a run. And measures what no file of a machine tells: `measured`.

mod candidates;
mod clocks;
mod examination;
mod measured;
mod preflight;
mod probe;

pub use clocks::ClockStep;
pub use examination::examine;
pub use measured::{MeasuredMachine, measure_machine};
pub use preflight::Preflight;

/// The workload that keeps cores busy.
const WORKLOAD: &str = "issue-width/control";
