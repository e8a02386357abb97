//! From what the user asks to the cases of a run.

mod ask;
mod quantity;
mod rows;
mod threads;

pub use ask::{Ask, PlanError, Planned, plan};
pub use quantity::{format_ppm, parse_budget, parse_precision};
pub use threads::ThreadsAsked;
