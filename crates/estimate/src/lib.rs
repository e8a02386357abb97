//! From windows to estimates: what a machine gave, with an interval, and what must be said about it.
//!
//! `docs/methodology.md` explains the choices to users.

mod bound;
mod case;
mod clock;
mod clusters;
mod cores;
mod delivered;
mod forecast;
mod imported;
mod level;
mod look;
mod others;
mod paired;
mod run;
mod sanity;
mod service;
mod share;
mod steadiness;
mod together;
mod view;
mod waiting;
mod warning;

pub use bound::Bound;
pub use case::CaseEstimate;
pub use cores::{Cores, LEAST_OWN_WINDOWS, OwnLook, least_own_width};
pub use delivered::delivered;
pub use forecast::{Forecast, RowForecast};
pub use level::{Level, Series, flicker_floor, level_by_round, level_of, level_with_floor};
pub use look::{ClockKernel, Disturbance, Look, ThreadLook, mark_frequency_drops};
pub use others::Others;
pub use paired::{paired, paired_delivered};
pub use run::{COMMAND_WORKER, RunEstimate};
pub use service::{Latency, PartUse, Service};
pub use steadiness::Steadiness;
pub use together::{Together, TogetherPart};
pub use view::{View, ViewKind};
pub use warning::Warning;

#[cfg(test)]
mod tests;
