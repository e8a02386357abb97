//! Intervals over several hosts hold the truth as often as they say, and a kind of machine compared with itself is
//! seldom called different: on synthetic hosts, with fixed seeds.

use super::{Layout, Lottery, kept};
use std::ops::RangeInclusive;

/// Accepted coverage of 95 % intervals.
const PROMISED: RangeInclusive<f64> = 0.93..=0.97;
/// Bounds that coverage by so few scores, one a pair of groups, leaves in one of a hundred cases if it is 95 % in truth.
const PROMISED_OF_SCORES: RangeInclusive<f64> = 0.914..=0.986;
/// As few as still tell an interval that is a tenth too narrow.
const RUNS: u64 = 250;

fn assert_promised(lottery: Lottery, layout: Layout, hosts: usize, rows: usize) {
    assert_kept(lottery, layout, hosts, rows, PROMISED);
}

fn assert_kept(
    lottery: Lottery,
    layout: Layout,
    hosts: usize,
    rows: usize,
    of_scores: RangeInclusive<f64>,
) {
    let kept = kept(lottery, layout, hosts, rows, RUNS);
    println!("{hosts} hosts, {rows} rows, {layout:?}, {lottery:?}: {kept:?}");
    assert!(PROMISED.contains(&kept.rows), "{kept:?}");
    for share in [kept.scores, kept.prices] {
        assert!(of_scores.contains(&share), "{kept:?}");
    }
    assert!(kept.alarms <= 0.05, "{kept:?}");
}

#[test]
fn intervals_over_hosts_that_differ_as_wholes_hold_the_truth() {
    let lottery = Lottery { host_sd: 0.03, run_sd: 0.0, row_sd: (0.004, 0.012) };
    assert_promised(lottery, Layout::Whole, 3, 100);
    assert_promised(lottery, Layout::Whole, 8, 30);
}

#[test]
fn intervals_over_hosts_whose_rows_differ_hold_the_truth() {
    let lottery = Lottery { host_sd: 0.01, run_sd: 0.0, row_sd: (0.01, 0.03) };
    assert_promised(lottery, Layout::Whole, 4, 30);
}

#[test]
fn intervals_over_hosts_that_lack_rows_hold_the_truth() {
    let lottery = Lottery { host_sd: 0.03, run_sd: 0.0, row_sd: (0.004, 0.012) };
    assert_promised(lottery, Layout::Patchy, 5, 60);
}

#[test]
fn intervals_over_hosts_that_were_measured_suite_by_suite_hold_the_truth() {
    let lottery = Lottery { host_sd: 0.02, run_sd: 0.02, row_sd: (0.004, 0.012) };
    assert_kept(lottery, Layout::Suites, 4, 60, PROMISED_OF_SCORES);
    assert_kept(lottery, Layout::SharedRows, 4, 60, PROMISED_OF_SCORES);
}

#[test]
fn intervals_over_runs_of_one_host_that_measured_different_suites_hold_the_truth() {
    let lottery = Lottery { host_sd: 0.0, run_sd: 0.02, row_sd: (0.004, 0.012) };
    assert_kept(lottery, Layout::OneHost, 3, 60, PROMISED_OF_SCORES);
}

#[test]
fn intervals_over_hosts_of_which_one_lacks_a_suite_hold_the_truth() {
    let lottery = Lottery { host_sd: 0.02, run_sd: 0.02, row_sd: (0.004, 0.012) };
    assert_kept(lottery, Layout::LackingRun, 4, 60, PROMISED_OF_SCORES);
}
