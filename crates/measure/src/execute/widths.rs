//! How wide the intervals are so far.

use super::bench::Bench;
use estimate::{CaseEstimate, Cores, RunEstimate, paired};
use std::collections::{BTreeMap, BTreeSet};

/// The half-width of each case's interval in the view that is judged by.
#[derive(Debug, Default)]
pub(super) struct Widths {
    halves: Vec<Option<f64>>,
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
    pub fn refresh(&mut self, benches: &mut [Bench]) {
        let windows: usize = benches.iter().map(|bench| bench.progress.looks.len()).sum();
        if windows * 20 < self.windows * 21 && self.halves.len() == benches.len() {
            return;
        }
        let take = |bench: &mut Bench| std::mem::take(&mut bench.progress.looks);
        let mut estimate =
            RunEstimate::of_looks(benches.iter_mut().map(take).collect(), &self.sharing);
        for (bench, looks) in benches.iter_mut().zip(std::mem::take(&mut estimate.looks)) {
            bench.progress.looks = looks;
        }
        let own_core = |case: &CaseEstimate| Some(case.own_core?.interval.half());
        self.halves = estimate.cases.iter().map(|case| own_core(case.as_ref()?)).collect();
        self.windows = windows;
        self.of_variants(benches, &estimate.cores);
    }

    /// Of a case; `None` if it has no interval yet.
    pub fn half(&self, case: usize) -> Option<f64> {
        self.halves.get(case).copied().flatten()
    }

    /// Variants are as narrow as the widest of their ratios to the first. One that has ended gets no
    /// further window, so the others don't wait for it; and if that is the first, each stands for itself.
    fn of_variants(&mut self, benches: &[Bench], cores: &BTreeMap<usize, Cores>) {
        for (first, bench) in benches.iter().enumerate() {
            let is_living_other =
                |i: &usize| benches[*i].is_variant_of(bench) && !benches[*i].progress.ended;
            let others: Vec<usize> = (first + 1..benches.len()).filter(is_living_other).collect();
            let is_first = !benches[..first].iter().any(|before| bench.is_variant_of(before));
            let Some(cores) = cores.get(&bench.task.case.threads) else { continue };
            if others.is_empty() || !is_first || bench.progress.ended {
                continue;
            }
            let half = |&other: &usize| {
                let looks = (&bench.progress.looks, &benches[other].progress.looks);
                paired(looks.0, looks.1, cores).map_or(f64::INFINITY, |view| view.interval.half())
            };
            let widest = others.iter().map(half).fold(0.0, f64::max);
            for case in others.into_iter().chain([first]) {
                self.halves[case] = widest.is_finite().then_some(widest);
            }
        }
    }
}
