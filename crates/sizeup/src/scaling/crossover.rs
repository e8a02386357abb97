//! From how many threads on one machine is ahead of another.

use super::curve::{Curve, Point};
use crate::stats::{Crossing, RatioPoint, crossings};
use serde::Serialize;

/// What becomes of a group beside the baseline as threads are added.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "crossover", rename_all = "kebab-case")]
pub enum Crossover {
    /// The other is ahead on every number of threads that both have.
    Always {
        /// Least and greatest number of threads that both have.
        range: (usize, usize),
        /// Whether it is so beyond doubt on each of them.
        is_certain: bool,
    },
    /// The baseline is ahead on every number of threads that both have.
    Never {
        /// Least and greatest number of threads that both have.
        range: (usize, usize),
        /// Whether it is so beyond doubt on each of them.
        is_certain: bool,
    },
    /// The order changes once.
    Once(Overtaking),
    /// The order changes several times.
    Several {
        /// From the first change to the last, in threads.
        range: (usize, usize),
        /// All of them.
        changes: Vec<Overtaking>,
    },
    /// There is nothing to tell it from.
    Unknown {
        /// Why.
        reason: String,
    },
}

/// A change of order.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Overtaking {
    /// The nearest numbers of threads on which the one and the other is ahead.
    pub between: (usize, usize),
    /// Where both would be even.
    pub at: f64,
    /// Whether the other is ahead behind it.
    pub other_leads: bool,
    /// The 95 % interval's lower end: `None` if the order is nowhere certain below.
    pub low: Option<f64>,
    /// The upper end: `None` if the order is nowhere certain above.
    pub high: Option<f64>,
}

impl Crossover {
    /// Of two curves of one workload.
    pub(super) fn of(baseline: &Curve, other: &Curve) -> Self {
        let points = ratios(baseline, other);
        let (Some(first), Some(last)) = (points.first(), points.last()) else {
            let reason = "no number of threads is within what was measured of both".to_owned();
            return Self::Unknown { reason };
        };
        let range = (first.place as usize, last.place as usize);
        let changes: Vec<Overtaking> = crossings(&points).iter().map(Overtaking::of).collect();
        match &changes[..] {
            [] => {
                let is_certain = points.iter().all(RatioPoint::is_certain);
                let leads = points.iter().map(|point| point.log).sum::<f64>() > 0.0;
                if leads {
                    Self::Always { range, is_certain }
                } else {
                    Self::Never { range, is_certain }
                }
            }
            [once] => Self::Once(*once),
            [first, .., last] => {
                Self::Several { range: (first.between.0, last.between.1), changes }
            }
        }
    }
}

impl Overtaking {
    fn of(crossing: &Crossing) -> Self {
        Self {
            between: (crossing.between.0 as usize, crossing.between.1 as usize),
            at: crossing.at,
            other_leads: crossing.rises,
            low: crossing.low,
            high: crossing.high,
        }
    }
}

/// The other over the baseline on each number of threads that one of them has and that lies within both.
fn ratios(baseline: &Curve, other: &Curve) -> Vec<RatioPoint> {
    let mut counts: Vec<usize> =
        baseline.points.iter().chain(&other.points).map(|point| point.threads).collect();
    counts.sort_unstable();
    counts.dedup();
    let ratio = |threads: &usize| {
        let (base, other) = (at(&baseline.points, *threads)?, at(&other.points, *threads)?);
        Some(RatioPoint {
            place: *threads as f64,
            log: other.log - base.log,
            own_half: other.own_half.hypot(base.own_half),
            shared_half: other.shared_half.hypot(base.shared_half),
        })
    };
    counts.iter().filter_map(ratio).collect()
}

/// A curve on a number of threads, straight between its neighbours where both axes are logarithmic. `None` outside.
fn at(points: &[Point], threads: usize) -> Option<RatioPoint> {
    let point = |point: &Point| RatioPoint {
        place: point.threads as f64,
        log: point.throughput.interval.centre.ln(),
        own_half: point.throughput.row.half(),
        shared_half: point.throughput.level.half,
    };
    if let Some(measured) = points.iter().find(|point| point.threads == threads) {
        return Some(point(measured));
    }
    let pair =
        points.windows(2).find(|pair| pair[0].threads < threads && threads < pair[1].threads)?;
    Some(RatioPoint::on_the_way(&point(&pair[0]), &point(&pair[1]), threads as f64))
}
