//! Doing a plan: launching workers, reading windows, deciding when it is enough.
//!
//! Many workers live side by side, asleep. A round gives each live case one window, in random order,
//! so that the windows of a case lie far apart in time and share the machine's good and bad moments with
//! all others. While a window is open, nothing here runs.

mod admission;
mod bench;
mod channel;
mod concentrate;
mod execution;
mod failure;
mod interrupt;
mod launch;
mod mixed;
mod opening;
mod orphans;
mod progress;
mod ready;
mod receipt;
mod run;
mod settings;
mod spawn;
mod task;
mod turn;
mod watch;
mod widths;

pub use crate::telemetry::monotonic_ns;
pub use admission::Room;
pub use failure::Failure;
pub use interrupt::Interrupt;
pub use launch::{Checked, LiveLaunch, Patience};
pub use opening::least_time;
pub use orphans::adopt_orphans;
pub use progress::Progress;
pub use receipt::{Listed, Receipts, receipt};
pub use run::execute;
pub use settings::Settings;
pub use task::{Task, request_lines};
pub use watch::{Event, Watch};
