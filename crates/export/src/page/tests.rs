use super::*;
use catalog::Unit;
use doctor::{RULES, Severity};
use estimate::RunEstimate;
use judge::compare::{Contention, Sheet};
use record::{Finding, Launch, Note, Reading, Resume, Run, ThreadSpec, fixture};
use serde_json::{Value, json};

mod changed;

const STEADY: &[u64] = &[100; 20];
const DOUBLE: &[u64] = &[200; 20];

fn input(label: &str, runs: &[&Run]) -> PageInput {
    let figures = runs.iter().map(|run| Sheet::of(run, ViewKind::Uncontended)).collect();
    PageInput {
        group: Group::of(label.to_owned(), ViewKind::Uncontended, figures).unwrap(),
        runs: runs.iter().map(|run| PageRun::of(run, &RunEstimate::of(run))).collect(),
        prices: Vec::new(),
        watts: None,
    }
}

fn page(runs: &[&Run]) -> Value {
    let inputs = runs.iter().enumerate().map(|(i, run)| input(&format!("machine {i}"), &[run]));
    serde_json::to_value(Page::of(inputs.collect(), &[], "2026-11-23T06:00:00Z".parse().unwrap()))
        .unwrap()
}

/// The value of a column for the first figure of the first group.
fn value_in<'a>(page: &'a Value, column: &str) -> &'a Value {
    let mut columns = page["columns"].as_array().unwrap().iter();
    &page["cells"][0][0]["values"][columns.position(|one| one["name"] == column).expect(column)]
}

#[test]
fn every_group_has_a_cell_for_every_row_that_any_group_has() {
    let (left, right) =
        (fixture::run(&[("a/x", STEADY), ("b/x", STEADY)]), fixture::run(&[("b/x", DOUBLE)]));
    let page = page(&[&left, &right]);
    let names: Vec<&str> =
        page["rows"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["a/x", "b/x"]);
    assert!(page["cells"][0][0].is_object() && page["cells"][1][1].is_object());
    assert_eq!(page["cells"][1][0], Value::Null);
    assert_eq!(value_in(&page, "clock_hz"), &json!(3e9), "the clock of its work");
}

#[test]
fn variants_are_machines_whose_ratios_are_those_of_pairs() {
    // Both swing by a third from round to round; the second is 2 % slower in each.
    let swing: Vec<u64> = (0..40).map(|i| if i % 3 == 0 { 1000 } else { 1500 }).collect();
    let slower: Vec<u64> = swing.iter().map(|ops| ops * 98 / 100).collect();
    let mut run = fixture::run(&[("a/x", &swing), ("b/x", &slower)]);
    for (case, name) in run.header.plan.cases.iter_mut().zip(["base", "slow"]) {
        case.workload = "a/x".to_owned();
        case.variant = Some(name.to_owned());
        run.header.variants.push(name.parse().unwrap());
    }
    run.header.categories[0].workloads = vec!["a/x".to_owned()];
    let made = "2026-11-23T06:00:00Z".parse().unwrap();
    let page = serde_json::to_value(Page::of_variants(
        &run,
        &RunEstimate::of(&run),
        None,
        &|_| true,
        made,
    ))
    .unwrap();
    let labels: Vec<&Value> =
        page["groups"].as_array().unwrap().iter().map(|group| &group["label"]).collect();
    assert_eq!(labels, ["base", "slow"]);
    assert_eq!(page["rows"][0]["name"], "a/x");
    let expected = judge::compare::compare_variants(&run, None).unwrap();
    let interval = expected.rows[0].ratio.as_ref().unwrap().interval;
    let close = |found: &Value, expected: f64| {
        let found = found.as_f64().unwrap();
        assert!((found / expected - 1.0).abs() < 1e-6, "{found}, not {expected}");
    };
    for numbers in [&page["pairs"][0][1][0][0], &page["scores"][0][1][0][2]] {
        close(&numbers[0], interval.centre);
        close(&numbers[1], interval.low);
        close(&numbers[2], interval.high);
    }
    // The other way round, and no variant beside itself.
    close(&page["pairs"][1][0][0][0][0], 1.0 / interval.centre);
    assert_eq!((&page["pairs"][0][0][0], &page["scores"][0][0]), (&Value::Null, &Value::Null));
    assert_eq!((&page["variants_of"], &page["pair_notes"]), (&json!(run.header.label), &json!({})));
    run.header.variants.clear();
    assert!(Page::of_variants(&run, &RunEstimate::of(&run), None, &|_| true, made).is_none());
}

#[test]
fn a_cell_has_the_length_of_its_output_and_what_more_threads_bring() {
    let measured = page(&[&fixture::run(&[("a/x", STEADY)])]);
    assert_eq!(value_in(&measured, "output_bytes"), &json!(1_000));
    assert_eq!(measured["cells"][0][0]["speed_up"], Value::Null);
    let rows = [
        ("a/x", ThreadSpec::Count(1), 1, &[99.0, 100.0, 101.0][..]),
        ("a/x", ThreadSpec::All, 4, &[297.0, 300.0, 303.0][..]),
    ];
    let page = page(&[&fixture::imported("table", &Unit::Ops, &rows)]);
    let speed_ups: Vec<&Value> =
        page["cells"][0].as_array().unwrap().iter().map(|cell| &cell["speed_up"][0]).collect();
    assert_eq!(speed_ups, [&Value::Null, &json!(3.0)]);
}

#[test]
fn the_page_says_which_rows_lack_uncontended_figures_and_only_then() {
    let run = fixture::run(&[("a/x", STEADY)]);
    let made = || "2026-11-23T06:00:00Z".parse().unwrap();
    let told = |contention: Option<Contention>| {
        let mut input = input("here", &[&run]);
        input.group.contention = contention;
        serde_json::to_value(Page::of(vec![input], &[], made())).unwrap()["contention"].clone()
    };
    let contention = Contention { rows: 4, lacking: 2, others: Vec::new(), falls_back: true };
    assert_eq!(told(Some(contention.clone())), json!(contention.warning()));
    assert_eq!(told(None), Value::Null);
}

#[test]
fn a_score_turned_round_is_one_over_the_score() {
    let (left, right) = (fixture::run(&[("a/x", STEADY)]), fixture::run(&[("a/x", DOUBLE)]));
    let page = page(&[&left, &right]);
    let centre = |b: usize, o: usize| page["scores"][b][o][0][2][0].as_f64().unwrap();
    assert!((centre(0, 1) - 2.0).abs() < 1e-7);
    assert!((centre(0, 1) * centre(1, 0) - 1.0).abs() < 1e-7);
    assert_eq!(page["scores"][0][0], Value::Null);
}

#[test]
fn rows_that_must_not_be_compared_say_what_differs() {
    let left = fixture::run(&[("a/x", STEADY)]);
    let mut right = fixture::run(&[("a/x", STEADY)]);
    right.launches[0].ready.build.compiler = "cc 9".to_owned();
    let page = page(&[&left, &right]);
    let place = page["unlike"]["0-1"].as_u64().expect("two identities") as usize;
    assert_eq!(page["differences"][place][0]["other"], "cc 9");
}

#[test]
fn a_group_without_a_figure_still_says_what_differs_within_it() {
    let left = fixture::run(&[("a/x", &[100; 2])]);
    let mut right = left.clone();
    right.launches[0].ready.build.compiler = "cc 9".to_owned();
    let input = input("both", &[&left, &right]);
    let made = "2026-11-23T06:00:00Z".parse().unwrap();
    let page = serde_json::to_value(Page::of(vec![input], &[], made)).unwrap();
    let cell = &page["cells"][0][0];
    assert!(cell["why"].is_u64(), "a figure of two samples: {cell}");
    let place = cell["differing"].as_u64().expect("two compilers") as usize;
    assert_eq!(page["differences"][place][0]["other"], "cc 9");
}

#[test]
fn a_long_run_is_thinned_out_to_what_a_picture_shows() {
    let mut run = fixture::run(&[("a/x", STEADY)]);
    let reading = |n: u64| Reading {
        at_ns: n * 1_000_000_000,
        source: format!("frequency_khz.cpu{}", n % 2),
        value: 2e6,
    };
    run.readings = (0..5_000).map(reading).collect();
    let page = page(&[&run]);
    let series = page["groups"][0]["sheets"][0]["telemetry"].as_array().unwrap();
    let clock = series.iter().find(|each| each["name"] == "clock by the kernel").expect("a series");
    let points = clock["points"].as_array().unwrap();
    assert!((200..=240).contains(&points.len()), "{} points", points.len());
    assert_eq!(points[17][1], 2.0);
}

#[test]
fn of_a_run_whose_clock_started_anew_only_what_followed_is_shown() {
    let mut run = fixture::run(&[("a/x", STEADY)]);
    let load = |at_ns: u64| Reading { at_ns, source: "load1".to_owned(), value: 1.0 };
    run.readings = [9_000_000_000, 9_500_000_000, 1_000_000_000, 3_000_000_000].map(load).to_vec();
    run.samples.clear();
    (run.last_clock.launches, run.last_clock.readings) = (1, 2);
    let page = page(&[&run]);
    assert_eq!(
        page["groups"][0]["sheets"][0]["telemetry"][0]["points"],
        json!([[0.0, 1.0], [2.0, 1.0]])
    );
}

#[test]
fn launches_resumes_and_disturbed_samples_stand_beside_the_telemetry() {
    let mut run = fixture::run(&[("a/x", STEADY)]);
    run.launches[0].at_ns = 2_000_000_000;
    for (round, sample) in run.samples.iter_mut().enumerate() {
        sample.measured.start_ns = 3_000_000_000 + round as u64 * 1_000_000_000;
        sample.measured.end_ns = sample.measured.start_ns + 500_000_000;
        sample.steal_ticks = Some(if round == 1 { 40 } else { 0 });
    }
    run.resumes = vec![Resume { at_unix_ns: 0, at_ns: 1_500_000_000, torn_bytes: 0 }];
    let events = &page(&[&run])["groups"][0]["sheets"][0]["events"];
    assert_eq!(
        *events,
        json!([
            { "kind": "launch", "what": "", "at": [[0.5, 1]] },
            { "kind": "disturbed", "what": "steal", "at": [[3.0, 1]] },
            { "kind": "resume", "what": "", "at": [[0.0, 1]] },
        ])
    );
}

#[test]
fn events_too_near_to_each_other_for_a_picture_are_counted() {
    let mut run = fixture::run(&[("a/x", STEADY)]);
    run.samples.clear();
    let launch = run.launches[0].clone();
    let at = |n: u64| Launch { at_ns: n * 100_000_000, ..launch.clone() };
    run.launches = (0..10_000).map(at).collect();
    let events = &page(&[&run])["groups"][0]["sheets"][0]["events"];
    let at = events[0]["at"].as_array().unwrap();
    assert!((200..=241).contains(&at.len()), "{} marks", at.len());
    assert_eq!(at.iter().map(|at| at[1].as_u64().unwrap()).sum::<u64>(), 10_000);
}

#[test]
fn a_page_holds_its_data_and_nothing_that_html_would_take_for_its_own() {
    let mut run = fixture::run(&[("a/x", STEADY)]);
    run.header.label = "</script><script>alert(1)</script>".to_owned();
    let figures = vec![Sheet::of(&run, ViewKind::Uncontended)];
    let group = Group::of(run.header.label.clone(), ViewKind::Uncontended, figures).unwrap();
    let runs = vec![PageRun::of(&run, &RunEstimate::of(&run))];
    let input = PageInput { group, runs, prices: Vec::new(), watts: None };
    let html =
        html(&Page::of(vec![input], &[], "2026-11-23T06:00:00Z".parse().unwrap()), None).unwrap();
    assert!(!html.contains("<script>alert"));
    assert!(
        html.contains("<meta property=\"og:title\" content=\"Suspect data: &#60;/script&#62;"),
        "{}",
        &html[..2000]
    );
}

#[test]
fn no_process_no_cpu_and_no_command_of_a_finding_comes_onto_a_page() {
    let mut run = fixture::run(&[("a/x", STEADY)]);
    let secret = "CPU 3 (secretd, pid 47110815: 31 s); kill -STOP 47110815";
    let finding = |id: &str| Finding {
        id: id.to_owned(),
        severity: Severity::Unfit,
        seen: secret.to_owned(),
        meaning: secret.to_owned(),
        remedy: secret.to_owned(),
    };
    run.header.findings = RULES.iter().map(|rule| finding(rule.id)).collect();
    run.header.findings.push(finding("47110815"));
    run.notes = vec![Note::Emulated { seen: secret.to_owned() }, Note::Open];
    let page =
        || Page::of(vec![input("here", &[&run])], &[], "2026-11-23T06:00:00Z".parse().unwrap());
    // In the page itself the data are packed.
    let data = serde_json::to_string(&page()).unwrap();
    let mut written = vec![data, html(&page(), None).unwrap(), markdown(&page(), &[]).unwrap()];
    let site = site(&page(), "card.png").unwrap();
    written.extend(site.pages.into_iter().map(|page| page.html));
    written.push(site.card.svg);
    written.extend(charts(&page()).unwrap().into_iter().map(|chart| chart.svg));
    for text in written {
        for word in ["47110815", "secretd", "STOP", "--resume"] {
            assert!(!text.contains(word), "{word}");
        }
    }
}

#[test]
fn the_pages_types_in_typescript_are_what_its_types_give() {
    let head =
        "// Written by a test of crates/export from the types there: ARCHITECTURE.md says how.\n";
    let types = testkit::shapes::typescript(&testkit::shapes::schema::<Page>());
    testkit::shapes::hold("report/src/shapes.ts", &(head.to_owned() + &types));
}
