//! Gathers the evidence that the rules of `doctor` judge: an `examination`, whose pulses `probe` takes, or a short
//! `preflight` check before a run. A `subject` is a worker at work for others to look at.

mod candidates;
mod examination;
mod preflight;
mod probe;
mod subject;

pub use examination::examine;
pub use preflight::Preflight;
pub use subject::{Subject, SubjectAsked};
