//! Where a process spends its time: stacks sampled by `perf` or by ourselves (`builtin`), the functions that their
//! addresses lie in (`address_space`, `symbols`), and what the hot code of each holds (`code`).
//!
//! It knows no worker and no workload: it gets a process ID, and the times that count.

#![warn(missing_docs)]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests read what they wrote"))]

mod address_space;
mod builtin;
mod code;
mod flame_graph;
mod hot;
mod jit_map;
mod mapping;
mod pair;
mod perf;
mod perf_script;
mod registers;
mod saved;
mod stack;
mod symbols;

pub use builtin::{SampleError, Sampler};
pub use code::{CodeKind, HotCode};
pub use flame_graph::flame_graph;
pub use hot::{HotFunction, Hotspots, KERNEL};
pub use jit_map::JitMap;
pub use pair::{PairedFunction, ProfilePair, ProfiledSide};
pub use perf::{PerfRecording, paranoia};
pub use saved::{Accounts, Method, Profile, ProfileReadError};
pub use stack::StackSample;
