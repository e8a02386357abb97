use super::*;
use estimate::{RunEstimate, ViewKind};
use machine::Topology;
use record::fixture::run;
use record::{Run, ThreadSpec};

mod beside;
mod clock;
mod groups;
mod scores;
mod suites;
mod units;

const STEADY: &[u64] = &steady(100);
const DOUBLE: &[u64] = &steady(200);

/// All samples are equal but one: without any spread nothing would count as measured.
const fn steady(ops: u64) -> [u64; 20] {
    let mut all = [ops; 20];
    all[7] += 1;
    all
}

/// Runs that stand for the same thing.
pub(super) fn group(label: &str, runs: &[&Run]) -> Group {
    let figures = runs.iter().map(|run| Sheet::of(run, ViewKind::Uncontended)).collect();
    Group::of(label.to_owned(), ViewKind::Uncontended, figures).unwrap()
}

fn compare(baseline: &Run, other: &Run, allow: &[MustMatch]) -> Comparison {
    let (baseline, other) = (group("base", &[baseline]), group("the other run", &[other]));
    super::Pairs::of(&baseline, &other, allow).comparison()
}

fn score(run: &Run, baseline: &Run, allow: &[MustMatch]) -> Score {
    let (group, baseline) = (group("the other run", &[run]), group("base", &[baseline]));
    super::Pairs::of(&baseline, &group, allow).score(None, &Weightings::of(group.rows.len()))
}

/// Differences between two cases.
fn differences(baseline: &Run, case: usize, other: &Run, other_case: usize) -> Vec<Difference> {
    Identity::of(baseline, case).differences(&Identity::of(other, other_case))
}

fn ratio(row: &Row) -> f64 {
    row.ratio.as_ref().expect("a ratio").interval.centre
}

fn reason(row: &Row) -> String {
    assert_eq!(row.verdict, Verdict::Missing);
    row.reason.clone().expect("a reason")
}

#[test]
fn a_ratio_above_one_means_that_the_other_is_faster() {
    let comparison = compare(&run(&[("a/x", STEADY)]), &run(&[("a/x", DOUBLE)]), &[]);
    assert!((ratio(&comparison.rows[0]) - 2.0).abs() < 1e-9);
    assert!(comparison.is_whole());
}

#[test]
fn cores_and_clock_are_told_of_machines_that_were_measured_on_all_cores() {
    let of_cores = |cores: u32| {
        let mut run = run(&[("a/x", STEADY)]);
        run.header.machine.topology = Topology::with_siblings(cores, |cpu| vec![cpu]);
        run
    };
    let told = |left: u32, right: u32| {
        score(&of_cores(right), &of_cores(left), &[]).cores_times_clock.is_some()
    };
    assert!(told(1, 1));
    // One thread's clock is not that of 64 cores.
    assert!(!told(1, 64) && !told(64, 1));
}

#[test]
fn rows_are_matched_by_name_and_what_one_side_lacks_is_named() {
    let baseline = run(&[("a/x", STEADY), ("b/x", STEADY)]);
    let other = run(&[("c/x", STEADY), ("b/x", DOUBLE)]);
    let comparison = compare(&baseline, &other, &[]);
    let names: Vec<&str> = comparison.rows.iter().map(|row| row.workload.as_str()).collect();
    assert_eq!(names, ["a/x", "b/x", "c/x"]);
    assert_eq!(reason(&comparison.rows[0]), "the other run did not measure it");
    assert!((ratio(&comparison.rows[1]) - 2.0).abs() < 1e-9);
    assert_eq!(reason(&comparison.rows[2]), "base did not measure it");
    assert!(!comparison.is_whole());
}

#[test]
fn a_row_whose_rate_is_fixed_is_in_no_comparison_and_no_score() {
    let fixed = || {
        let mut run = run(&[("a/x", STEADY), ("b/x", STEADY)]);
        run.launches[0].ready.fixed_rate_per_s = Some(500);
        run
    };
    let comparison = compare(&fixed(), &fixed(), &[]);
    let names: Vec<&str> = comparison.rows.iter().map(|row| row.workload.as_str()).collect();
    assert_eq!(names, ["b/x"]);
    assert!(comparison.is_whole());
    let says = |note: &String| note.contains("fixed rate, not judged") && note.contains("a/x");
    assert!(comparison.notes.iter().any(says), "{:?}", comparison.notes);
    let score = score(&fixed(), &fixed(), &[]);
    assert_eq!((score.lines[0].rows, score.missing.len()), (1, 0));
    assert!(score.notes.iter().any(says), "{:?}", score.notes);
}

#[test]
fn a_case_that_failed_has_no_ratio_though_it_has_samples() {
    let mut other = run(&[("a/x", DOUBLE)]);
    other.outcomes.push(record::fixture::wrong_answer(0));
    let comparison = compare(&run(&[("a/x", STEADY)]), &other, &[]);
    assert_eq!(reason(&comparison.rows[0]), "the other run: failed: a bit was wrong");
    let score = score(&other, &other, &[]);
    assert_eq!(score.missing, ["a/x on 1 thread: failed: a bit was wrong"]);
    assert!(score.lines.iter().all(|line| line.score.is_none()));
}

/// Differences after a change to one run; a comparison refuses them unless they are allowed.
fn differing(change: impl Fn(&mut Run)) -> Vec<Difference> {
    let baseline = run(&[("a/x", STEADY)]);
    let mut other = baseline.clone();
    change(&mut other);
    let found = differences(&baseline, 0, &other, 0);
    let comparison = compare(&baseline, &other, &[]);
    let refused = comparison.rows[0].verdict == Verdict::NotComparable;
    assert_eq!(refused, !found.is_empty());
    let allowed: Vec<MustMatch> = found.iter().map(|difference| difference.kind).collect();
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
    assert_eq!(kind(definition), MustMatch::Definition);
    assert_eq!(
        kind(|run| {
            let definition = run.header.workloads.get_mut("a/x").unwrap();
            definition.inputs.insert("page".to_owned(), "00ff".to_owned());
        }),
        MustMatch::Input
    );
    assert_eq!(
        kind(|run| {
            let libraries = &mut run.launches[0].ready.build.libraries;
            libraries.insert("zip".to_owned(), "2".to_owned());
        }),
        MustMatch::Library
    );
    assert_eq!(
        kind(|run| run.launches[0].ready.build.compiler = "cc 9".to_owned()),
        MustMatch::Compiler
    );
    assert_eq!(
        kind(|run| run.launches[0].ready.build.flags = "-O0".to_owned()),
        MustMatch::Compiler
    );
    let emulated = |run: &mut Run| {
        let build = record::WorkerBuild { target: "linux/arm64".to_owned(), ..<_>::default() };
        let manifest = record::Manifest { sha256: String::new(), build };
        run.header.workers.insert("go".to_owned(), manifest);
        run.header.machine.cpu.architecture = machine::Fact::Known("x86_64".to_owned());
    };
    assert_eq!(kind(emulated), MustMatch::Emulation);
    let output = |run: &mut Run| run.launches[0].ready.output_sha256 = Some("f".repeat(64));
    assert_eq!(kind(output), MustMatch::Output);
    assert_eq!(differing(|run| run.launches[0].ready.output_sha256 = None), []);
    assert_eq!(kind(|run| run.launches[0].ready.build.version = "9".to_owned()), MustMatch::Worker);
    assert_eq!(
        kind(|run| run.header.plan.cases[0].placement = machine::Placement::Socket),
        MustMatch::Threads
    );
}

#[test]
fn an_output_counts_if_all_launches_of_the_row_told_it() {
    let output = |run: &mut Run, other: Option<&str>| {
        run.launches[0].ready.output_sha256 = Some("f".repeat(64));
        let mut second = run.launches[0].clone();
        second.launch += 1;
        second.ready.output_sha256 = other.map(|digit| digit.repeat(64));
        run.launches.push(second);
    };
    assert_eq!(differing(|run| output(run, Some("f"))).len(), 1);
    assert_eq!(differing(|run| output(run, Some("e"))), []);
    assert_eq!(differing(|run| output(run, None)), []);
}

#[test]
fn another_build_of_the_same_version_is_another_worker_but_not_on_another_architecture() {
    let built = |sha256: &str, target: &str| {
        let mut run = run(&[("a/x", STEADY)]);
        let build = record::WorkerBuild::default();
        let manifest = record::Manifest { sha256: sha256.to_owned(), build };
        run.header.workers.insert("native".to_owned(), manifest);
        run.launches[0].ready.build.target = target.to_owned();
        run
    };
    let found = differences(&built("aa", "x86"), 0, &built("bb", "x86"), 0);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].kind, MustMatch::Worker);
    assert_eq!(differences(&built("aa", "x86"), 0, &built("bb", "arm"), 0), []);
}

#[test]
fn threads_that_take_turns_are_not_compared_with_threads_that_do_not() {
    let found = differing(|run| run.header.plan.cases[0].threads = 2);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].kind, MustMatch::Threads);
}

/// Ops of 40 samples around `ops`, spread a little.
fn noisy(ops: u64, seed: u64) -> Vec<u64> {
    (0..40).map(|i| ops + (i * 7 + seed * 3) % 11).collect()
}

#[test]
fn a_clear_difference_is_called_and_a_slight_one_is_not() {
    let (base, same, slow) = (noisy(1000, 1), noisy(1001, 2), noisy(900, 3));
    let baseline = run(&[("a/x", &base), ("b/x", &base)]);
    let other = run(&[("a/x", &same), ("b/x", &slow)]);
    let verdicts = |a: &Run, b: &Run| {
        compare(a, b, &[]).rows.iter().map(|row| row.verdict).collect::<Vec<_>>()
    };
    let expected = [Verdict::NoDetectableDifference, Verdict::Slower];
    assert_eq!(verdicts(&baseline, &other), expected);
    assert_eq!(verdicts(&other, &baseline)[1], Verdict::Faster);
    let row = &compare(&baseline, &other, &[]).rows[0];
    let detectable = row.ratio.as_ref().unwrap().detectable;
    assert!((0.001..0.02).contains(&detectable), "{detectable}");
}

#[test]
fn the_row_effect_is_what_is_left_without_the_run_effect() {
    let baseline = run(&[("a/x", STEADY), ("b/x", STEADY)]);
    let other = run(&[("a/x", &[400; 20]), ("b/x", STEADY)]);
    let comparison = compare(&baseline, &other, &[]);
    assert!((comparison.common[0].ratio.centre - 2.0).abs() < 1e-9);
    let row_effect = |row: &Row| row.ratio.as_ref().unwrap().row_effect.centre;
    assert!((row_effect(&comparison.rows[0]) - 2.0).abs() < 1e-9);
    assert!((row_effect(&comparison.rows[1]) - 0.5).abs() < 1e-9);
}

#[test]
fn variants_are_compared_pair_by_pair_whatever_the_moments_were_like() {
    // Both swing by a third from round to round; the second is 2 % slower in each.
    let swing: Vec<u64> = (0..40).map(|i| if i % 3 == 0 { 1000 } else { 1500 }).collect();
    let slower: Vec<u64> = swing.iter().map(|ops| ops * 98 / 100).collect();
    let mut run = run(&[("a/x", &swing), ("b/x", &slower)]);
    for (case, name) in run.header.plan.cases.iter_mut().zip(["base", "slow"]) {
        case.workload = "a/x".to_owned();
        case.variant = Some(name.to_owned());
        run.header.variants.push(name.parse().unwrap());
    }
    let comparison = compare_variants(&run, None).unwrap();
    assert_eq!(comparison.rows.len(), 1);
    let row = &comparison.rows[0];
    assert_eq!((row.variant.as_str(), row.verdict, row.pairs), ("slow", Verdict::Slower, 40));
    assert!((ratio_of(row) - 0.98).abs() < 1e-9);
    let slow = run.launches.iter().position(|launch| launch.case == 1).unwrap();
    run.launches[slow].ready.output_sha256 = Some("f".repeat(64));
    let row = &compare_variants(&run, None).unwrap().rows[0];
    let reason = "different work: an op's output is 000000000000 in the first variant, ffffffffffff in this one";
    assert_eq!((row.reason.as_deref(), &row.ratio), (Some(reason), &None));

    run.header.variants.clear();
    assert_eq!(compare_variants(&run, None), None);
}

fn ratio_of(row: &VariantRow) -> f64 {
    row.ratio.as_ref().unwrap().interval.centre
}

#[test]
fn a_core_that_was_shared_all_the_time_in_one_run_of_a_cpu_is_noted() {
    let baseline = run(&[("a/x", STEADY)]);
    let mut other = baseline.clone();
    for sample in &mut other.samples {
        for pulse in [0, 1] {
            let thread = &mut sample.measured.threads[0];
            let pulse = if pulse == 0 { &mut thread.pulse_before } else { &mut thread.pulse_after };
            pulse.width_ns *= 2;
        }
    }
    let named = |mut run: Run| {
        run.header.machine.cpu.model = machine::Fact::Known("EPYC".to_owned());
        run
    };
    let says = |notes: &[String]| {
        notes.iter().any(|note| note.contains("a neighbour may have been on the core"))
    };
    assert!(!says(&compare(&named(baseline.clone()), &named(baseline.clone()), &[]).notes));
    let notes = compare(&named(baseline), &named(other), &[]).notes;
    assert!(says(&notes), "{notes:?}");
}

#[test]
fn a_users_own_worker_must_be_the_same_program() {
    let own = |sha256: &str| {
        let mut run = run(&[("a/x", STEADY)]);
        run.header.workloads.get_mut("a/x").unwrap().worker = "own: w.py".to_owned();
        let build = record::WorkerBuild::default();
        let manifest = record::Manifest { sha256: sha256.to_owned(), build };
        run.header.workers.insert("own: w.py".to_owned(), manifest);
        run
    };
    assert!(compare(&own("aa"), &own("aa"), &[]).is_whole());
    let found = differences(&own("aa"), 0, &own("bb"), 0);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].kind, MustMatch::Worker);
}

#[test]
fn which_worker_of_the_release_does_it_need_not_match() {
    let done_by = |worker: &'static str| {
        differing(|run| run.header.workloads.get_mut("a/x").unwrap().worker = worker.to_owned())
    };
    assert_eq!(done_by("openssl"), []);
    assert!(done_by("own: w.py").iter().any(|found| found.kind == MustMatch::Definition));
}

#[test]
fn the_builds_of_a_worker_in_a_setting_are_compared_and_not_its_namesakes() {
    let build = |sha256: &str| {
        let mut run = run(&[("a/x", STEADY)]);
        let variant: record::Variant = "slow=GOGC=20".parse().unwrap();
        run.header.plan.cases[0].variant = Some(variant.name.clone());
        let worker = run.header.workloads["a/x"].worker.clone();
        let manifest = |sha256: &str| record::Manifest {
            sha256: sha256.to_owned(),
            build: record::WorkerBuild::default(),
        };
        run.header.workers.insert(worker.clone(), manifest("same"));
        run.header.workers.insert(variant.name_of(&worker), manifest(sha256));
        run.header.variants.push(variant);
        run
    };
    assert_eq!(differences(&build("aa"), 0, &build("aa"), 0), []);
    let found = differences(&build("aa"), 0, &build("bb"), 0);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        (found[0].kind, found[0].what.as_str()),
        (MustMatch::Worker, "the worker's build for \"\"")
    );
}

#[test]
fn with_two_numbers_of_threads_there_are_two_run_effects_to_be_wrong_about() {
    // Both rows swing, so that there is a run effect.
    let swing: Vec<u64> = (0..40).map(|i| 100 + i).collect();
    let one = run(&[("a/x", &swing), ("b/x", &swing)]);
    let mut two = one.clone();
    two.header.plan.cases[1].thread_spec = ThreadSpec::All;
    let detectable = |run: &Run| {
        let rows = compare(run, run, &[]).rows;
        rows[0].ratio.as_ref().unwrap().detectable
    };
    assert!(
        detectable(&two) > 1.05 * detectable(&one),
        "{} {}",
        detectable(&two),
        detectable(&one)
    );
}

#[test]
fn imported_figures_are_compared_with_imported_ones_of_the_same_tool_only() {
    let imported = |tool: &str, figures: &[f64]| {
        let mut run = run(&[("a/x", &[])]);
        let (tool, sources, lacks) = (tool.to_owned(), Vec::new(), Vec::new());
        run.header.origin = Some(record::Origin { tool, sources, lacks, failed: Vec::new() });
        run.launches.clear();
        let figure = |per_s: &f64| record::Imported { case: 0, per_s: *per_s, bytes_per_op: None };
        run.imported = figures.iter().map(figure).collect();
        run
    };
    let row = |a: &Run, b: &Run| compare(a, b, &[]).rows.remove(0);
    let (one, other) = (imported("t 1", &[100.0]), imported("t 1", &[150.0]));
    let of_one_figure = row(&one, &other);
    assert!((ratio(&of_one_figure) - 1.5).abs() < 1e-9);
    assert_eq!(of_one_figure.verdict, Verdict::Unknown);
    assert_eq!(of_one_figure.reason.as_deref(), Some("both: 1 sample: no error bar"));
    assert!(!compare(&one, &other, &[]).is_whole());
    let several = imported("t 1", &[150.0, 151.0, 149.0, 150.0]);
    let base = imported("t 1", &[100.0, 101.0, 99.0, 100.0]);
    assert_eq!(row(&base, &several).verdict, Verdict::Faster);
    let refused = row(&one, &imported("t 2", &[150.0]));
    assert_eq!(refused.verdict, Verdict::NotComparable);
    assert_eq!(refused.differences[0].kind, MustMatch::Origin);
}

#[test]
fn a_row_whose_samples_repeat_each_other_is_neither_faster_nor_slower() {
    let baseline = run(&[("a/x", STEADY), ("b/x", STEADY)]);
    let mut other = run(&[("a/x", DOUBLE), ("b/x", DOUBLE)]);
    other.repeated.insert(0);
    let comparison = compare(&baseline, &other, &[]);
    let verdicts: Vec<Verdict> = comparison.rows.iter().map(|row| row.verdict).collect();
    assert_eq!(verdicts, [Verdict::Unknown, Verdict::Faster]);
}
