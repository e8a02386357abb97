//! The run file: one suite on one machine, as JSON Lines. `docs/run-file.md` is its page for people.
//!
//! Format history: 1.0, the first; 1.1, variants, records of kind `activity`, and `findings` in the header; 1.2,
//! `output_sha256`; 1.3, `output_bytes`, `parts`, `due_ops` and `latency`, and counters of threads that are `null`; 1.4, `host`, `boot` and
//! `origin` in the header, and records of kind `imported`; 1.5, `mix` in the plan, and records of kind `mixed`; 1.6,
//! `cpu_elapsed_ns`, and `late_libraries` of builds; 1.7, `idle_ticks` and `total_ticks` of windows,
//! records of kind `meter`, `unit` in a definition, and `per_s` of imported figures; 1.8, `chain` in a launch's `ready` and `chains_ns`.

mod activity;
mod bounds;
mod build;
mod builder;
mod cases;
mod copies;
mod course;
mod cpu_time;
mod finding;
mod flaw;
mod lines;
mod meter;
mod mixed;
mod plan;
mod reader;
mod ready;
mod records;
mod request;
mod run;
mod thread_spec;
mod variant;
mod window;
mod writer;

pub use activity::Activity;
pub use build::WorkerBuild;
pub use copies::Copies;
pub use cpu_time::CLOCKS_SPARE;
pub use finding::{Finding, Severity};
pub use flaw::Flaw;
pub use meter::{Meter, POSSIBLE_WATTS, POWER};
pub use mixed::{Mixed, MixedShare};
pub use plan::{Case, Plan, Timing};
pub use reader::{ReadError, read};
pub use ready::{ChainKernel, Part, PulseKernels, Ready};
pub use records::{
    Close, Ended, Header, Imported, Launch, Manifest, Origin, Outcome, OutcomeKind, Reading,
    Record, Resume, Verified,
};
pub use request::Request;
pub use run::{ClockStart, LeftOut, Note, Run};
pub use thread_spec::ThreadSpec;
pub use variant::Variant;
pub use window::{Measured, PartWindow, Pulse, ThreadWindow, Window};
pub use writer::{Claim, WriteError, Writer};

/// The format that is written. A reader takes every minor number of its major one, and older majors.
pub const FORMAT: (u32, u32) = (1, 8);

#[cfg(any(test, feature = "samples"))]
pub mod samples;
#[cfg(test)]
mod tests;
