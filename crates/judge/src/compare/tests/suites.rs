//! Runs of a host that measured different rows.

use super::*;
use catalog::Category;
use estimate::{RunEffect, View};
use stats::student_quantile;
use verdict::{Ratio, judge_ratios};

/// A run on a host, of a suite with one category, whose rows differ a little from sample to sample, all together and each by
/// itself.
fn of_suite(host: &str, suite: &str, rows: &[&str], ops: u64) -> Run {
    let samples = |row: usize| -> Vec<u64> {
        (0..40)
            .map(|i| ops + ops / 100 * (i * i % 7) + ops / 500 * ((i + row as u64) % 3))
            .collect()
    };
    let samples: Vec<Vec<u64>> = (0..rows.len()).map(samples).collect();
    let rows: Vec<(&str, &[u64])> =
        rows.iter().zip(&samples).map(|(name, samples)| (*name, &samples[..])).collect();
    let mut run = run(&rows);
    run.header.host = Some(host.to_owned());
    run.header.suite = suite.to_owned();
    run
}

const EDGE: [&str; 4] = ["a/x", "b/x", "c/x", "d/x"];
const WEB: [&str; 3] = ["e/x", "f/x", "g/x"];
const STORAGE: [&str; 2] = ["h/x", "i/x"];

/// A host's three suites.
fn host(name: &str, ops: [u64; 3]) -> [Run; 3] {
    [
        of_suite(name, "edge", &EDGE, ops[0]),
        of_suite(name, "web", &WEB, ops[1]),
        of_suite(name, "storage", &STORAGE, ops[2]),
    ]
}

fn view(group: &Group, name: &str) -> View {
    group.rows.iter().find(|row| row.key.name == name).and_then(|row| row.view).unwrap()
}

fn all_rows(group: &Group) -> Vec<usize> {
    (0..group.rows.len()).collect()
}

#[test]
fn a_row_of_one_suite_has_the_interval_that_its_run_alone_gives() {
    let runs = host("h", [100_000, 230_000, 170_000]);
    let together = group("h", &runs.iter().collect::<Vec<_>>());
    assert_eq!(together.rows.len(), 9);
    for run in &runs {
        let alone = group("h", &[run]);
        for row in &alone.rows {
            assert_eq!(view(&together, &row.key.name), row.view.unwrap());
            assert!(row.view.unwrap().run_effect.margin > 0.001);
        }
    }
    let note = together.hosts_note().unwrap();
    assert!(note.contains("9 of 9 rows were measured in 1 run only"), "{note}");
}

#[test]
fn the_mean_over_suites_is_off_by_each_as_much_as_its_rows_are_of_all() {
    let runs = host("h", [100_000, 230_000, 170_000]);
    let together = group("h", &runs.iter().collect::<Vec<_>>());
    let run_effect = together.run_effect(&all_rows(&together));
    let alone = runs.each_ref().map(|run| {
        let alone = group("h", &[run]);
        (alone.rows.len() as f64 / 9.0, alone.run_effect(&all_rows(&alone)))
    });
    let parts = alone.map(|(share, run_effect)| run_effect.scaled(share));
    let sum = parts[0].and(&parts[1]).and(&parts[2]);
    assert!((run_effect.margin / sum.margin - 1.0).abs() < 1e-6, "{run_effect:?} {sum:?}");
    assert!((run_effect.freedom / sum.freedom - 1.0).abs() < 1e-6, "{run_effect:?} {sum:?}");
    // Runs are off independently of each other.
    assert!(run_effect.margin < alone[0].1.margin);
}

#[test]
fn scores_of_several_suites_keep_the_categories_of_all() {
    let runs = host("h", [100_000, 230_000, 170_000]);
    let together = group("h", &runs.iter().collect::<Vec<_>>());
    let others = host("b", [90_000, 200_000, 160_000]);
    let baseline = group("b", &others.iter().collect::<Vec<_>>());
    let score = super::super::Pairs::of(&baseline, &together, &[]).score(None, &Weightings::of(0));
    let lines: Vec<(&str, usize)> =
        score.lines.iter().map(|line| (line.category.as_str(), line.rows)).collect();
    assert_eq!(lines, [("edge/c", 4), ("web/c", 3), ("storage/c", 2), ("overall", 9)]);
    for (line, (run, other)) in score.lines.iter().zip(runs.iter().zip(&others)) {
        let alone = super::score(run, other, &[]);
        let (found, of_alone) = (line.score.unwrap(), alone.lines[0].score.unwrap());
        assert!((found.margin() / of_alone.margin() - 1.0).abs() < 1e-9, "{line:?}");
    }
    assert!(score.is_whole());
}

#[test]
fn a_score_says_which_categories_no_row_is_of() {
    let with = |other: &str| {
        let mut run = of_suite("h", "edge", &EDGE, 100_000);
        let category = |name: &str, workloads: &[&str]| Category {
            name: name.to_owned(),
            threads: Vec::new(),
            is_flat: false,
            workloads: workloads.iter().map(ToString::to_string).collect(),
        };
        run.header.categories =
            vec![category("c", &EDGE[..2]), category("d", &[other]), category("cache", &[])];
        run
    };
    let lacking = |one: Run, other: Run| {
        let threads = ThreadSpec::Count(1);
        score(&one, &other, &[]).lacking(threads)
    };
    let (all, part) = (with("c/x"), with("z/x"));
    let text = lacking(all.clone(), all.clone()).unwrap();
    assert_eq!(text, "The score on 1 thread is of 2 of 3 categories: without cache");
    let text = lacking(part, all).unwrap();
    assert_eq!(text, "The score on 1 thread is of 1 of 3 categories: without d, cache");
    let whole = of_suite("h", "edge", &EDGE, 100_000);
    assert_eq!(lacking(whole.clone(), whole), None);
}

#[test]
fn a_category_that_two_runs_of_a_suite_have_is_one_with_the_rows_of_both() {
    let runs = [of_suite("h", "edge", &EDGE, 100_000), of_suite("h", "edge", &WEB, 100_000)];
    let categories = group("h", &[&runs[0], &runs[1]]).categories();
    assert_eq!(categories.len(), 1);
    assert_eq!((categories[0].name.as_str(), categories[0].workloads.len()), ("c", 7));
}

#[test]
fn a_row_that_two_suites_share_is_as_uncertain_as_its_two_runs_differ_and_no_other_is() {
    let edge = of_suite("h", "edge", &EDGE, 100_000);
    let web = of_suite("h", "web", &["d/x", "e/x", "f/x"], 110_000);
    let together = group("h", &[&edge, &web]);
    let shared = view(&together, "d/x");
    assert!((shared.interval.centre / 1.049e12 - 1.0).abs() < 0.02, "{shared:?}");
    // Student's t with one degree of freedom times half of the difference.
    assert!(
        (shared.interval.margin() / (12.706 * 0.5 * 1.1_f64.ln()) - 1.0).abs() < 0.05,
        "{shared:?}"
    );
    assert_eq!(view(&together, "a/x"), view(&group("h", &[&edge]), "a/x"));
    assert_eq!(view(&together, "e/x"), view(&group("h", &[&web]), "e/x"));
    let note = together.hosts_note().unwrap();
    assert!(note.contains("5 of 6 rows were measured in 1 run only"), "{note}");
    let spreads = together.spreads();
    assert_eq!((spreads.len(), spreads[0].rows, spreads[0].apart.runs), (1, 1, 2));
    // The mean over all holds what the runs have in common with the shared row.
    let all = together.run_effect(&all_rows(&together));
    let deviation = |effect: &RunEffect| effect.margin / student_quantile(effect.freedom, 0.95);
    assert!(
        deviation(&all) > deviation(&shared.run_effect) / 6.0 && all.margin.is_finite(),
        "{all:?}"
    );
}

#[test]
fn a_shared_row_that_one_of_its_runs_has_no_figure_of_is_the_others() {
    let edge = of_suite("h", "edge", &EDGE, 100_000);
    let mut web = of_suite("h", "web", &["d/x", "e/x"], 110_000);
    web.samples.retain(|sample| sample.case != 0);
    let together = group("h", &[&edge, &web]);
    assert_eq!(view(&together, "d/x"), view(&group("h", &[&edge]), "d/x"));
    assert!(together.run_effect(&all_rows(&together)).margin.is_finite());
}

#[test]
fn suites_that_were_measured_twice_each_tell_how_their_own_runs_differ() {
    let (once, again) =
        (host("h", [100_000, 200_000, 150_000]), host("h", [102_000, 200_000, 165_000]));
    let all: Vec<&Run> = once.iter().chain(&again).collect();
    let together = group("h", &all);
    for (first, second) in once.iter().zip(&again) {
        let alone = group("h", &[first, second]);
        for row in &alone.rows {
            assert_eq!(view(&together, &row.key.name), row.view.unwrap());
        }
        assert!(together.spreads().contains(&alone.spreads()[0]));
    }
    assert_eq!(together.spreads().len(), 3);
    assert!(together.hosts_note().unwrap().ends_with("intervals exclude host-to-host variation"));
}

#[test]
fn hosts_that_were_measured_suite_by_suite_are_for_each_suite_what_they_are_for_it_alone() {
    let hosts = [
        host("h1", [100_000, 206_000, 150_000]),
        host("h2", [102_000, 200_000, 155_000]),
        host("h3", [104_000, 203_000, 165_000]),
    ];
    let all: Vec<&Run> = hosts.iter().flatten().collect();
    let together = group("kind", &all);
    for suite in 0..3 {
        let alone = group("kind", &hosts.each_ref().map(|host| &host[suite]));
        for row in &alone.rows {
            assert_eq!(view(&together, &row.key.name), row.view.unwrap());
        }
    }
    // Hosts differ by as much in all suites: the mean over all suites is the mean of hosts.
    let mean = |host: &[Run; 3]| {
        let alone = group("host", &host.iter().collect::<Vec<_>>());
        let logs = alone.rows.iter().map(|row| row.view.unwrap().interval.centre.ln());
        logs.sum::<f64>() / 9.0
    };
    let means = hosts.each_ref().map(mean);
    let (margin, _) = stats::mean_margin(&means).unwrap();
    let run_effect = together.run_effect(&all_rows(&together));
    assert!((run_effect.margin / margin - 1.0).abs() < 0.01, "{run_effect:?} {margin}");
}

#[test]
fn a_suite_that_one_host_lacks_is_put_at_what_it_would_be_on_all() {
    let (h1, h2) =
        (host("h1", [100_000, 200_000, 150_000]), host("h2", [110_000, 220_000, 165_000]));
    let together = group("kind", &[&h1[0], &h1[1], &h2[0]]);
    let web = view(&together, "e/x");
    let alone = view(&group("h1", &[&h1[1]]), "e/x");
    assert!(web.interval.is_known());
    assert!((web.interval.centre / alone.interval.centre - 1.1_f64.sqrt()).abs() < 0.01, "{web:?}");
}

#[test]
fn what_two_runs_share_by_themselves_does_not_cancel_between_their_rows() {
    let base = host("base", [100_000, 230_000, 170_000]);
    let other = host("other", [100_000, 230_000, 170_000]);
    let groups = [("base", &base), ("other", &other)]
        .map(|(label, runs)| group(label, &runs.iter().collect::<Vec<_>>()));
    let comparison = super::super::Pairs::of(&groups[0], &groups[1], &[]).comparison();
    assert!(comparison.is_whole());
    // A row lies to the mean of all as its own run does: as much as that is not in the mean, and the others are.
    let all = all_rows(&groups[0]);
    let parts = [(0, 5.0 / 9.0), (1, 3.0 / 9.0), (2, 2.0 / 9.0)].map(|(suite, share)| {
        let alone = group("alone", &[&base[suite]]);
        alone.run_effect(&all_rows(&alone)).scaled(share)
    });
    let sum = parts[0].and(&parts[1]).and(&parts[2]);
    let beside = groups[0].run_effect_beside(0, &all);
    assert!((beside.margin / sum.margin - 1.0).abs() < 1e-6, "{beside:?} {sum:?}");
    let alone = group("alone", &[&base[0]]);
    assert_eq!(alone.run_effect_beside(0, &all_rows(&alone)).margin, 0.0);
    let one_suite = compare(&base[0], &other[0], &[]);
    let first = |comparison: &Comparison| comparison.rows[0].ratio.clone().unwrap();
    assert!(first(&comparison).row_effect.margin() > 1.01 * first(&one_suite).row_effect.margin());
}

#[test]
fn each_set_of_runs_has_a_run_effect_to_be_wrong_about() {
    let (base, other) =
        (host("base", [100_000, 230_000, 170_000]), host("other", [100_000, 230_000, 170_000]));
    let groups = [&base, &other].map(|runs| group("of suites", &runs.iter().collect::<Vec<_>>()));
    let comparison = super::super::Pairs::of(&groups[0], &groups[1], &[]).comparison();
    let ratios: Vec<Ratio> = comparison.rows.iter().map(|row| row.ratio.clone().unwrap()).collect();
    let detectable = |change: fn(&mut Ratio)| {
        let mut ratios = ratios.clone();
        ratios.iter_mut().for_each(change);
        let mut verdicts = vec![Verdict::Missing; ratios.len()];
        let rows = ratios.iter_mut().zip(&mut verdicts);
        judge_ratios(rows.map(|(ratio, verdict)| (ThreadSpec::Count(1), ratio, verdict)));
        ratios[0].detectable
    };
    let of_three = detectable(|_| ());
    let of_one = detectable(|ratio| ratio.run_sets = (0, 0));
    assert!(of_three > 1.01 * of_one, "{of_three} {of_one}");
}
