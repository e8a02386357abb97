//! Which cases a round has, and in which order.

use super::budget::affordable;
use super::runner::Runner;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use stats::median;
use std::time::Duration;

/// If there is no time for the windows of a figure for each of these cases, where turns take so long, keeps the most telling
/// workloads for which there is. The others wait for a better pace, and so do cases that have a figure. `telling` is cases'
/// numbers, the most telling first.
pub(super) fn concentrated<'a>(
    cases: Vec<&'a Runner>,
    telling: &[usize],
    turn: Duration,
    left: Duration,
) -> Vec<&'a Runner> {
    let lacks = |number: &usize| {
        cases.iter().copied().find(|case| case.number() == *number && !case.has_figure())
    };
    let lacking: Vec<&Runner> = telling.iter().filter_map(lacks).collect();
    let workloads: Vec<&[&Runner]> =
        lacking.chunk_by(|a, b| a.case().workload == b.case().workload).collect();
    let missing = |cases: &&[&Runner]| cases.iter().map(|case| case.missing_windows()).sum();
    let windows: Vec<usize> = workloads.iter().map(missing).collect();
    let count = affordable(&windows, turn, left);
    if count < workloads.len() { workloads[..count].concat() } else { cases }
}

/// How long a turn takes here, as far as is known.
pub(super) fn pace(cases: &[Runner]) -> Option<Duration> {
    let paces = cases.iter().filter_map(Runner::pace);
    let turns_ns: Vec<f64> = paces.map(|turn| turn.as_nanos() as f64).collect();
    (!turns_ns.is_empty()).then(|| Duration::from_nanos(median(&turns_ns) as u64))
}

/// Variants of one case next to each other.
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

/// The wider half. Rows that lack a figure come first, and of rows that are as wide (on a busy machine none may have a width)
/// those with fewer windows.
pub(super) fn wider_half(mut groups: Vec<Vec<&Runner>>) -> Vec<Vec<&Runner>> {
    let half = |group: &[&Runner]| group[0].half().unwrap_or(f64::INFINITY);
    let have_figures = |group: &[&Runner]| group.iter().all(|case| case.has_figure());
    let windows = |group: &[&Runner]| group[0].looks().len();
    groups.sort_by(|a, b| {
        let by_width = || half(b).total_cmp(&half(a));
        let by_windows = || windows(a).cmp(&windows(b));
        have_figures(a).cmp(&have_figures(b)).then_with(by_width).then_with(by_windows)
    });
    groups.truncate(groups.len().div_ceil(2));
    groups
}

/// In random order, and each group, too.
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
    fn variants_of_a_case_are_measured_next_to_each_other_in_a_random_order_that_the_seed_decides()
    {
        let cases = five();
        let order = |seed| numbers(&shuffled(together(cases.iter().collect()), seed));
        assert_eq!(order(7), order(7));
        for seed in 0..20 {
            let order = order(seed);
            let at = |number| order.iter().position(|other| *other == number).unwrap();
            assert!(at(0).abs_diff(at(2)) == 1 && at(1).abs_diff(at(4)) == 1, "{order:?}");
        }
        let orders: BTreeSet<Vec<usize>> = (0..200).map(order).collect();
        assert_eq!(orders.len(), 24, "3 groups, of which 2 have 2: 6 times 4 orders");
    }

    #[test]
    fn the_wider_half_is_what_lacks_a_figure_then_what_is_widest_then_what_has_fewer_windows() {
        let cases = [
            runner(0, "a/a").with_windows(8).with_half(0.3),
            runner(1, "b/b").with_windows(7).with_half(0.1),
            runner(2, "c/c").with_windows(9),
            runner(3, "d/d").with_windows(8),
            runner(4, "e/e").with_windows(8).with_half(0.2),
        ];
        let half =
            |cases: &[Runner]| numbers(&wider_half(together(cases.iter().collect())).concat());
        assert_eq!(half(&cases), [1, 3, 2]);
        assert_eq!(half(&cases[3..]), [3]);
        assert_eq!(half(&cases[4..]), [4]);
    }

    #[test]
    fn where_time_is_short_the_most_telling_workloads_that_lack_a_figure_get_it() {
        let cases = [
            runner(0, "a/a").with_windows(8),
            runner(1, "b/b").with_windows(6),
            runner(2, "c/c").with_windows(4),
            runner(3, "d/d"),
        ];
        let kept = |left| {
            numbers(&concentrated(cases.iter().collect(), &[0, 3, 2, 1], SECOND, SECOND * left))
        };
        assert_eq!(kept(14), [0, 1, 2, 3], "8, 4 and 2 windows are missing");
        assert_eq!(kept(13), [3, 2]);
        assert_eq!(kept(0), [3]);
    }

    #[test]
    fn the_pace_is_the_median_of_turns_that_there_were() {
        assert_eq!(pace(&[runner(0, "a/a")]), None);
        let of = |number, seconds| runner(number, "a/a").with_pace(SECOND * seconds);
        assert_eq!(pace(&[of(0, 1), of(1, 9), of(2, 2), runner(3, "a/a")]), Some(SECOND * 2));
    }
}
