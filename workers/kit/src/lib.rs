//! Code that the Rust workers share: threads, pinning, barrier, samples, pulse and the protocol.
//!
//! A worker is a list of [`Operation`]s and a self-test, passed to [`run`]; everything else that `docs/protocol.md`
//! requires of a worker is implemented here.

mod build;
mod chain;
pub mod clock;
mod counters;
mod crew;
mod draw;
mod ended;
mod error;
pub mod fingerprint;
mod input;
mod memory;
mod memory_loops;
mod pack;
mod parameters;
pub mod proof;
mod protocol;
mod pulse;
mod sample;
mod session;
mod setting;
mod sharing;
mod top_down;
mod usage;
mod work;

pub use build::{Language, Libraries, Paths, StartThread};
pub use crew::pin;
pub use draw::Draws;
pub use ended::ended;
pub use error::{Kind, WorkerError};
pub use memory::{Memory, MemoryPulse};
pub use pack::PackedLibrary;
pub use parameters::Parameter;
pub use pulse::additions;
pub use session::{run, run_in};
pub use setting::Setting;
pub use usage::ChildUsage;
pub use work::{OpError, Operation, RuntimeTime, Setup, Stopwatch, Work, Worker};
