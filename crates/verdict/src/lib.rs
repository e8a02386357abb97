//! Figures and their ratios: what can be said of them, in which words, and how their numbers are written.
//!
//! Architecture invariant: this crate knows numbers and names only, and imports no other of the workspace but `stats`. It is
//! compiled a second time, to WebAssembly: then it judges what the reader of a report's page chooses (`question.rs`).

mod figure;
mod lead;
pub mod numbers;
mod outcome;
mod qualify;
mod question;
mod ratio;
#[cfg(target_arch = "wasm32")]
mod wasm;
mod words;

pub use figure::{RunEffect, View};
pub use lead::Lead;
pub use outcome::{Measured, Outcome, judge_outcomes, why_unknown};
pub use qualify::Data;
pub use question::answer_page;
pub use ratio::{Ratio, Verdict, judge_ratios};
pub use words::{
    EQUIVALENT, Order, Quantity, anything, break_even, ends, how_much, how_much_than, range, same,
    stands, stands_by, times,
};
