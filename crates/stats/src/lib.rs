//! Pure statistics on numbers, independent of samples and machines.
//!
//! Architecture invariant: this crate imports no other crate of the workspace.

#![allow(missing_docs)]

mod allan;
mod blocks;
mod crossing;
mod histogram;
mod holm;
mod interval;
mod least_squares;
mod mode;
mod moderate;
mod pairs;
mod quantile;
mod states;
mod usl;

pub use allan::allan_deviation;
pub use blocks::block_means;
pub use crossing::{Crossing, RatioPoint, crossings};
pub use histogram::{Counts, quantile_intervals};
pub use holm::holm;
pub use interval::{Interval, mean, mean_interval, mean_margin, normal_below, student_quantile};
pub use moderate::CommonVariance;
pub use pairs::ratio_interval;
pub use quantile::{clustered_median, median, quantile};
pub use states::{States, is_one_state, two_states, two_states_within};
pub use usl::{Coefficient, ScalingPoint, Usl};
