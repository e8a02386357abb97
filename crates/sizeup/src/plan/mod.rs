//! From what the user asks to the cases of a run.

mod ask;
mod quantity;

pub use ask::{Ask, PlanError, plan};
pub use quantity::{format_ppm, parse_budget, parse_precision};
