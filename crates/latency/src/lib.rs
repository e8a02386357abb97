//! What no file of a machine tells: how long a cache line takes from core to core, and a load from each cache and from
//! memory. Measured by threads of this process, for a pair of cores that pass a line is no work that a worker's threads do
//! each for themselves.

#![allow(missing_docs)]

mod batches;
mod buffer;
mod core_pairs;
mod core_to_core;
mod ladder;
mod levels;
mod pin;

pub use core_pairs::core_pairs;
pub use core_to_core::core_to_core;
pub use ladder::ladder;
