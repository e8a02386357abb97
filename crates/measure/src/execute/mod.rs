//! Doing a plan: launching workers, reading windows, deciding when it is enough.
//!
//! Many workers live side by side, asleep. A round gives each live case one window, in random order,
//! so that the windows of a case lie far apart in time and share the machine's good and bad moments with
//! all others. While a window is open, nothing here runs.

mod admission;
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
mod round;
mod runner;
mod settings;
mod spawn;
mod task;
mod watch;
mod widths;

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
