//! From what the user asks to the cases of a run.

mod ask;
mod co_runners;
mod planned;
mod quantity;
mod rows;
mod telling;
mod threads;

pub use ask::{Ask, CoRunners, PlanError};
pub use planned::{Planned, plan};
pub use quantity::{format_ppm, parse_budget, parse_precision};
pub use telling::{left_out, most_telling};
pub use threads::ThreadsAsked;
