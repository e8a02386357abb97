//! Intervals over several hosts hold the truth as often as they say, and a kind of machine compared with itself is
//! seldom called different: on synthetic hosts, with fixed seeds.

use super::{Layout, Lottery, kept};

/// What 95 % intervals may come to.
const PROMISED: std::ops::RangeInclusive<f64> = 0.93..=0.97;
/// As few as still tell an interval that is a tenth too narrow.
const RUNS: u64 = 250;

fn assert_promised(lottery: Lottery, layout: Layout, hosts: usize, rows: usize) {
    let kept = kept(lottery, layout, hosts, rows, RUNS);
    println!("{hosts} hosts, {rows} rows, {layout:?}, {lottery:?}: {kept:?}");
    for (what, share) in [("scores", kept.scores), ("rows", kept.rows), ("prices", kept.prices)] {
        assert!(PROMISED.contains(&share), "{what}: {kept:?}");
    }
    assert!(kept.alarms <= 0.05, "{kept:?}");
}

#[test]
fn intervals_over_hosts_that_differ_as_wholes_hold_the_truth() {
    let lottery = Lottery { host_sd: 0.03, row_sd: (0.004, 0.012) };
    assert_promised(lottery, Layout::Whole, 3, 100);
    assert_promised(lottery, Layout::Whole, 8, 30);
}

#[test]
fn intervals_over_hosts_whose_rows_differ_hold_the_truth() {
    let lottery = Lottery { host_sd: 0.01, row_sd: (0.01, 0.03) };
    assert_promised(lottery, Layout::Whole, 4, 30);
}

#[test]
fn intervals_over_hosts_that_lack_rows_hold_the_truth() {
    let lottery = Lottery { host_sd: 0.03, row_sd: (0.004, 0.012) };
    assert_promised(lottery, Layout::Patchy, 5, 60);
}
