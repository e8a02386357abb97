//! Two settings of one case, compared pair by pair.

use super::clusters::clusters;
use super::cores::Cores;
use super::cores::LEAST_OWN_SAMPLES;
use super::look::{Look, undisturbed};
use super::memory::is_quiet;
use stats::clustered_median;
use std::collections::BTreeMap;
use verdict::RunEffect;
use verdict::View;

/// The other over the baseline: the median over pairs of uncontended samples of one round, with an interval that
/// accounts for correlation within a launch; without a neighbour on the memory in either, if there are enough such pairs. A
/// moment affects both samples of a pair, so there is no run effect.
/// `None` if there are too few pairs.
pub fn paired(baseline: &[Look], other: &[Look], cores: &Cores) -> Option<View> {
    let speed = |look: &Look| Some(cores.own(look)?.speed());
    let quiet = |look: &Look| if is_quiet(look, cores.memory) { speed(look) } else { None };
    let view = |speed: &dyn Fn(&Look) -> Option<f64>| {
        of_pairs(undisturbed(baseline), undisturbed(other), speed)
    };
    view(&quiet).or_else(|| view(&speed))
}

/// Uses all samples. Other work takes CPU time from both samples of a pair equally often, so the median is as accurate as for
/// uncontended samples, but less precise.
pub fn paired_delivered(baseline: &[Look], other: &[Look]) -> Option<View> {
    of_pairs(baseline.iter(), other.iter(), |look| Some(look.throughput))
}

/// The median ratio over pairs of one round.
pub(super) fn of_pairs<'a>(
    baseline: impl Iterator<Item = &'a Look>,
    other: impl Iterator<Item = &'a Look>,
    speed: impl Fn(&Look) -> Option<f64>,
) -> Option<View> {
    let of_baseline: BTreeMap<u64, f64> =
        baseline.filter_map(|look| Some((look.round, speed(look)?))).collect();
    let ratio = |look: &Look| Some((look.launch, speed(look)? / of_baseline.get(&look.round)?));
    let (launches, ratios): (Vec<u64>, Vec<f64>) = other.filter_map(ratio).unzip();
    if ratios.len() < LEAST_OWN_SAMPLES {
        return None;
    }
    let count = ratios.len();
    let clustered: Vec<(u64, f64)> = clusters(&launches).into_iter().zip(ratios).collect();
    Some(View::of(clustered_median(&clustered)?, RunEffect::NONE, count))
}

#[cfg(test)]
mod tests;
