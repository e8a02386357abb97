//! Gathers the evidence that the rules of `doctor` judge: an `examination`, whose pulses `probe` takes, or a short
//! `preflight` check before a run.

mod candidates;
mod examination;
mod preflight;
mod probe;

pub use examination::examine;
pub use preflight::Preflight;
