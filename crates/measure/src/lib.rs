//! Measures one machine, from the user's request to a run file.

#![allow(missing_docs)]

pub mod examine;
pub mod execute;
pub mod plan;
pub mod session;
pub mod telemetry;
