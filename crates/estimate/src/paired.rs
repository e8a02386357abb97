//! Two settings of one case, compared pair by pair.

use super::clusters::clusters;
use super::cores::Cores;
use super::cores::LEAST_OWN_WINDOWS;
use super::level::Level;
use super::look::{Look, undisturbed};
use super::view::View;
use stats::clustered_median;
use std::collections::BTreeMap;

/// The other over the baseline: the median over the pairs of windows of one round, both on own cores, with
/// an interval that knows that the pairs of a launch are alike. What a moment has is in both windows of a
/// pair, so there is no level that could be off. `None` if there are too few pairs.
pub fn paired(baseline: &[Look], other: &[Look], cores: &Cores) -> Option<View> {
    let speed = |look: &Look| Some(cores.own(look)?.speed());
    of_pairs(undisturbed(baseline), undisturbed(other), speed)
}

/// The same of all windows, whatever others had of the CPUs: they take from both windows of a pair alike, as often from
/// the one as from the other, so that the median is as true as of windows on own cores, and less certain.
pub fn paired_delivered(baseline: &[Look], other: &[Look]) -> Option<View> {
    of_pairs(baseline.iter(), other.iter(), |look| Some(look.throughput))
}

fn of_pairs<'a>(
    baseline: impl Iterator<Item = &'a Look>,
    other: impl Iterator<Item = &'a Look>,
    speed: impl Fn(&Look) -> Option<f64>,
) -> Option<View> {
    let of_baseline: BTreeMap<u64, f64> =
        baseline.filter_map(|look| Some((look.round, speed(look)?))).collect();
    let ratio = |look: &Look| Some((look.launch, speed(look)? / of_baseline.get(&look.round)?));
    let (launches, ratios): (Vec<u64>, Vec<f64>) = other.filter_map(ratio).unzip();
    if ratios.len() < LEAST_OWN_WINDOWS {
        return None;
    }
    let count = ratios.len();
    let clustered: Vec<(u64, f64)> = clusters(&launches).into_iter().zip(ratios).collect();
    Some(View::of(clustered_median(&clustered)?, Level::NONE, count))
}

#[cfg(test)]
mod tests;
