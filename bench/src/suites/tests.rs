//! The runs of a host that measured different suites say together what each says alone, and no less surely than they promise.

use super::{Kept, kept};
use crate::noise::{Shape, rows};

/// As few as still tell intervals of rows that are a tenth too narrow; `--bin calibration` looks at more.
const MACHINES: u64 = 150;

fn assert_promised(shape: Shape, common: usize) -> Kept {
    let kept = kept(shape, &rows(24, 1), common, 300, MACHINES);
    println!("{common} rows in common: {kept:?}");
    // Rows of a run share what it is off by: of so few runs the share is a few in a hundred off by chance.
    assert!((0.91..=0.985).contains(&kept.once.0), "{kept:?}");
    assert!((0.90..=0.99).contains(&kept.overall.0), "{kept:?}");
    assert!((0.90..=0.99).contains(&kept.categories.0), "{kept:?}");
    assert!(kept.alarms <= 0.05, "{kept:?}");
    kept
}

#[test]
fn intervals_of_a_machine_that_was_measured_suite_by_suite_hold_the_truth() {
    assert_promised(Shape::QUIET, 0);
}

#[test]
fn intervals_of_rows_that_two_suites_have_hold_the_truth_and_leave_the_others_alone() {
    let kept = assert_promised(Shape::QUIET, 4);
    assert!(kept.twice.0 >= 0.93, "{kept:?}");
}
