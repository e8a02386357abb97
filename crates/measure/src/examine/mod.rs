//! Gathers the evidence that the rules of `doctor` judge: an `examination`, whose pulses `probe` takes, or a `glance`
//! before a run.

mod candidates;
mod examination;
mod glance;
mod probe;

pub use examination::examine;
pub use glance::Glance;
