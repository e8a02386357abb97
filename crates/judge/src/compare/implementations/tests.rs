use super::*;
use crate::compare::{Sheet, distinct};
use record::fixture::run;
use record::{Outcome, OutcomeKind, Run};

/// Ops in each of 20 samples, nearly the same in all.
fn about(ops: u64) -> Vec<u64> {
    (0..20).map(|i| ops + i % 3).collect()
}

/// A run under a label of one operation by implementations with so many ops a sample.
fn labelled(label: &str, rows: &[(&str, u64)]) -> Run {
    let rows: Vec<(&str, Vec<u64>)> = rows.iter().map(|(id, ops)| (*id, about(*ops))).collect();
    let rows: Vec<(&str, &[u64])> = rows.iter().map(|(id, ops)| (*id, &ops[..])).collect();
    let mut run = run(&rows);
    run.header.label = label.to_owned();
    run
}

#[test]
fn implementations_that_different_runs_measured_are_held_against_each_other_as_runs_differ() {
    let samples =
        |ops: u64| -> Vec<u64> { (0..40).map(|i| ops + ops / 100 * (i * i % 7)).collect() };
    let (slow, fast) = (samples(100_000), samples(200_000));
    let share = |runs: &[Run]| {
        let figures = runs.iter().map(|run| Sheet::of(run, ViewKind::Uncontended)).collect();
        let group = Group::of("m".to_owned(), ViewKind::Uncontended, figures).unwrap();
        let implementations = implementations(&[group], &[]);
        implementations.operations[0].rows[0].cells[0].of_fastest.unwrap()
    };
    let together = share(&[run(&[("zip/a", &slow), ("zip/b", &fast)])]);
    let mut apart = [run(&[("zip/a", &slow)]), run(&[("zip/b", &fast)])];
    apart.iter_mut().for_each(|run| run.header.host = Some("h".to_owned()));
    let apart = share(&apart);
    assert!((together.centre / apart.centre - 1.0).abs() < 1e-6);
    assert!(apart.margin() > together.margin() + 0.001, "{apart:?} {together:?}");
}

fn allowing(runs: &[Run], allow: &[MustMatch]) -> Implementations {
    let labels = distinct(runs.iter().map(|run| run.header.label.as_str()));
    let groups: Vec<Group> = labels
        .into_iter()
        .zip(runs)
        .map(|(label, run)| {
            let figures = Sheet::of(run, ViewKind::Uncontended);
            Group::of(label, ViewKind::Uncontended, vec![figures]).unwrap()
        })
        .collect();
    implementations(&groups, allow)
}

fn implementations_of(runs: &[Run]) -> Implementations {
    allowing(runs, &[])
}

fn slowed(implementations: &Implementations) -> Vec<(&str, &str, f64)> {
    let slowdowns = implementations.slowdowns.iter();
    slowdowns
        .map(|slowdown| {
            let share = (slowdown.ratio.centre * 100.0).round() / 100.0;
            (slowdown.implementation.as_str(), slowdown.machine.as_str(), share)
        })
        .collect()
}

#[test]
fn implementations_are_shares_of_the_fastest_on_their_machine() {
    let implementations = implementations_of(&[labelled(
        "a",
        &[("sum/c", 10_000), ("zip/c", 5_000), ("sum/go", 2_500)],
    )]);
    assert_eq!(implementations.operations.len(), 1, "zip has one implementation");
    let shares: Vec<(&str, f64)> = implementations.operations[0]
        .rows
        .iter()
        .map(|row| (row.implementation.as_str(), row.cells[0].of_fastest.unwrap().centre))
        .collect();
    assert_eq!(shares[0], ("c", 1.0));
    assert!((shares[1].1 - 0.25).abs() < 1e-3, "{shares:?}");
    assert!(implementations.is_whole() && implementations.slowdowns.is_empty());
}

#[test]
fn the_one_that_lags_is_named_where_it_lags_and_no_other() {
    let a = labelled("a", &[("sum/c", 9_000), ("sum/go", 9_000), ("sum/ring", 9_000)]);
    let b = labelled("b", &[("sum/c", 18_000), ("sum/go", 4_500), ("sum/ring", 18_000)]);
    assert_eq!(slowed(&implementations_of(&[a.clone(), b.clone()])), [("go", "b", 0.25)]);
    assert_eq!(slowed(&implementations_of(&[b, a])), [("go", "b", 0.25)], "whichever is the first");
}

#[test]
fn a_machine_that_is_slower_in_all_has_no_lag() {
    let a = labelled("a", &[("sum/c", 20_000), ("sum/go", 8_000)]);
    let b = labelled("b", &[("sum/c", 10_000), ("sum/go", 4_000)]);
    assert!(implementations_of(&[a, b]).slowdowns.is_empty());
}

#[test]
fn of_two_the_one_that_fares_worse_on_the_other_machine_lags() {
    let a = labelled("a", &[("sum/c", 8_000), ("sum/go", 8_000)]);
    let b = labelled("b", &[("sum/c", 8_000), ("sum/go", 4_000)]);
    assert_eq!(slowed(&implementations_of(&[a.clone(), b])), [("go", "b", 0.5)]);
    // Three percent are not worth a name.
    let c = labelled("c", &[("sum/c", 8_000), ("sum/go", 7_760)]);
    assert!(implementations_of(&[a, c]).slowdowns.is_empty());
}

#[test]
fn what_differs_is_named_and_names_no_lag() {
    let a = labelled("a", &[("sum/c", 8_000), ("sum/go", 8_000)]);
    let mut b = labelled("b", &[("sum/c", 8_000), ("sum/go", 2_000)]);
    b.launches[1].ready.build.libraries.insert("lib".to_owned(), "2".to_owned());
    let found = implementations_of(&[a.clone(), b.clone()]);
    assert!(found.slowdowns.is_empty() && !found.is_whole());
    let reason = found.operations[0].rows[1].cells[1].reason.as_ref().unwrap();
    assert!(reason.contains("library: lib is absent"), "{reason}");
    let allowed = allowing(&[a, b], &[MustMatch::Library]);
    assert_eq!(slowed(&allowed), [("go", "b", 0.25)]);
}

#[test]
fn what_has_no_figure_says_why() {
    let mut a = labelled("a", &[("sum/c", 8_000), ("sum/go", 8_000)]);
    a.outcomes.push(Outcome {
        case: 1,
        outcome: OutcomeKind::Failed,
        kind: "died".to_owned(),
        message: "it died".to_owned(),
        hint: String::new(),
        stderr: String::new(),
    });
    let b = labelled("b", &[("sum/c", 8_000)]);
    let implementations = implementations_of(&[a, b]);
    let reasons: Vec<&str> = implementations.operations[0].rows[1]
        .cells
        .iter()
        .map(|cell| cell.reason.as_deref().unwrap())
        .collect();
    assert_eq!(reasons, ["this run: failed: it died", "not measured in this run"]);
}

#[test]
fn what_an_op_makes_and_what_must_be_known_of_it_stand_in_its_cell() {
    let mut a = labelled("a", &[("zip/c", 9_000), ("zip/go", 9_000)]);
    a.launches[1].ready.output_bytes = Some(800);
    a.header.workloads.get_mut("zip/go").unwrap().starts_threads = true;
    let implementations = implementations_of(&[a]);
    let cells: Vec<&ImplementationCell> =
        implementations.operations[0].rows.iter().map(|row| &row.cells[0]).collect();
    assert_eq!((cells[0].output_bytes, cells[1].output_bytes), (Some(1_000), Some(800)));
    assert!(!cells[0].warnings.iter().any(|warning| warning.contains("starts more threads")));
    assert!(cells[1].warnings.iter().any(|warning| warning.contains("starts more threads")));
}

#[test]
fn a_chance_is_corrected_for_all_machines_together() {
    let a = labelled("a", &[("sum/c", 8_000), ("sum/go", 8_000)]);
    let b = labelled("b", &[("sum/c", 8_000), ("sum/go", 7_500)]);
    let c = labelled("c", &[("sum/c", 8_000), ("sum/go", 8_000)]);
    let chance = |implementations: &Implementations| {
        implementations
            .slowdowns
            .iter()
            .find(|slowdown| slowdown.machine == "b")
            .unwrap()
            .adjusted_p
    };
    let alone = chance(&implementations_of(&[a.clone(), b.clone()]));
    let among = chance(&implementations_of(&[a, b, c.clone(), c]));
    assert!(alone > 0.0 && (among / alone - 3.0).abs() < 1e-6, "{alone} {among}");
}

#[test]
fn machines_of_one_label_are_told_apart() {
    let a = labelled("epyc", &[("sum/c", 9_000), ("sum/go", 9_000), ("sum/ring", 9_000)]);
    let b = labelled("epyc", &[("sum/c", 18_000), ("sum/go", 4_500), ("sum/ring", 18_000)]);
    let implementations = implementations_of(&[a, b]);
    assert_eq!(implementations.machines, ["epyc (1)", "epyc (2)"]);
    assert_eq!(slowed(&implementations), [("go", "epyc (2)", 0.25)]);
}
