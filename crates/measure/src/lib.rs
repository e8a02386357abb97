//! Measures one machine: from what is asked for to a run file.

pub mod examine;
pub mod execute;
pub mod plan;
pub mod session;
pub mod telemetry;
