//! What all rows of a run share: the level, and how far it may be off.

use serde::Serialize;
use stats::{Interval, allan_deviation, block_means, mean_half, student_quantile};
use std::borrow::Borrow;
use std::collections::BTreeMap;

/// A series is cut into this many blocks, or fewer if it is short. Within a block values may be as alike
/// as they want; what is not known is told by how the blocks differ.
pub(super) const BLOCKS: usize = 10;
/// Stretches of a run that its slow noise is found from.
const STRETCHES: usize = 4;

/// (round, logarithm) of each window of a row, in order. Rows may have missed rounds.
pub type Series = Vec<(u64, f64)>;

/// How far what all rows share may be off.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Level {
    /// Half of the width of its 95 % interval, by factor.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub half: f64,
    /// Degrees of freedom of Student's t that the width rests on.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub freedom: f64,
}

impl Level {
    /// Of rows that share nothing.
    pub const NONE: Self = Self { half: 0.0, freedom: f64::INFINITY };

    /// Half of the width of the interval that holds it with another probability than 95 %.
    pub fn half_at(&self, inside: f64) -> f64 {
        self.half * student_quantile(self.freedom, inside) / student_quantile(self.freedom, 0.95)
    }

    /// The wider of two.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        if other.half > self.half { other } else { self }
    }

    /// Of a share of what may be off so far.
    #[must_use]
    pub fn scaled(self, share: f64) -> Self {
        Self { half: self.half * share, ..self }
    }

    /// Of the mean of several that are off independently of each other.
    pub fn of_mean(levels: &[Self]) -> Self {
        level_of_independent(&levels.iter().map(Self::factor).collect::<Vec<_>>())
    }

    /// As a factor that is 1 as far as is known.
    pub fn factor(&self) -> Interval {
        Interval::around(1.0, self.half, self.freedom)
    }

    /// Of the difference of two runs, or where both may be off independently of each other.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let both = self.factor().times(&other.factor());
        Self { half: both.half(), freedom: both.freedom }
    }
}

/// How far each round lay above or below the rows' own centres, as the centre over the rows that took
/// part in it.
pub fn level_by_round(rows: &[impl Borrow<Series>], centre: fn(&[f64]) -> f64) -> Vec<f64> {
    let mut rounds: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for row in rows {
        let row = row.borrow();
        let of_row = centre(&row.iter().map(|(_, log)| *log).collect::<Vec<_>>());
        for (round, log) in row {
            rounds.entry(*round).or_default().push(log - of_row);
        }
    }
    rounds.values().map(|logs| centre(logs)).collect()
}

/// What measuring for longer would not take away: the Allan deviation of a series over a quarter of its
/// length. Three differences are little to know it from, so the interval is Student's with 3 degrees of
/// freedom. Nothing is known of a series that is too short.
pub fn flicker_floor(level: &[f64]) -> Level {
    // Four averages make one of the whole run. Were they independent, it would deviate half as much;
    // flicker does not fall.
    let deviation = allan_deviation(level, level.len() / STRETCHES);
    let freedom = (STRETCHES - 1) as f64;
    let half = |deviation| deviation * student_quantile(freedom, 0.95);
    deviation.map_or(Level::NONE, |deviation| Level { half: half(deviation), freedom })
}

/// How far the mean of a series may be off, from its blocks; nothing is known of a series of one.
pub fn level_of(level: &[f64]) -> Level {
    let blocks = block_means(level, BLOCKS.min(level.len())).unwrap_or_default();
    mean_half(&blocks).map_or(Level::NONE, |(half, freedom)| Level { half, freedom })
}

/// The same, never below the flicker floor of the series.
pub fn level_with_floor(level: &[f64]) -> Level {
    level_of(level).max(flicker_floor(level))
}

/// How far the geometric mean of rows may be off if they err independently of each other.
pub(super) fn level_of_independent(rows: &[Interval]) -> Level {
    Interval::of_mean(rows)
        .map_or(Level::NONE, |mean| Level { half: mean.half(), freedom: mean.freedom })
}
