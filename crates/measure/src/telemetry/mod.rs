//! Telemetry of a run: sensors and power meters at intervals of their own, and the processes that use its CPUs.

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
