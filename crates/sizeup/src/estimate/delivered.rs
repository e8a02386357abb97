//! The estimate as delivered: all windows, with an interval that knows that windows near in time are alike.

use crate::stats::{Interval, allan_deviation, block_means, mean_interval};

/// The series is cut into this many blocks, or fewer if it is short. Within a block windows may be as
/// alike as they want; the interval comes from the blocks' means.
const BLOCKS: usize = 10;
/// A series must have this many windows to have an interval.
const LEAST_WINDOWS: usize = 4;
/// The normal distribution's two-sided 95 % quantile.
const NORMAL_QUANTILE: f64 = 1.96;

/// The mean of the windows' throughput, in the order in which they were taken, with a 95 % interval.
/// `None` for fewer than 4 windows.
pub fn delivered(throughputs: &[f64], flicker_floor: f64) -> Option<Interval> {
    if throughputs.len() < LEAST_WINDOWS {
        return None;
    }
    let blocks = block_means(throughputs, BLOCKS.min(throughputs.len()))?;
    let interval = mean_interval(&blocks)?;
    let centre = crate::stats::mean(throughputs);
    Some(Interval::around(centre, interval.half()).at_least(flicker_floor))
}

/// What measuring for longer would not take away: the Allan deviation of the cores' speed, as the
/// pulses show it round by round, over a quarter of the run, as the half-width of a 95 % interval.
/// 0 when the run is too short to tell.
pub fn flicker_floor(speeds: &[f64]) -> f64 {
    let logs: Vec<f64> = speeds.iter().map(|speed| speed.ln()).collect();
    let deviation = allan_deviation(&logs, speeds.len() / 4).unwrap_or(0.0);
    // Four averages make one of the whole run. Were they independent, it would deviate half as much;
    // flicker does not fall.
    NORMAL_QUANTILE * deviation
}
