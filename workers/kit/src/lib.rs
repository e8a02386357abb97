//! What the Rust workers share: threads, pinning, barrier, windows, pulse and the protocol.
//!
//! A worker is a list of [`Operation`]s and a self-test, handed to [`run`]; everything that
//! `docs/protocol.md` demands of a worker beyond its operations lives here.

mod build;
mod chain;
mod clock;
mod crew;
mod error;
mod input;
mod parameters;
pub mod proof;
mod protocol;
mod pulse;
mod session;
mod setting;
mod usage;
mod window;
mod work;

pub use build::{Libraries, Paths};
pub use error::{Kind, WorkerError};
pub use parameters::Parameter;
pub use pulse::additions;
pub use session::run;
pub use setting::Setting;
pub use work::{OpError, Operation, Work, Worker};
