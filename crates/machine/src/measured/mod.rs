//! What no file of a machine tells and was measured: latencies, and clocks.

mod batch_times;
mod clocks;
mod core_to_core;
mod ladder;

pub use batch_times::BatchTimes;
pub use clocks::ClockStep;
pub use core_to_core::{CorePair, CoreToCore, MeasuredPair, Relation, RelationTimes};
pub use ladder::{Ladder, LadderStep, Level, NodeLoad};
