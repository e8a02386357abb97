//! One workload of one group over numbers of threads.

use crate::compare::{Difference, Group, MustMatch, differences_within};
use catalog::Unit;
use estimate::View;
use serde::Serialize;
use stats::{Interval, ScalingPoint, Usl, mean, student_quantile};
use std::collections::BTreeSet;

/// The law does not fit if points lie further from it than this …
const LEAST_MISFIT: f64 = 0.03;
/// … and so many times as far as they may be off by themselves.
const MISFIT_FACTOR: f64 = 2.0;

/// Throughput against the number of threads.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Curve {
    /// The group.
    pub group: String,
    /// Unit counted per second.
    pub unit: Unit,
    /// By rising number of threads.
    pub points: Vec<Point>,
    /// A property that must match but differs between these points or their runs: the points make no curve, and nothing is
    /// computed from them.
    pub refused: Option<Difference>,
    /// Differences of that kind that were allowed.
    pub allowed: Vec<Difference>,
    /// Cores of the machine; `None` where they are not known, or runs differ in them.
    #[serde(skip)]
    pub core_count: Option<usize>,
    /// The Universal Scalability Law that fits the points best; `None` with fewer than four numbers of threads.
    pub usl: Option<Usl>,
    /// How far the points lie from the law, if that is too far to use it.
    pub misfit: Option<Misfit>,
    /// Gain from further threads on each core; `None` where it was not measured or the cores are not known.
    pub smt_yield: Option<SmtYield>,
    /// Gain from further sockets; `None` where it was not measured or the sockets are not known.
    pub socket_effect: Option<SocketEffect>,
}

/// One number of threads.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Point {
    /// How many threads.
    pub threads: usize,
    /// On how many cores they were; `None` where that is not known.
    pub cores: Option<usize>,
    /// On how many sockets; `None` where that is not known.
    pub sockets: Option<usize>,
    /// Their throughput together.
    pub throughput: View,
    /// As far as its only run knows itself: points of a run are compared by that.
    #[serde(skip)]
    pub within: View,
    /// Over that of one thread; `None` where one was not measured.
    pub speed_up: Option<Interval>,
    /// Speed-up per thread.
    pub efficiency: Option<Interval>,
}

/// How badly the law fits.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Misfit {
    /// Root mean square of how far points lie from the law: 0.05 is 5 %.
    pub residual: f64,
    /// Root mean square of the points' own standard errors.
    pub noise: f64,
}

/// Gain from SMT: all threads of some cores against one thread on each of them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct SmtYield {
    /// The cores.
    pub cores: usize,
    /// Their threads.
    pub threads: usize,
    /// Throughput with all these threads over that with one a core.
    pub ratio: Interval,
}

/// One socket full, and several.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct SocketEffect {
    /// How many sockets.
    pub sockets: usize,
    /// Throughput of all over as many times that of one: 1 where sockets do not hinder each other.
    pub ratio: Interval,
}

impl Curve {
    /// `None` if the group has no figure of the workload.
    pub(super) fn of(group: &Group, workload: &str, allow: &[MustMatch]) -> Option<Self> {
        let mut points: Vec<Point> = Vec::new();
        let mut unit: Option<&Unit> = None;
        let mut known = BTreeSet::new();
        for row in group.rows_named(workload) {
            let views = group.rows[row].view.zip(group.view_within(row));
            let (Some(figure), Some((throughput, within))) = (group.first_figure(row), views)
            else {
                continue;
            };
            // Points of another unit are what `refused` is about.
            let is_like = *unit.get_or_insert(&figure.unit) == &figure.unit;
            if is_like && known.insert(figure.threads) {
                let (threads, cores, sockets) = (figure.threads, figure.cores, figure.sockets);
                let (speed_up, efficiency) = (None, None);
                points.push(Point {
                    threads,
                    cores,
                    sockets,
                    throughput,
                    within,
                    speed_up,
                    efficiency,
                });
            }
        }
        points.sort_by_key(|point| point.threads);
        let unit = unit?.clone();
        let found = differences_within(group, workload);
        let refused = found.iter().find(|difference| !allow.contains(&difference.kind)).cloned();
        let bare = Self {
            group: group.label.clone(),
            unit,
            points,
            allowed: if refused.is_some() { Vec::new() } else { found },
            refused,
            core_count: core_count(group),
            usl: None,
            misfit: None,
            smt_yield: None,
            socket_effect: None,
        };
        Some(if bare.refused.is_some() { bare } else { bare.judged() })
    }

    /// With what its points amount to.
    fn judged(self) -> Self {
        let mut points = self.points;
        let one = points.first().filter(|point| point.threads == 1);
        let one = one.map(|point| point.within.interval);
        for point in &mut points {
            point.speed_up = one.map(|one| match point.threads {
                1 => Interval::exact(1.0),
                _ => point.within.interval.ratio_to(&one),
            });
            point.efficiency =
                point.speed_up.map(|speed_up| speed_up.scaled(1.0 / point.threads as f64));
        }
        let of_law: Vec<ScalingPoint> = points
            .iter()
            .map(|point| {
                let throughput = point.throughput.interval.centre;
                ScalingPoint { threads: point.threads, throughput }
            })
            .collect();
        let usl = Usl::fit(&of_law);
        let misfit = usl.and_then(|usl| misfit(&usl, &points));
        let (smt_yield, socket_effect) = (smt_yield(&points), socket_effect(&points));
        Self { points, usl, misfit, smt_yield, socket_effect, ..self }
    }
}

fn core_count(group: &Group) -> Option<usize> {
    let mut counts = group.runs.iter().map(|run| run.core_count);
    let first = counts.next()??;
    counts.all(|count| count == Some(first)).then(|| usize::try_from(first).ok())?
}

fn misfit(usl: &Usl, points: &[Point]) -> Option<Misfit> {
    let deviation = |row: Interval| row.margin() / student_quantile(row.freedom, 0.95);
    let squares: Vec<f64> =
        points.iter().map(|point| deviation(point.throughput.own).powi(2)).collect();
    let noise = mean(&squares).sqrt();
    let noise = if noise.is_finite() { noise } else { 0.0 };
    let misfit = Misfit { residual: usl.residual, noise };
    (usl.residual > LEAST_MISFIT && usl.residual > MISFIT_FACTOR * noise).then_some(misfit)
}

/// Uses the largest number of cores that was measured both ways.
fn smt_yield(points: &[Point]) -> Option<SmtYield> {
    let mut one_each = points.iter().rev().filter(|point| point.cores == Some(point.threads));
    one_each.find_map(|one_each| {
        let is_full =
            |point: &&Point| point.cores == one_each.cores && point.threads > one_each.threads;
        let full = points.iter().rfind(is_full)?;
        let ratio = full.within.interval.ratio_to(&one_each.within.interval);
        Some(SmtYield { cores: one_each.threads, threads: full.threads, ratio })
    })
}

/// Uses the largest number of sockets of which one alone was measured with as many threads and cores.
fn socket_effect(points: &[Point]) -> Option<SocketEffect> {
    let mut several = points.iter().rev().filter(|point| point.sockets > Some(1));
    several.find_map(|several| {
        let sockets = several.sockets?;
        let is_one = |point: &&Point| {
            point.sockets == Some(1)
                && point.threads * sockets == several.threads
                && point.cores.map(|cores| cores * sockets) == several.cores
        };
        let one = points.iter().find(is_one)?;
        let ratio = several.within.interval.ratio_to(&one.within.interval);
        Some(SocketEffect { sockets, ratio: ratio.scaled(1.0 / sockets as f64) })
    })
}
