//! Properties that no file of a machine holds and that were measured: latencies, and clocks.

mod batch_times;
mod clocks;
mod core_to_core;
mod ladder;

pub use batch_times::BatchTimes;
pub use clocks::ClockStep;
pub use core_to_core::{CorePair, CoreToCore, MeasuredPair, Relation, RelationTimes};
pub use ladder::{Ladder, LadderStep, Level, NodeLoad};
