//! What is read of the machine while it is measured: its sensors and power meters at intervals of their own, and who used its
//! CPUs.

mod activity;
mod clock;
mod elapsed;
mod over;
mod poller;
mod power_command;
mod redfish;
mod sources;

pub use activity::ActivityWatch;
pub use clock::monotonic_ns;
pub use elapsed::elapsed;
pub use power_command::PowerCommand;
pub use sources::{Sources, TelemetryAsk, least_needed};
