//! Figures of two units or of other bytes per op, and rows on as many threads that were asked for in two ways.

use super::*;
use catalog::Unit;
use record::fixture::imported;

fn requests() -> Unit {
    Unit::Named("requests/s".to_owned())
}

fn imported_in(unit: &Unit, per_s: f64) -> Run {
    imported("m", unit, &[("a/x", ThreadSpec::Count(1), 1, &[per_s, per_s * 1.01])])
}

#[test]
fn rows_whose_ops_work_on_other_numbers_of_bytes_are_not_compared_unless_it_is_allowed() {
    let (baseline, mut other) = (run(&[("a/x", STEADY)]), run(&[("a/x", DOUBLE)]));
    other.launches.iter_mut().for_each(|launch| launch.ready.bytes_per_op = Some(20));
    let comparison = compare(&baseline, &other, &[]);
    let row = &comparison.rows[0];
    assert_eq!((row.verdict, row.ratio.is_none()), (Verdict::NotComparable, true));
    let said: Vec<String> = row.differences.iter().map(ToString::to_string).collect();
    assert_eq!(said, ["input: bytes per op is 10 on one, 20 on the other"]);
    assert!(compare(&baseline, &other, &[MustMatch::Input]).rows[0].ratio.is_some());
    // A fact that one side does not know is no difference.
    other.launches.iter_mut().for_each(|launch| launch.ready.bytes_per_op = None);
    assert!(compare(&baseline, &other, &[]).rows[0].ratio.is_some());
}

#[test]
fn figures_of_two_units_are_not_compared_whatever_is_allowed() {
    let units = [Unit::Ops, Unit::Bytes, requests()];
    for (index, unit) in units.iter().enumerate() {
        let alike =
            compare(&imported_in(unit, 100.0), &imported_in(unit, 150.0), &[]).rows.remove(0);
        assert!((ratio(&alike) - 1.5).abs() < 1e-9, "{alike:?}");
        assert_eq!((&alike.unit, &alike.other_unit), (unit, &None));
        for other in &units[index + 1..] {
            let row = compare(
                &imported_in(unit, 100.0),
                &imported_in(other, 150.0),
                &MustMatch::ALLOWABLE,
            )
            .rows
            .remove(0);
            assert_eq!((row.verdict, row.ratio), (Verdict::NotComparable, None));
            assert_eq!((&row.unit, &row.other_unit), (unit, &Some(other.clone())));
            assert_eq!(row.differences[0].kind, MustMatch::Unit, "{:?}", row.differences);
            let unlike =
                score(&imported_in(other, 1.0), &imported_in(unit, 1.0), &MustMatch::ALLOWABLE);
            assert!(unlike.missing[0].contains("the figure's unit"), "{:?}", unlike.missing);
        }
    }
    assert!(!MustMatch::ALLOWABLE.contains(&MustMatch::Unit), "it can't be asked for");
}

#[test]
fn runs_of_two_units_make_no_figure_of_a_group() {
    let mixed = group("g", &[&imported_in(&Unit::Ops, 100.0), &imported_in(&Unit::Bytes, 100.0)]);
    assert_eq!((mixed.rows[0].view, mixed.unit(0)), (None, None));
    assert_eq!(mixed.why_no_figure(0), "its runs use different units");
    let alike = group("g", &[&imported_in(&Unit::Bytes, 100.0), &imported_in(&Unit::Bytes, 100.0)]);
    assert!(alike.rows[0].view.is_some() && alike.unit(0) == Some(&Unit::Bytes));
}

#[test]
fn an_implementation_in_another_unit_is_not_held_against_the_fastest() {
    let mut run = imported_in(&Unit::Ops, 100.0);
    let other = imported("m", &Unit::Bytes, &[("a/y", ThreadSpec::Count(1), 1, &[1e9])]);
    run.header.workloads.extend(other.header.workloads);
    run.header.plan.cases.extend(other.header.plan.cases);
    run.imported.push(record::Imported { case: 1, ..other.imported[0] });
    let implementations = implementations(&[group("m", &[&run])], &[]);
    let cells: Vec<&ImplementationCell> =
        implementations.operations[0].rows.iter().map(|row| &row.cells[0]).collect();
    assert_eq!(cells[0].of_fastest.map(|share| share.centre), Some(1.0));
    assert_eq!(cells[1].of_fastest, None);
    assert_eq!(cells[1].reason.as_deref(), Some("not comparable: in bytes/s, not in ops/s"));
}

/// One workload on these threads, of which the last may be all.
fn machine(label: &str, counts: &[usize], all: Option<usize>) -> Group {
    let counted = counts.iter().map(|count| (ThreadSpec::Count(*count), *count));
    let rows: Vec<(&str, ThreadSpec, usize, &[f64])> = counted
        .chain(all.map(|all| (ThreadSpec::All, all)))
        .map(|(spec, threads)| ("a/x", spec, threads, &[1.0, 1.01][..]))
        .collect();
    group(label, &[&imported(label, &Unit::Ops, &rows)])
}

/// On which threads the groups have rows once they share their numbers.
fn shared<const N: usize>(mut groups: [Group; N]) -> [String; N] {
    share_thread_counts(&mut groups.iter_mut().collect::<Vec<_>>());
    groups.map(|group| {
        let specs: Vec<String> = group.rows.iter().map(|row| row.key.threads.to_string()).collect();
        for (index, row) in group.rows.iter().enumerate() {
            assert_eq!(group.find(&row.key), Some(index), "{:?}", row.key);
        }
        specs.join(" ")
    })
}

#[test]
fn all_of_64_cpus_and_64_of_72_are_compared_on_64_threads() {
    // Nobody else has a row on all: that on 64 threads takes its place.
    let only = shared([machine("m6g", &[1], Some(64)), machine("c5", &[1, 64], None)]);
    assert_eq!(only, ["1 64", "1 64"]);
    // Machines of several sizes are compared on all as well.
    let both = shared([machine("m6g", &[1], Some(64)), machine("c5", &[1, 64], Some(72))]);
    assert_eq!(both, ["1 64 all", "1 64 all"]);
    let three =
        [machine("a", &[], Some(64)), machine("b", &[64], None), machine("c", &[], Some(64))];
    assert_eq!(shared(three), ["64"; 3]);
}

#[test]
fn rows_that_no_other_group_counts_stay_as_they_are() {
    let apart = shared([machine("a", &[1], Some(64)), machine("b", &[1, 32], Some(72))]);
    assert_eq!(apart, ["1 all", "1 32 all"]);
    let same = shared([machine("a", &[1, 64], Some(64)), machine("b", &[64], None)]);
    assert_eq!(same, ["1 64 all", "64"], "it was measured both ways");
}

#[test]
fn a_machine_of_one_cpu_is_compared_on_one_thread_and_on_all_with_a_single_figure() {
    let many = shared([machine("one", &[], Some(1)), machine("many", &[1], Some(64))]);
    assert_eq!(many, ["1 all", "1 all"]);
    let alike = shared([machine("one", &[], Some(1)), machine("other", &[], Some(1))]);
    assert_eq!(alike, ["all", "all"], "one row, which is tested once");
}

#[test]
fn of_figures_without_error_bars_nobody_is_called_ahead() {
    let once = |per_s: f64| {
        let on_one = |workload| (workload, ThreadSpec::Count(1), 1, &[100.0][..]);
        let mut run = imported("m", &Unit::Ops, &[on_one("a/x"), on_one("b/x")]);
        run.imported.iter_mut().for_each(|imported| imported.per_s = per_s);
        run
    };
    let score = score(&once(300.0), &once(100.0), &[]);
    let robustness = score.lines.last().unwrap().robustness.as_ref().unwrap();
    assert_eq!((robustness.ahead, score.is_whole()), (None, false));
    assert!((robustness.least.as_ref().unwrap().score - 3.0).abs() < 1e-9, "{robustness:?}");
}
