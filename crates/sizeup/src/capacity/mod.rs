//! How many machines carry a mix of work.

mod fleet;

pub use fleet::{Fleet, Need, fleet};

#[cfg(test)]
mod tests;
