//! What the Rust workers share: threads, pinning, barrier, windows, pulse and the protocol.
//!
//! A worker is a table of [`Entry`]s and a self-test, handed to [`run`]; everything that
//! `docs/protocol.md` demands of a worker beyond its workloads lives here.

mod build;
mod chain;
mod clock;
mod crew;
mod error;
mod input;
pub mod proof;
mod protocol;
mod pulse;
mod session;
mod usage;
mod window;
mod work;

pub use build::{Libraries, Paths};
pub use error::{Kind, WorkerError};
pub use pulse::additions;
pub use session::run;
pub use work::{Entry, OpError, Setting, Work, Worker};
