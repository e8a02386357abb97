//! How many machines carry a mix of work.

mod fleet;
mod mix;
mod rate;

pub use fleet::{Fleet, Need, fleet};
pub use mix::{Demand, Mix, MixError};
pub use rate::Rate;

#[cfg(test)]
mod tests;
