//! How many machines carry a mix of work.

mod fleet;

pub use fleet::{Fleet, Need, check_same_work, fleet};

#[cfg(test)]
mod tests;
