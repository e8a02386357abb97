//! From windows to estimates: what a machine gave, with an interval, and what must be said about it.
//!
//! `docs/methodology.md` explains the choices to users.

mod case;
mod delivered;
mod look;
mod run;
mod steadiness;

pub use case::{CaseEstimate, View, Warning};
pub use delivered::{delivered, flicker_floor, level_half};
pub use look::{Disturbance, Look, mark_frequency_drops};
pub use run::{COMMAND_WORKER, RunEstimate};
pub use steadiness::Steadiness;

#[cfg(test)]
mod tests;
