//! Chooses the cases of a round and their order.

use super::budget::affordable;
use super::runner::Runner;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use stats::median;
use std::time::Duration;

/// If turns of this length leave too little time for a figure of each case, keeps only as many of the most representative
/// workloads as fit. The others wait for a faster pace, and so do cases that have a figure. `order` lists case numbers,
/// the most representative first.
pub(super) fn concentrated<'a>(
    cases: Vec<&'a Runner>,
    order: &[usize],
    turn: Duration,
    left: Duration,
) -> Vec<&'a Runner> {
    let lacks = |number: &usize| {
        cases.iter().copied().find(|case| case.number() == *number && !case.has_figure())
    };
    let lacking: Vec<&Runner> = order.iter().filter_map(lacks).collect();
    let workloads: Vec<&[&Runner]> =
        lacking.chunk_by(|a, b| a.case().workload == b.case().workload).collect();
    let missing = |cases: &&[&Runner]| cases.iter().map(|case| case.missing_samples()).sum();
    let samples: Vec<usize> = workloads.iter().map(missing).collect();
    let count = affordable(&samples, turn, left);
    if count < workloads.len() { workloads[..count].concat() } else { cases }
}

/// The typical duration of a turn; `None` before the first.
pub(super) fn pace(cases: &[Runner]) -> Option<Duration> {
    let paces = cases.iter().filter_map(Runner::pace);
    let turns_ns: Vec<f64> = paces.map(|turn| turn.as_nanos() as f64).collect();
    (!turns_ns.is_empty()).then(|| Duration::from_nanos(median(&turns_ns) as u64))
}

/// Groups the variants of each case.
pub(super) fn together(cases: Vec<&Runner>) -> Vec<Vec<&Runner>> {
    let mut groups: Vec<Vec<&Runner>> = Vec::new();
    for case in cases {
        match groups.iter_mut().find(|group| case.is_variant_of(group[0])) {
            Some(group) => group.push(case),
            None => groups.push(vec![case]),
        }
    }
    groups
}

/// The half with the largest margins. Rows without a figure come first; of rows with equal margins (on a busy machine none
/// may have one), those with fewer samples.
pub(super) fn least_converged_half(mut groups: Vec<Vec<&Runner>>) -> Vec<Vec<&Runner>> {
    let margin = |group: &[&Runner]| group[0].margin().unwrap_or(f64::INFINITY);
    let have_figures = |group: &[&Runner]| group.iter().all(|case| case.has_figure());
    let samples = |group: &[&Runner]| group[0].looks().len();
    groups.sort_by(|a, b| {
        let by_margin = || margin(b).total_cmp(&margin(a));
        let by_samples = || samples(a).cmp(&samples(b));
        have_figures(a).cmp(&have_figures(b)).then_with(by_margin).then_with(by_samples)
    });
    groups.truncate(groups.len().div_ceil(2));
    groups
}

/// Shuffles the groups, and the cases of each group.
pub(super) fn shuffled(mut groups: Vec<Vec<&Runner>>, seed: u64) -> Vec<&Runner> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    groups.shuffle(&mut random);
    groups.iter_mut().for_each(|group| group.shuffle(&mut random));
    groups.concat()
}

#[cfg(test)]
mod tests {
    use super::super::runner::samples::runner;
    use super::*;
    use std::collections::BTreeSet;

    const SECOND: Duration = Duration::from_secs(1);

    fn numbers(cases: &[&Runner]) -> Vec<usize> {
        cases.iter().map(|case| case.number()).collect()
    }

    /// Two workloads in two variants each, and a third.
    fn five() -> Vec<Runner> {
        let variant = |number, workload, name| runner(number, workload).in_variant(name);
        vec![
            variant(0, "a/a", "old"),
            variant(1, "b/b", "old"),
            variant(2, "a/a", "new"),
            runner(3, "c/c"),
            variant(4, "b/b", "new"),
        ]
    }

    #[test]
    fn variants_of_a_case_stay_together_in_a_random_order_that_the_seed_determines() {
        let cases = five();
        let order = |seed| numbers(&shuffled(together(cases.iter().collect()), seed));
        assert_eq!(order(7), order(7));
        for seed in 0..20 {
            let order = order(seed);
            let at = |number| order.iter().position(|other| *other == number).unwrap();
            assert!(at(0).abs_diff(at(2)) == 1 && at(1).abs_diff(at(4)) == 1, "{order:?}");
        }
        let orders: BTreeSet<Vec<usize>> = (0..200).map(order).collect();
        assert_eq!(orders.len(), 24, "3 groups, 2 of them with 2 cases: 6 × 4 orders");
    }

    #[test]
    fn the_least_converged_half_lacks_a_figure_or_has_the_largest_margins_or_the_fewest_samples() {
        let cases = [
            runner(0, "a/a").with_samples(8).with_margin(0.3),
            runner(1, "b/b").with_samples(7).with_margin(0.1),
            runner(2, "c/c").with_samples(9),
            runner(3, "d/d").with_samples(8),
            runner(4, "e/e").with_samples(8).with_margin(0.2),
        ];
        let margin = |cases: &[Runner]| {
            numbers(&least_converged_half(together(cases.iter().collect())).concat())
        };
        assert_eq!(margin(&cases), [1, 3, 2]);
        assert_eq!(margin(&cases[3..]), [3]);
        assert_eq!(margin(&cases[4..]), [4]);
    }

    #[test]
    fn if_time_is_short_the_most_representative_workloads_without_a_figure_come_first() {
        let cases = [
            runner(0, "a/a").with_samples(8),
            runner(1, "b/b").with_samples(6),
            runner(2, "c/c").with_samples(4),
            runner(3, "d/d"),
        ];
        let kept = |left| {
            numbers(&concentrated(cases.iter().collect(), &[0, 3, 2, 1], SECOND, SECOND * left))
        };
        assert_eq!(kept(14), [0, 1, 2, 3], "8, 4 and 2 samples are missing");
        assert_eq!(kept(13), [3, 2]);
        assert_eq!(kept(0), [3]);
    }

    #[test]
    fn the_pace_is_the_median_turn() {
        assert_eq!(pace(&[runner(0, "a/a")]), None);
        let runner_of = |number, seconds| runner(number, "a/a").with_pace(SECOND * seconds);
        assert_eq!(
            pace(&[runner_of(0, 1), runner_of(1, 9), runner_of(2, 2), runner(3, "a/a")]),
            Some(SECOND * 2)
        );
    }
}
