//! The run file: one suite on one machine, as JSON Lines. `docs/run-file.md` documents it.

#![allow(missing_docs)]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests read what they wrote"))]

mod activity;
mod beside;
mod bounds;
mod build;
mod builder;
mod case_index;
mod cases;
mod copies;
mod counters;
mod course;
mod cpu_time;
mod facts;
mod finding;
mod flaw;
mod lines;
mod measured_machine;
mod meter;
mod mixed;
mod plan;
mod reader;
mod ready;
mod recipe;
mod records;
mod repeats;
mod request;
mod rolling;
mod run;
mod sample;
mod telemetry;
mod thread_spec;
mod validity;
mod variant;
mod wall_clock;
mod writer;

pub use activity::Activity;
pub use beside::Beside;
pub use build::WorkerBuild;
pub use copies::Copies;
pub use counters::Counted;
pub use cpu_time::CLOCKS_SPARE;
pub use facts::{UserFact, UserFacts, user_facts};
pub use finding::{Finding, Severity};
pub use flaw::Flaw;
pub use measured_machine::MeasuredMachine;
pub use meter::{ENERGY, Meter, POSSIBLE_WATTS, POWER};
pub use mixed::{Mixed, MixedShare};
pub use plan::{Case, Plan, Timing};
pub use reader::{ReadError, read};
pub use ready::{ChainKernel, Part, PulseKernels, Ready};
pub use recipe::{RECIPES, Recipe};
pub use records::{
    Close, Ended, Header, Imported, Launch, Manifest, Origin, Outcome, OutcomeKind, Reading,
    Record, Resume, Verified,
};
pub use request::Request;
pub use rolling::{RollingItem, RollingLaunch, RollingList, RollingPass, RollingShare};
pub use run::{ClockStart, LeftOut, Note, Run};
pub use sample::{Measured, MemoryPulse, PartSample, Pulse, Sample, ThreadSample};
pub use telemetry::{Idle, Telemetry};
pub use thread_spec::ThreadSpec;
pub use validity::{Grade, Reason, Validity};
pub use variant::Variant;
pub use wall_clock::{WallClockError, wall_clock_ns};
pub use writer::{Claim, WriteError, Writer, beyond_limit};

/// The format that the writer emits. A reader accepts every minor version of this major version.
pub const FORMAT: (u32, u32) = (2, 6);

pub mod fixture;
#[cfg(test)]
mod tests;
