//! Intervals hold the truth as often as they say, and comparisons of a machine with itself are quiet: on
//! synthetic noise, with fixed seeds, so that the outcome is always the same.

use sizeup::estimate::ViewKind;
use sizeup_bench::calibration::{Coverage, coverage, false_alarms};
use sizeup_bench::noise::Shape;

/// What 95 % intervals may come to.
const PROMISED: std::ops::RangeInclusive<f64> = 0.93..=0.97;

fn assert_promised(what: &str, coverage: Coverage) {
    println!("{what}: {coverage:?}");
    assert!(PROMISED.contains(&coverage.rows), "{what}: rows, {coverage:?}");
    assert!(PROMISED.contains(&coverage.scores), "{what}: scores, {coverage:?}");
}

#[test]
fn intervals_of_a_long_suite_hold_the_truth_on_a_shared_machine() {
    assert_promised("98 rows", coverage(Shape::SHARED, 98, 40, 1000, ViewKind::OwnCore));
}

#[test]
fn intervals_of_a_dozen_cases_hold_the_truth_on_a_shared_machine() {
    assert_promised("12 rows", coverage(Shape::SHARED, 12, 300, 1000, ViewKind::OwnCore));
}

#[test]
fn intervals_of_a_long_suite_hold_the_truth_on_a_quiet_machine() {
    assert_promised("98 rows", coverage(Shape::QUIET, 98, 40, 1000, ViewKind::OwnCore));
}

#[test]
fn intervals_of_a_dozen_cases_hold_the_truth_on_a_quiet_machine() {
    assert_promised("12 rows", coverage(Shape::QUIET, 12, 300, 1000, ViewKind::OwnCore));
}

#[test]
fn of_a_thousand_comparisons_of_a_shared_machine_with_itself_few_call_any_row_different() {
    let (alarms, detectable) = false_alarms(Shape::SHARED, 98, 40, 1000);
    println!("{alarms} with an alarm, {detectable} would be called");
    assert!(alarms <= 0.05, "{alarms}");
}

#[test]
fn of_a_thousand_comparisons_of_a_quiet_machine_with_itself_few_call_any_row_different() {
    let (alarms, detectable) = false_alarms(Shape::QUIET, 98, 40, 1000);
    println!("{alarms} with an alarm, {detectable} would be called");
    assert!(alarms <= 0.05, "{alarms}");
    // Quiet is not blind.
    assert!(detectable < 0.01, "{detectable}");
}
