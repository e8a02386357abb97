//! Intervals hold the truth as often as they say, and comparisons of a machine with itself are quiet: on
//! synthetic noise, with fixed seeds, so that the outcome is always the same.

use super::{Coverage, coverage, slowed, variants};
use crate::noise::{Shape, rows as truth};
use estimate::ViewKind;

/// Accepted coverage of 95 % intervals.
const PROMISED: std::ops::RangeInclusive<f64> = 0.93..=0.97;
/// As few as still tell intervals of rows that are a tenth too narrow; `--bin calibration` looks at more.
const RUNS: u64 = 250;
/// Bounds that coverage by so few scores, one a run, leaves in one of a hundred cases if it is 95 % in truth.
const PROMISED_OF_SCORES: std::ops::RangeInclusive<f64> = 0.914..=0.986;
/// Runs with variants are short.
const RUNS_WITH_VARIANTS: u64 = 1000;
/// A bound that this share exceeds in one of a hundred cases if it is 4.7 % in truth, as it is of 10,000 runs with 60 samples
/// on a shared machine.
const MOST_ALARMS_OF_VARIANTS: f64 = 0.063;

/// `least` of all rows must have an interval: those without would look as if they were never wrong.
fn assert_promised(shape: Shape, rows: usize, rounds: u64, least: f64) -> Coverage {
    let coverage = coverage(shape, &truth(rows, 1), rounds, RUNS, ViewKind::Uncontended);
    println!("{rows} rows: {coverage:?}");
    assert!(PROMISED.contains(&coverage.rows), "rows, {coverage:?}");
    assert!(PROMISED_OF_SCORES.contains(&coverage.scores), "scores, {coverage:?}");
    assert!(coverage.intervals as f64 >= least * (rows as u64 * RUNS) as f64, "{coverage:?}");
    coverage
}

#[test]
fn intervals_of_a_long_suite_hold_the_truth_on_a_shared_machine_and_few_runs_have_a_row_called_different()
 {
    let coverage = assert_promised(Shape::SHARED, 98, 40, 0.8);
    assert!(coverage.alarms <= 0.05, "{coverage:?}");
}

#[test]
fn intervals_of_a_dozen_cases_hold_the_truth_on_a_shared_machine() {
    assert_promised(Shape::SHARED, 12, 300, 0.9);
}

#[test]
fn intervals_of_a_long_suite_hold_the_truth_on_a_quiet_machine_and_few_runs_have_a_row_called_different()
 {
    let coverage = assert_promised(Shape::QUIET, 98, 40, 0.99);
    // Quiet is not blind.
    assert!(coverage.alarms <= 0.05 && coverage.detectable < 0.01, "{coverage:?}");
}

#[test]
fn intervals_of_a_dozen_cases_hold_the_truth_on_a_quiet_machine() {
    assert_promised(Shape::QUIET, 12, 300, 0.99);
}

#[test]
fn rows_that_make_the_clock_go_down_have_the_throughput_of_their_own_clock() {
    for slow in slowed(Shape::SHARED, 12, 300, 100) {
        println!("{slow:?}");
        assert!(slow.bias.abs() < 0.006 && slow.ratio_bias.abs() < 0.006, "{slow:?}");
        assert!(slow.held > 0.85, "{slow:?}");
        let is_called = if slow.clock_share < 0.9 { 0.95..=1.0 } else { 0.0..=0.6 };
        assert!(is_called.contains(&slow.called_slower), "{slow:?}");
    }
}

#[test]
fn ratios_of_variants_that_do_not_differ_hold_one_and_are_seldom_called() {
    for (name, shape) in [("shared", Shape::SHARED), ("quiet", Shape::QUIET)] {
        for rounds in [24, 60] {
            let (alarms, held) = variants(shape, 12, rounds, RUNS_WITH_VARIANTS);
            println!("{name}, {rounds} samples: {alarms} with an alarm, {held} held");
            assert!(alarms <= MOST_ALARMS_OF_VARIANTS, "{name}, {rounds} samples: {alarms}");
            assert!(held >= *PROMISED.start(), "{name}, {rounds} samples: {held}");
        }
    }
}
