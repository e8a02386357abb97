//! How wide the intervals are so far.

use super::runner::Runner;
use estimate::{CaseEstimate, Cores, RunEstimate, paired};
use std::collections::{BTreeMap, BTreeSet};

/// Looks at the half-width of each case's interval in the view that is judged by, and tells it to the case.
#[derive(Debug, Default)]
pub(super) struct Widths {
    /// How many windows there were when they were looked at.
    windows: usize,
    /// The numbers of threads of which some share a core with each other.
    sharing: BTreeSet<usize>,
}

impl Widths {
    /// Of a run in which these numbers of threads share cores with each other.
    pub fn new(sharing: BTreeSet<usize>) -> Self {
        Self { sharing, ..Self::default() }
    }

    /// Looks again if there are a twentieth more windows: all of them are gone through each time, and over
    /// a long run the time that this takes must not grow with the square of its length.
    pub fn refresh(&mut self, cases: &mut [Runner]) {
        let windows: usize = cases.iter().map(|case| case.looks().len()).sum();
        if windows * 20 < self.windows * 21 {
            return;
        }
        self.windows = windows;
        let taken = cases.iter_mut().map(|case| std::mem::take(case.looks_mut())).collect();
        let RunEstimate { cases: estimates, looks, cores, .. } =
            RunEstimate::of_looks(taken, &self.sharing);
        let own_core = |case: &CaseEstimate| Some(case.own_core?.interval.half());
        for ((case, looks), estimate) in cases.iter_mut().zip(looks).zip(&estimates) {
            *case.looks_mut() = looks;
            case.set_half(estimate.as_ref().and_then(own_core));
        }
        of_variants(cases, &cores);
    }
}

/// Variants are as narrow as the widest of their ratios to the first. One that has ended gets no
/// further window, so the others don't wait for it; and if that is the first, each stands for itself.
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
        let half = |other: &&mut Runner| {
            paired(first.looks(), other.looks(), cores)
                .map_or(f64::INFINITY, |view| view.interval.half())
        };
        let widest = others.iter().map(half).fold(0.0, f64::max);
        let widest = widest.is_finite().then_some(widest);
        first.set_half(widest);
        others.iter_mut().for_each(|other| other.set_half(widest));
    }
}
