//! The delivered view: all samples.

use super::run_effect::BLOCKS;
use stats::{Interval, block_means, mean, mean_interval};

/// A series must have this many samples to have an interval.
pub const LEAST_SAMPLES: usize = 4;

/// The mean of a series in time order, with a 95 % interval from the means of its blocks, as samples near in time
/// are correlated. `None` for fewer than 4 values.
pub fn delivered(series: &[f64]) -> Option<Interval> {
    if series.len() < LEAST_SAMPLES {
        return None;
    }
    let interval = mean_interval(&block_means(series, BLOCKS.min(series.len()))?)?;
    Some(Interval::around(mean(series), interval.margin(), interval.freedom))
}
