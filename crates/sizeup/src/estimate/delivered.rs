//! Intervals that know that windows near in time are alike.

use crate::stats::{Interval, allan_deviation, block_means, mean, mean_interval, student_quantile};
use std::collections::BTreeMap;

/// The series is cut into this many blocks, or fewer if it is short. Within a block windows may be as
/// alike as they want; the interval comes from the blocks' means.
const BLOCKS: usize = 10;
/// A series must have this many windows to have an interval.
pub const LEAST_WINDOWS: usize = 4;
/// The normal distribution's two-sided 95 % quantile.
const NORMAL_QUANTILE: f64 = 1.96;

/// The mean of a series in the order in which it was taken, with a 95 % interval from the means of its
/// blocks. `None` for fewer than 4 values.
pub fn delivered(series: &[f64], flicker_floor: f64) -> Option<Interval> {
    if series.len() < LEAST_WINDOWS {
        return None;
    }
    let interval = mean_interval(&block_means(series, BLOCKS.min(series.len()))?)?;
    Some(Interval::around(mean(series), interval.half()).at_least(flicker_floor))
}

/// What all rows share: how far each round lay above or below the rows' own means, averaged over the
/// rows that took part in it. A row is a series of (round, logarithm); rows may have missed rounds.
pub fn level_by_round(rows: &[Vec<(u64, f64)>]) -> Vec<f64> {
    let mut rounds: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for row in rows {
        let centre = mean(&row.iter().map(|(_, log)| *log).collect::<Vec<_>>());
        for (round, log) in row {
            rounds.entry(*round).or_default().push(log - centre);
        }
    }
    rounds.values().map(|logs| mean(logs)).collect()
}

/// What measuring for longer would not take away: the Allan deviation of the cores' speed, which the
/// pulses show round by round, over a quarter of the run, as the half-width of a 95 % interval.
/// Takes each row's (round, logarithm of speed); 0 when the run is too short to tell.
pub fn flicker_floor(speeds: &[Vec<(u64, f64)>]) -> f64 {
    let level = level_by_round(speeds);
    // Four averages make one of the whole run. Were they independent, it would deviate half as much;
    // flicker does not fall.
    NORMAL_QUANTILE * allan_deviation(&level, level.len() / 4).unwrap_or(0.0)
}

/// Half the width of the 95 % interval of the mean level, from blocks of rounds; 0 for a run of one round.
pub fn level_half(rows: &[Vec<(u64, f64)>]) -> f64 {
    let level = level_by_round(rows);
    let Some(blocks) = block_means(&level, BLOCKS.min(level.len())) else { return 0.0 };
    if blocks.len() < 2 {
        return 0.0;
    }
    let centre = mean(&blocks);
    let freedom = (blocks.len() - 1) as f64;
    let variance = blocks.iter().map(|block| (block - centre).powi(2)).sum::<f64>() / freedom;
    student_quantile(freedom) * (variance / blocks.len() as f64).sqrt()
}
