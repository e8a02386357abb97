//! Carries out a plan: launches workers, reads samples, decides when to stop.
//!
//! Many workers are live at once, asleep. A round takes one sample of each live case, in random order, so that a case's
//! samples are spread over time and all cases see the same good and bad phases of the machine. During a sample, the
//! harness sleeps.

mod admission;
mod beside;
mod budget;
mod builds;
mod channel;
mod context;
mod costs;
mod execution;
mod failure;
mod interrupt;
mod launch;
mod manifest;
mod mixed;
mod opening;
mod operation;
mod orphans;
mod progress;
mod ready;
mod rolling;
mod round;
mod runner;
mod settings;
mod spawn;
mod sustain;
mod task;
mod watch;
mod widths;
mod worker_process;

pub use crate::telemetry::monotonic_ns;
pub use admission::Room;
pub use budget::least_time;
pub use execution::execute;
pub use failure::Failure;
pub use interrupt::Interrupt;
pub use launch::{Checked, LiveLaunch, Patience};
pub use manifest::{Listed, Manifests, manifest};
pub use orphans::adopt_orphans;
pub use progress::Progress;
pub use settings::Settings;
pub use task::{Task, request_lines};
pub use watch::{Event, Watch};
