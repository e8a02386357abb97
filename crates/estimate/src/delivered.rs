//! The view as delivered: all windows.

use super::level::BLOCKS;
use stats::{Interval, block_means, mean, mean_interval};

/// A series must have this many windows to have an interval.
pub const LEAST_WINDOWS: usize = 4;

/// The mean of a series in the order in which it was taken, with a 95 % interval from the means of its
/// blocks: windows near in time are alike. `None` for fewer than 4 values.
pub fn delivered(series: &[f64]) -> Option<Interval> {
    if series.len() < LEAST_WINDOWS {
        return None;
    }
    let interval = mean_interval(&block_means(series, BLOCKS.min(series.len()))?)?;
    Some(Interval::around(mean(series), interval.half(), interval.freedom))
}
