//! Throughput that rows of two machines retain beside co-runners.

use crate::compare::{Group, Pairs, Sheet};
use estimate::ViewKind;
use record::Run;
use record::fixture::run_beside;

fn group(label: &str, left: u64) -> Group {
    let mut run = run_beside(|round| left + round % 2);
    run.header.label = label.to_owned();
    group_of(&run)
}

fn group_of(run: &Run) -> Group {
    let figures = Sheet::of(run, ViewKind::Uncontended);
    Group::of(run.header.label.clone(), ViewKind::Uncontended, vec![figures]).unwrap()
}

#[test]
fn what_a_row_keeps_is_compared_where_both_measured_it_beside_the_same_co_runners() {
    let comparison = Pairs::of(&group("weak", 70), &group("strong", 94), &[]).comparison();
    let [row] = &comparison.beside[..] else { panic!("{:?}", comparison.beside) };
    assert_eq!((row.workload.as_str(), row.co_runners.as_str(), row.count), ("a/x", "fill/x", 1));
    assert!((row.baseline.centre - 0.705).abs() < 0.006, "{row:?}");
    assert!((row.other.centre - 0.945).abs() < 0.006, "{row:?}");
    assert!((row.ratio.centre - 0.945 / 0.705).abs() < 0.01 && row.ratio.low > 1.0, "{row:?}");
    // The figures alone are the same, and the co-runner is no row.
    let [alone] = &comparison.rows[..] else { panic!("{:?}", comparison.rows) };
    assert!((alone.ratio.as_ref().unwrap().interval.centre - 1.0).abs() < 1e-9);
}

#[test]
fn without_the_same_co_runners_nothing_is_compared() {
    let mut other = run_beside(|_| 90);
    other.header.plan.cases[1].workload = "load/x".to_owned();
    let definition = other.header.workloads["fill/x"].clone();
    other.header.workloads.insert("load/x".to_owned(), definition);
    assert!(Pairs::of(&group("weak", 70), &group_of(&other), &[]).comparison().beside.is_empty());
}
