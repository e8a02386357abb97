//! Measures one machine, from the user's request to a run file.

#![allow(missing_docs)]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests read what they wrote"))]

pub mod examine;
pub mod execute;
pub mod plan;
pub mod session;
pub mod telemetry;
