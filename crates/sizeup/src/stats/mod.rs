//! Pure functions over numbers. Nothing here knows what a window or a machine is.
//!
//! Architecture invariant: this module imports nothing of the crate.

mod allan;
mod blocks;
mod interval;
mod pairs;
mod states;

pub use allan::allan_deviation;
pub use blocks::block_means;
pub use interval::{Interval, mean, mean_interval, student_quantile};
pub use pairs::ratio_interval;
pub use states::{States, two_states};
