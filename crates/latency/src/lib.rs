//! Latencies that no file of a machine holds: of a cache line from core to core, and of a load from each cache and from memory.
//! Threads of this process measure them, because a worker's threads each work for themselves, while a pair of cores passes a
//! line between them.

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
