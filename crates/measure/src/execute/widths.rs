//! Keeps the margins of all cases up to date.

use super::runner::Runner;
use estimate::{CaseEstimate, Cores, RunEstimate, find, left_beside, paired};
use std::collections::{BTreeMap, BTreeSet};

/// Estimates the margin of each case in the view that decides convergence, and stores it in the case.
#[derive(Debug, Default)]
pub(super) struct Widths {
    /// How many samples the last estimate had.
    samples: usize,
    /// The thread counts at which some threads share a core.
    sharing: BTreeSet<usize>,
}

impl Widths {
    pub fn new(sharing: BTreeSet<usize>) -> Self {
        Self { sharing, ..Self::default() }
    }

    /// Estimates again once there are 5 % more samples. Each estimate processes all samples, and over a long run the total
    /// time must not grow with the square of its length.
    pub fn refresh(&mut self, cases: &mut [Runner]) {
        let samples: usize = cases.iter().map(|case| case.looks().len()).sum();
        if samples * 20 < self.samples * 21 {
            return;
        }
        self.samples = samples;
        let taken = cases.iter_mut().map(|case| std::mem::take(case.looks_mut())).collect();
        let RunEstimate { cases: estimates, looks, cores, .. } =
            RunEstimate::of_looks(taken, &self.sharing);
        let uncontended = |case: &CaseEstimate| Some(case.uncontended?.interval.margin());
        for ((case, looks), estimate) in cases.iter_mut().zip(looks).zip(&estimates) {
            *case.looks_mut() = looks;
            case.set_margin(estimate.as_ref().and_then(uncontended));
        }
        of_variants(cases, &cores);
        cases.iter_mut().for_each(|case| beside(case, cores.get(&case.case().threads)));
    }
}

/// A row measured beside co-runners gets the largest margin of what it keeps, if that is larger than its own.
fn beside(case: &mut Runner, cores: Option<&Cores>) {
    let mut looks = std::mem::take(case.looks_beside_mut());
    let mut widest = case.margin();
    for beside in looks.values_mut().filter(|_| case.case().is_row()) {
        find(beside);
        let left = left_beside(case.looks(), beside, cores);
        let margin = left.map(|(left, _)| left.interval.margin());
        widest = widest.zip(margin).map(|(widest, margin)| widest.max(margin));
    }
    case.set_margin(widest);
    *case.looks_beside_mut() = looks;
}

/// Variants get the largest margin of their ratios to the first. One that has ended gets no further samples, so the others
/// don't wait for it; if that is the first, each variant keeps its own margin.
fn of_variants(cases: &mut [Runner], cores: &BTreeMap<usize, Cores>) {
    for first in 0..cases.len() {
        let (before, rest) = cases.split_at_mut(first);
        let Some((first, after)) = rest.split_first_mut() else { continue };
        let is_first = !before.iter().any(|before| first.is_variant_of(before));
        let is_living_other =
            |other: &&mut Runner| other.is_variant_of(first) && !other.has_ended();
        let mut others: Vec<&mut Runner> = after.iter_mut().filter(is_living_other).collect();
        let Some(cores) = cores.get(&first.case().threads) else { continue };
        if others.is_empty() || !is_first || first.has_ended() {
            continue;
        }
        let margin = |other: &&mut Runner| {
            paired(first.looks(), other.looks(), cores)
                .map_or(f64::INFINITY, |view| view.interval.margin())
        };
        let widest = others.iter().map(margin).fold(0.0, f64::max);
        let widest = widest.is_finite().then_some(widest);
        first.set_margin(widest);
        others.iter_mut().for_each(|other| other.set_margin(widest));
    }
}
