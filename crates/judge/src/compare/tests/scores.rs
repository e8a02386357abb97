//! Geometric means of ratios, and how much hangs on single rows.

use super::*;
use catalog::Family;

#[test]
fn a_score_is_the_geometric_mean_of_the_ratios() {
    let baseline = run(&[("a/x", STEADY), ("b/x", STEADY)]);
    let other = run(&[("a/x", &[400; 20]), ("b/x", STEADY)]);
    let score = score(&other, &baseline, &[]);
    let overall = score.lines.iter().find(|line| line.category == "overall").unwrap();
    assert_eq!(overall.rows, 2);
    assert!((overall.score.unwrap().centre - 2.0).abs() < 1e-9);
    assert_eq!(score.missing, Vec::<String>::new());
}

#[test]
fn rows_that_one_side_lacks_are_named_beside_the_score() {
    let (small, large) = (run(&[("a/x", STEADY)]), run(&[("a/x", STEADY), ("b/x", STEADY)]));
    let missing = |run: &Run, baseline: &Run| score(run, baseline, &[]).missing;
    assert_eq!(missing(&small, &large), ["b/x on 1 thread: measured on base only"]);
    assert_eq!(missing(&large, &small), ["b/x on 1 thread: not measured on base"]);
}

#[test]
fn rows_whose_threads_share_one_stream_are_in_no_score_on_many_threads() {
    let on_all = |ops: &[u64]| {
        let mut run =
            run(&[("zip-one-stream/x", ops), ("sha/x", STEADY), ("zip-one-stream/x", ops)]);
        run.header.plan.cases[..2].iter_mut().for_each(|case| case.thread_spec = ThreadSpec::All);
        run
    };
    let score = score(&on_all(&[400; 20]), &on_all(STEADY), &[]);
    let overall = |threads: ThreadSpec| {
        let is_it = |line: &&ScoreLine| line.category == "overall" && line.threads == threads;
        let line = score.lines.iter().find(is_it).unwrap();
        (line.rows, line.score.unwrap().centre.round())
    };
    assert_eq!(overall(ThreadSpec::All), (1, 1.0));
    assert_eq!(overall(ThreadSpec::Count(1)), (1, 4.0));
    assert_eq!(score.missing, ["zip-one-stream/x on all threads: all threads share one stream"]);
}

#[test]
fn rows_of_no_known_kind_are_in_an_overall_score_only_among_themselves() {
    let of_families = |ops: &[u64], families: [Family; 2]| {
        let mut run = run(&[("div/x", ops), ("sha/x", STEADY)]);
        for (workload, family) in ["div/x", "sha/x"].into_iter().zip(families) {
            run.header.workloads.get_mut(workload).unwrap().family = family;
        }
        run
    };
    for (families, rows, expected) in [
        ([Family::Unknown, Family::Hash], 1, 1.0),
        ([Family::Unknown, Family::Unknown], 2, 2.0),
        ([Family::Cipher, Family::Hash], 2, 2.0),
    ] {
        let made = |ops: &[u64]| of_families(ops, families.clone());
        let score = score(&made(&[400; 20]), &made(STEADY), &[]);
        let overall = score.lines.iter().find(|line| line.category == "overall").unwrap();
        assert_eq!((overall.rows, overall.score.unwrap().centre.round()), (rows, expected));
    }
}

#[test]
fn a_row_of_no_known_kind_is_no_work_that_was_measured_on_one_thread_and_on_all() {
    let names = ["div/x", "a/x", "b/x", "div/x", "c/x", "d/x"];
    let mut run = run(&names.map(|name| (name, STEADY)));
    run.header.plan.cases[..3].iter_mut().for_each(|case| case.thread_spec = ThreadSpec::All);
    let score = |run: &Run| score(run, run, &[]).across.map(|across| across.workloads);
    run.header.workloads.values_mut().for_each(|workload| workload.family = Family::Hash);
    assert_eq!(score(&run), Some(1));
    run.header.workloads.get_mut("div/x").unwrap().family = Family::Unknown;
    assert_eq!(score(&run), Some(0));
}

#[test]
fn rows_that_swing_together_do_not_average_out() {
    // Ten rows, all fast in the first half of the run and slow in the second.
    let swing: Vec<u64> = (0..40).map(|i| if i < 20 { 110 } else { 90 }).collect();
    let names: Vec<String> = (0..10).map(|i| format!("w{i}/x")).collect();
    let rows: Vec<(&str, &[u64])> = names.iter().map(|n| (n.as_str(), &swing[..])).collect();
    let calm: Vec<(&str, &[u64])> = names.iter().map(|n| (n.as_str(), STEADY)).collect();
    let one = score(&run(&rows[..1]), &run(&calm[..1]), &[]);
    let ten = score(&run(&rows), &run(&calm), &[]);
    let margin = |score: &Score| score.lines.last().unwrap().score.unwrap().margin();
    assert!(margin(&one) > 0.05);
    assert!(margin(&ten) > 0.9 * margin(&one), "{} {}", margin(&ten), margin(&one));
    // Beyond what the run knows of its row, the score holds how runs differ.
    let estimate = RunEstimate::of(&run(&rows[..1]));
    let row = estimate.cases[0].as_ref().unwrap().uncontended.unwrap().interval;
    assert!(margin(&one) > 2.0 * row.margin(), "{} {row:?}", margin(&one));
}

#[test]
fn rows_of_one_run_are_compared_without_what_runs_differ_by() {
    let swing: Vec<u64> = (0..40).map(|i| if i < 20 { 110 } else { 90 }).collect();
    let sheet = || Sheet::of(&run(&[("a/x", &swing)]), ViewKind::Uncontended);
    let group = |sheets| Group::of("a".to_owned(), ViewKind::Uncontended, sheets).unwrap();
    let known = sheet().figure(0).unwrap();
    let one = group(vec![sheet()]);
    assert_eq!(one.view_within(0), Some(known));
    let between = one.rows[0].view.unwrap();
    assert!(between.interval.margin() > 2.0 * known.interval.margin(), "{between:?} {known:?}");
    // Two runs show how they differ.
    let two = group(vec![sheet(), sheet()]);
    assert_eq!(two.view_within(0), two.rows[0].view);
}

#[test]
fn a_score_says_what_leaving_a_row_out_and_other_weights_would_make_of_it() {
    let baseline = run(&[("a/x", STEADY), ("b/x", STEADY), ("c/x", STEADY)]);
    let other = run(&[("a/x", &steady(400)), ("b/x", &steady(90)), ("c/x", &steady(90))]);
    let score = score(&other, &baseline, &[]);
    let overall = score.lines.last().unwrap();
    let robustness = overall.robustness.as_ref().unwrap();
    let (least, greatest) =
        (robustness.least.as_ref().unwrap(), robustness.greatest.as_ref().unwrap());
    assert_eq!(least.without, "a/x");
    assert!((least.score - 0.9).abs() < 1e-9 && (greatest.score - 3.6_f64.sqrt()).abs() < 1e-9);
    // Ahead unless a's weight is below 7 % of all: (1 − 0.07)² of weightings.
    assert!((0.84..0.89).contains(&robustness.ahead.unwrap()), "{robustness:?}");
}
