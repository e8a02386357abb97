//! From how many threads on one machine is ahead of another.

use super::curve::{Curve, Point};
use serde::Serialize;
use stats::{Crossing, Interval, RatioPoint, crossings};

/// The order of a group and the baseline as threads are added.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(tag = "crossover", rename_all = "kebab-case")]
pub enum Crossover {
    /// The other is ahead on every number of threads that both have, wherever that is determined.
    Always {
        /// Least and greatest number of threads that both have.
        range: (usize, usize),
        /// Whether it is so beyond doubt on each of them.
        is_certain: bool,
    },
    /// The baseline is ahead on every number of threads that both have, wherever that is determined.
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
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Overtaking {
    /// The nearest numbers of threads on which the one and the other is ahead: beyond doubt, if intervals are known.
    pub between: (usize, usize),
    /// Where both would be even.
    pub at: f64,
    /// Whether the other is ahead behind it.
    pub other_leads: bool,
    /// The 95 % interval's lower end: `None` if no interval is known.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
}

/// Numbers of threads from one to another, all of which that were measured between them.
pub type Stretch = (usize, usize);

/// Comparison of two curves.
pub(super) struct Standing {
    pub crossover: Crossover,
    pub undecided: Vec<Stretch>,
    pub has_error_bars: bool,
}

impl Standing {
    pub fn unknown(reason: String) -> Self {
        let crossover = Crossover::Unknown { reason };
        Self { crossover, undecided: Vec::new(), has_error_bars: false }
    }
}

impl Crossover {
    /// Compares two curves of one workload. `undecided` holds thread counts, away from crossovers, where neither is ahead
    /// beyond its error. Figures measured once have no error: their apparent order is taken everywhere.
    pub(super) fn of(baseline: &Curve, other: &Curve) -> Standing {
        let points = ratios(baseline, other);
        let (Some(first), Some(last)) = (points.first(), points.last()) else {
            let reason = "the thread counts that were measured on each do not overlap".to_owned();
            return Standing::unknown(reason);
        };
        let range = (first.place as usize, last.place as usize);
        let is_known = points.iter().any(|point| point.margin().is_finite());
        let is_certain = |point: &RatioPoint| point.is_certain_among(points.len());
        let changes: Vec<Overtaking> = crossings(&points).iter().map(Overtaking::of).collect();
        let undecided = if is_known { undecided(&points, &changes) } else { Vec::new() };
        let crossover = match &changes[..] {
            [] if is_known && !points.iter().any(is_certain) => {
                let (from, to) = range;
                let reason = format!(
                    "crossover undetermined: neither is ahead beyond its error from {from} to {to} threads"
                );
                return Standing { undecided, ..Standing::unknown(reason) };
            }
            [] => {
                let certain = points.iter().filter(|point| !is_known || is_certain(point));
                let leads = certain.map(|point| point.log).sum::<f64>() > 0.0;
                let is_certain = points.iter().all(is_certain);
                match leads {
                    true => Self::Always { range, is_certain },
                    false => Self::Never { range, is_certain },
                }
            }
            [once] => Self::Once(*once),
            [first, .., last] => {
                Self::Several { range: (first.between.0, last.between.1), changes }
            }
        };
        Standing { crossover, undecided, has_error_bars: is_known }
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

/// The stretches on which the order is not certain, but for those in which it changes.
fn undecided(points: &[RatioPoint], changes: &[Overtaking]) -> Vec<Stretch> {
    let is_in = |point: &RatioPoint, change: &Overtaking| {
        let threads = point.place as usize;
        change.between.0 < threads && threads < change.between.1
    };
    let is_open = |point: &RatioPoint| {
        !point.is_certain_among(points.len()) && !changes.iter().any(|change| is_in(point, change))
    };
    let open = points.chunk_by(|a, b| is_open(a) == is_open(b)).filter(|chunk| is_open(&chunk[0]));
    open.map(|chunk| (chunk[0].place as usize, chunk[chunk.len() - 1].place as usize)).collect()
}

/// The other over the baseline on each number of threads that one of them has and that lies within both.
fn ratios(baseline: &Curve, other: &Curve) -> Vec<RatioPoint> {
    let mut counts: Vec<usize> =
        baseline.points.iter().chain(&other.points).map(|point| point.threads).collect();
    counts.sort_unstable();
    counts.dedup();
    let ratio = |threads: &usize| {
        let (base, other) = (at(&baseline.points, *threads)?, at(&other.points, *threads)?);
        let whole = |point: &RatioPoint| Interval::around(1.0, point.margin(), point.freedom);
        Some(RatioPoint {
            place: *threads as f64,
            log: other.log - base.log,
            own_half: other.own_half.hypot(base.own_half),
            shared_half: other.shared_half.hypot(base.shared_half),
            freedom: whole(&other).ratio_to(&whole(&base)).freedom,
        })
    };
    counts.iter().filter_map(ratio).collect()
}

/// A curve on a number of threads, straight between its neighbours where both axes are logarithmic. `None` outside.
fn at(points: &[Point], threads: usize) -> Option<RatioPoint> {
    let point = |point: &Point| RatioPoint {
        place: point.threads as f64,
        log: point.throughput.interval.centre.ln(),
        own_half: point.throughput.own.margin(),
        shared_half: point.throughput.run_effect.margin,
        freedom: point.throughput.interval.freedom,
    };
    if let Some(measured) = points.iter().find(|point| point.threads == threads) {
        return Some(point(measured));
    }
    let pair =
        points.windows(2).find(|pair| pair[0].threads < threads && threads < pair[1].threads)?;
    Some(RatioPoint::on_the_way(&point(&pair[0]), &point(&pair[1]), threads as f64))
}
