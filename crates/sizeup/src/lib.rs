//! sizeup measures servers on the work that servers really do. ARCHITECTURE.md tells who may know whom.

pub mod capacity;
pub mod catalog;
pub mod cli;
pub mod compare;
pub mod cost;
pub mod doctor;
pub mod estimate;
pub mod execute;
pub mod import;
pub mod machine;
pub mod plan;
pub mod record;
pub mod report;
pub mod scaling;
pub mod stats;
pub mod telemetry;
