use super::*;
use crate::record::samples::run;
use crate::record::{Outcome, OutcomeKind, Run};

const STEADY: &[u64] = &[100; 20];
const DOUBLE: &[u64] = &[200; 20];

fn ratio(row: &Row) -> f64 {
    match &row.verdict {
        RowVerdict::Ratio { ratio, .. } => ratio.centre,
        other => panic!("no ratio but {other:?}"),
    }
}

fn reason(row: &Row) -> String {
    match &row.verdict {
        RowVerdict::Missing { reason } => reason.clone(),
        other => panic!("not missing but {other:?}"),
    }
}

#[test]
fn a_ratio_above_one_means_that_the_other_is_faster() {
    let comparison = compare(&run(&[("a/x", STEADY)]), &run(&[("a/x", DOUBLE)]), &[]);
    assert!((ratio(&comparison.rows[0]) - 2.0).abs() < 1e-9);
    assert!(comparison.is_whole());
}

#[test]
fn rows_are_matched_by_name_and_what_one_side_lacks_is_named() {
    let baseline = run(&[("a/x", STEADY), ("b/x", STEADY)]);
    let other = run(&[("c/x", STEADY), ("b/x", DOUBLE)]);
    let comparison = compare(&baseline, &other, &[]);
    let names: Vec<&str> = comparison.rows.iter().map(|row| row.workload.as_str()).collect();
    assert_eq!(names, ["a/x", "b/x", "c/x"]);
    assert_eq!(reason(&comparison.rows[0]), "the other run doesn't have it");
    assert!((ratio(&comparison.rows[1]) - 2.0).abs() < 1e-9);
    assert_eq!(reason(&comparison.rows[2]), "the baseline doesn't have it");
    assert!(!comparison.is_whole());
}

#[test]
fn a_case_that_failed_has_no_ratio_though_it_has_windows() {
    let mut other = run(&[("a/x", DOUBLE)]);
    other.outcomes.push(Outcome {
        case: 0,
        outcome: OutcomeKind::Failed,
        kind: "wrong-answer".to_owned(),
        message: "a bit was wrong".to_owned(),
        hint: String::new(),
        stderr: String::new(),
    });
    let comparison = compare(&run(&[("a/x", STEADY)]), &other, &[]);
    assert_eq!(reason(&comparison.rows[0]), "the other run: a bit was wrong");
    let score = score(&other, None, &[]);
    assert_eq!(score.missing, ["a/x on 1 thread: a bit was wrong"]);
    assert!(score.lines.iter().all(|line| line.score.is_none()));
}

/// What differs after a change to one run.
fn differing(change: impl Fn(&mut Run)) -> Vec<Difference> {
    let baseline = run(&[("a/x", STEADY)]);
    let mut other = baseline.clone();
    change(&mut other);
    let found = differences(&baseline, 0, &other, 0);
    let comparison = compare(&baseline, &other, &[]);
    let refused = matches!(comparison.rows[0].verdict, RowVerdict::NotComparable { .. });
    assert_eq!(refused, !found.is_empty());
    let allowed: Vec<Allow> = found.iter().map(|difference| difference.kind).collect();
    assert!((ratio(&compare(&baseline, &other, &allowed).rows[0]) - 1.0).abs() < 1e-9);
    found
}

#[test]
fn everything_that_must_match_is_looked_at_and_named() {
    assert_eq!(differing(|_| ()), []);
    let kind = |change: fn(&mut Run)| {
        let found = differing(change);
        assert_eq!(found.len(), 1, "{found:?}");
        found[0].kind
    };
    let definition = |run: &mut Run| {
        run.header.workloads.get_mut("a/x").unwrap().parameters = serde_json::json!({"level": 2});
    };
    assert_eq!(kind(definition), Allow::Definition);
    assert_eq!(
        kind(|run| {
            let definition = run.header.workloads.get_mut("a/x").unwrap();
            definition.inputs.insert("page".to_owned(), "00ff".to_owned());
        }),
        Allow::Input
    );
    assert_eq!(
        kind(|run| {
            let libraries = &mut run.launches[0].ready.build.libraries;
            libraries.insert("zip".to_owned(), "2".to_owned());
        }),
        Allow::Library
    );
    assert_eq!(
        kind(|run| run.launches[0].ready.build.compiler = "cc 9".to_owned()),
        Allow::Compiler
    );
    assert_eq!(kind(|run| run.launches[0].ready.build.flags = "-O0".to_owned()), Allow::Compiler);
    assert_eq!(kind(|run| run.launches[0].ready.build.version = "9".to_owned()), Allow::Worker);
    assert_eq!(
        kind(|run| run.header.plan.cases[0].placement = crate::machine::Placement::Socket),
        Allow::Placement
    );
}

#[test]
fn a_score_is_the_geometric_mean_of_the_ratios() {
    let baseline = run(&[("a/x", STEADY), ("b/x", STEADY)]);
    let other = run(&[("a/x", &[400; 20]), ("b/x", STEADY)]);
    let score = score(&other, Some(&baseline), &[]);
    let overall = score.lines.iter().find(|line| line.category == "overall").unwrap();
    assert_eq!(overall.rows, 2);
    assert!((overall.score.unwrap().centre - 2.0).abs() < 1e-9);
    assert_eq!(score.missing, Vec::<String>::new());
}

#[test]
fn rows_that_one_side_lacks_are_named_beside_the_score() {
    let (small, large) = (run(&[("a/x", STEADY)]), run(&[("a/x", STEADY), ("b/x", STEADY)]));
    let missing = |of: &Run, baseline: &Run| score(of, Some(baseline), &[]).missing;
    assert_eq!(missing(&small, &large), ["b/x on 1 thread: only the baseline has it"]);
    assert_eq!(missing(&large, &small), ["b/x on 1 thread: the baseline doesn't have it"]);
}

#[test]
fn rows_that_swing_together_do_not_average_out() {
    // Ten rows, all fast in the first half of the run and slow in the second.
    let swing: Vec<u64> = (0..40).map(|i| if i < 20 { 110 } else { 90 }).collect();
    let names: Vec<String> = (0..10).map(|i| format!("w{i}/x")).collect();
    let rows: Vec<(&str, &[u64])> = names.iter().map(|n| (n.as_str(), &swing[..])).collect();
    let one = score(&run(&rows[..1]), None, &[]);
    let ten = score(&run(&rows), None, &[]);
    let half = |score: &Score| score.lines.last().unwrap().score.unwrap().half();
    assert!(half(&one) > 0.05);
    assert!((half(&ten) - half(&one)).abs() < 1e-9, "{} {}", half(&ten), half(&one));
}

#[test]
fn a_users_own_worker_must_be_the_same_program() {
    let own = |sha256: &str| {
        let mut run = run(&[("a/x", STEADY)]);
        run.header.workloads.get_mut("a/x").unwrap().worker = "own: w.py".to_owned();
        let build = crate::record::WorkerBuild::default();
        let receipt = crate::record::Receipt { sha256: sha256.to_owned(), build };
        run.header.workers.insert("own: w.py".to_owned(), receipt);
        run
    };
    assert!(compare(&own("aa"), &own("aa"), &[]).is_whole());
    let found = differences(&own("aa"), 0, &own("bb"), 0);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].kind, Allow::Worker);
}
