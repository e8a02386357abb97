//! Keeps the margins of all cases up to date.

use super::runner::Runner;
use estimate::{
    CaseEstimate, Cores, RunEstimate, find_clocks_and_disturbances, left_beside, paired,
};
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
        of_co_runners(cases, &cores);
    }
}

/// A row measured beside co-runners gets the largest margin of its own figure and of what it keeps beside each number of
/// them; none as long as one of these has none. Co-runners that have ended are not waited for.
fn of_co_runners(cases: &mut [Runner], cores: &BTreeMap<usize, Cores>) {
    let is_living = |case: &&Runner| case.is_co_runner() && !case.has_ended();
    let living: Vec<usize> = cases.iter().filter(is_living).map(Runner::number).collect();
    for case in cases.iter_mut().filter(|case| case.case().is_row() && !living.is_empty()) {
        let mut beside = std::mem::take(case.looks_beside_mut());
        beside.values_mut().for_each(|looks| find_clocks_and_disturbances(looks));
        let cores = cores.get(&case.case().threads);
        let margin = |other: &usize| {
            let (left, _) = left_beside(case.looks(), beside.get(other)?, cores)?;
            Some(left.interval.margin())
        };
        let widest =
            living.iter().map(margin).try_fold(0.0, |most: f64, margin| Some(most.max(margin?)));
        case.set_margin(case.margin().zip(widest).map(|(own, widest)| own.max(widest)));
        *case.looks_beside_mut() = beside;
    }
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

#[cfg(test)]
mod tests {
    use super::super::runner::samples::runner;
    use super::*;

    /// A row with a margin, samples beside co-runner 1, and co-runners.
    fn cases(samples: usize, ended: bool) -> Vec<Runner> {
        let mut row = runner(0, "a/a").with_samples(20).with_margin(0.01);
        let looks = row.looks()[..samples].to_vec();
        row.looks_beside_mut().insert(1, looks);
        let other = runner(1, "b/b").for_co_runners();
        vec![row, if ended { other.ended() } else { other }]
    }

    fn margin(mut cases: Vec<Runner>) -> Option<f64> {
        of_co_runners(&mut cases, &BTreeMap::new());
        cases[0].margin()
    }

    #[test]
    fn a_row_has_no_margin_before_it_has_one_beside_each_number_of_co_runners_that_still_run() {
        assert_eq!(margin(cases(5, false)), None, "too few pairs");
        assert_eq!(margin(cases(5, true)), Some(0.01));
        let mut none_yet = cases(20, false);
        none_yet.push(runner(2, "b/b").for_co_runners());
        assert_eq!(margin(none_yet), None);
    }
}
