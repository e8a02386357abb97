//! Throughput against threads on the page, and crossovers.

use super::round::{Numbers, Rounded, numbers};
use catalog::Unit;
use estimate::ViewKind;
use judge::compare::{Group, MustMatch};
use judge::scaling::{
    Against, Crossover, Curve, Overtaking, Scaling, curve_lines, scaling, scaling_from, sentence,
};
use serde::Serialize;
use stats::Interval;
use std::collections::BTreeMap;

/// With more groups than this, crossovers are against the first only.
const MOST_BASELINES: usize = 24;
/// A curve has so many numbers of threads at least: of two it is a line.
const LEAST_POINTS: usize = 3;

/// A workload over numbers of threads.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Scaling"))]
pub(super) struct PageScaling {
    workload: String,
    curves: Vec<PageCurve>,
    /// Crossovers of every other group, with each group as the baseline; empty for baselines that were not computed.
    crossovers: Vec<Vec<PageCrossover>>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Curve"))]
struct PageCurve {
    /// The group's place.
    group: usize,
    /// Unit counted per second.
    unit: Unit,
    /// Threads, throughput, efficiency.
    points: Vec<(usize, Numbers, Option<Numbers>)>,
    /// λ, σ and κ of the Universal Scalability Law, where it fits.
    law: Option<(Rounded, Rounded, Rounded)>,
    /// Sentences on the curve.
    words: Vec<String>,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Crossover"))]
struct PageCrossover {
    /// The other group's place.
    other: usize,
    words: String,
    /// Where both are even, between which numbers of threads, and the interval if it is known.
    changes: Vec<Change>,
}

/// Workload and number of threads → throughput of a group over that on one thread.
pub(super) type SpeedUps = BTreeMap<(String, usize), Interval>;

type Change = (Rounded, (usize, usize), Option<(Rounded, Rounded)>);

/// Curves of all workloads measured on several numbers of threads, and the speed-ups of each group. Reorders the groups
/// meanwhile and restores their order.
pub(super) fn curves(
    groups: &mut [Group],
    allow: &[MustMatch],
) -> (Vec<PageScaling>, Vec<SpeedUps>) {
    let labels: Vec<String> = groups.iter().map(|group| group.label.clone()).collect();
    let place = |label: &str| labels.iter().position(|known| known == label);
    let most = |scaling: &Scaling| scaling.curves.iter().map(|curve| curve.points.len()).max();
    let against_first = scaling(groups, allow);
    let speed_ups = labels.iter().map(|label| speed_ups(label, &against_first)).collect();
    let mut all: Vec<PageScaling> = against_first
        .iter()
        .filter(|scaling| most(scaling) >= Some(LEAST_POINTS))
        .map(|scaling| PageScaling {
            workload: scaling.workload.clone(),
            curves: scaling
                .curves
                .iter()
                .filter_map(|curve| Some(PageCurve::of(place(&curve.group)?, curve, scaling.view)))
                .collect(),
            crossovers: vec![Vec::new(); groups.len()],
        })
        .collect();
    let baselines = if groups.len() <= MOST_BASELINES { groups.len() } else { 1 };
    let crossover = |against: &Against| Some(PageCrossover::of(place(&against.other)?, against));
    let mut add = |baseline: usize, found: &[Scaling]| {
        for known in &mut all {
            let it = found.iter().find(|scaling| scaling.workload == known.workload);
            let against = it.into_iter().flat_map(|scaling| &scaling.crossovers);
            known.crossovers[baseline] = against.filter_map(crossover).collect();
        }
    };
    add(0, &against_first);
    for baseline in 1..baselines {
        groups.rotate_left(baseline);
        add(baseline, &scaling_from(groups, allow, LEAST_POINTS));
        groups.rotate_right(baseline);
    }
    (all, speed_ups)
}

fn speed_ups(label: &str, all: &[Scaling]) -> SpeedUps {
    let curves = all
        .iter()
        .flat_map(|scaling| scaling.curves.iter().map(|curve| (&scaling.workload, curve)));
    let of_group = curves.filter(|(_, curve)| curve.group == label);
    let points = of_group.flat_map(|(workload, curve)| {
        let several = curve.points.iter().filter(|point| point.threads > 1);
        several.filter_map(|point| Some(((workload.clone(), point.threads), point.speed_up?)))
    });
    points.collect()
}

impl PageCurve {
    fn of(group: usize, curve: &Curve, view: ViewKind) -> Self {
        Self {
            group,
            unit: curve.unit.clone(),
            points: curve
                .points
                .iter()
                .map(|point| {
                    let throughput = numbers(&point.throughput.interval);
                    (point.threads, throughput, point.efficiency.as_ref().map(numbers))
                })
                .collect(),
            law: curve.usl.filter(|_| curve.misfit.is_none()).map(|usl| {
                (Rounded(usl.lambda.centre), Rounded(usl.sigma.value), Rounded(usl.kappa.value))
            }),
            words: curve_lines(curve, view),
        }
    }
}

impl PageCrossover {
    fn of(other: usize, against: &Against) -> Self {
        let changes = match &against.crossover {
            Crossover::Once(once) => vec![*once],
            Crossover::Several { changes, .. } => changes.clone(),
            _ => Vec::new(),
        };
        let change = |overtaking: Overtaking| {
            let interval = overtaking
                .low
                .zip(overtaking.high)
                .map(|(low, high)| (Rounded(low), Rounded(high)));
            (Rounded(overtaking.at), overtaking.between, interval)
        };
        let changes = changes.into_iter().map(change).collect();
        Self { other, words: sentence(against), changes }
    }
}
