//! sizeup measures servers on the work that servers really do. ARCHITECTURE.md tells who may know whom.

pub mod catalog;
pub mod estimate;
pub mod machine;
pub mod plan;
pub mod record;
pub mod stats;
