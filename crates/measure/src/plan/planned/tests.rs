use super::*;
use catalog::Category;
use catalog::Suite;
use machine::{Cap, Fact, Limits, Placement};
use record::{Timing, Variant};

/// A machine on which these CPUs are allowed.
fn on(allowed: &str) -> Machine {
    let allowed_cpus = serde_json::from_value(allowed.into()).unwrap();
    Machine { limits: Limits { allowed_cpus, ..Limits::default() }, ..Machine::default() }
}

fn category(name: &str, workloads: &[&str], threads: &[&str]) -> Category {
    let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
    Category {
        name: name.to_owned(),
        threads: owned(threads),
        is_flat: false,
        workloads: owned(workloads),
    }
}

fn ask(threads: &str) -> Ask {
    let suite = Suite {
        name: "s".to_owned(),
        version: 1,
        about: String::new(),
        study: String::new(),
        threads: Vec::new(),
        precision: String::new(),
        budget: String::new(),
        controls: Vec::new(),
        include: Vec::new(),
        categories: vec![category("c", &["a/x", "b/x"], &[])],
    };
    Ask {
        suite,
        threads: threads.split(',').map(|item| item.parse().unwrap()).collect(),
        mix: None,
        rolling: None,
        isa: Vec::new(),
        sustain: None,
        variants: Vec::new(),
        co_runners: Vec::new(),
        placement: Placement::Cores,
        cpus: None,
        precision_ppm: 1,
        budget: Duration::from_secs(1),
        timing: Timing { warmup_ns: 1, sample_ns: 1, rounds_per_launch: 1 },
        seed: 1,
    }
}

fn cases(ask: &Ask, machine: &Machine) -> Vec<(String, usize, Vec<u32>)> {
    let plan = plan(ask, machine).unwrap().plan;
    plan.cases.into_iter().map(|c| (c.workload, c.threads, c.cpus)).collect()
}

#[test]
fn every_workload_is_planned_on_every_thread_count() {
    let ask = ask("1,all");
    let expected = [
        ("a/x".to_owned(), 1, vec![0]),
        ("a/x".to_owned(), 3, vec![0, 1, 2]),
        ("b/x".to_owned(), 1, vec![0]),
        ("b/x".to_owned(), 3, vec![0, 1, 2]),
    ];
    assert_eq!(cases(&ask, &on("0-2")), expected);
}

#[test]
fn controls_are_measured_on_one_thread_in_addition_to_the_cases() {
    let mut ask = ask("all");
    ask.suite.controls = vec!["r/x".to_owned()];
    let plan = plan(&ask, &on("0-2")).unwrap().plan;
    let control = plan.cases.last().unwrap();
    assert!(control.control && control.threads == 1 && control.workload == "r/x");
    assert_eq!(plan.cases.iter().filter(|case| case.control).count(), 1);
}

#[test]
fn a_thread_count_requested_twice_is_measured_once() {
    let ask = ask("1,1");
    assert_eq!(cases(&ask, &on("0-2")).len(), 2, "two workloads");
}

/// Each case with its requested thread count.
fn specs(planned: &Planned) -> Vec<(&str, ThreadSpec)> {
    planned.plan.cases.iter().map(|case| (case.workload.as_str(), case.thread_spec)).collect()
}

#[test]
fn on_one_cpu_one_thread_is_all_of_them_and_measured_once() {
    let planned = plan(&ask("1,all"), &on("0")).unwrap();
    assert_eq!(specs(&planned), [("a/x", ThreadSpec::All), ("b/x", ThreadSpec::All)]);
    assert!(planned.categories[0].is_on("1") && planned.categories[0].is_on("all"));
    let planned = plan(&ask("1"), &on("0")).unwrap();
    assert_eq!(specs(&planned)[0].1, ThreadSpec::Count(1), "\"all\" was not requested");
}

#[test]
fn a_thread_count_equal_to_all_is_measured_once_whichever_categories_request_it() {
    let mut ask = ask("1,2");
    ask.suite.categories =
        vec![category("c", &["a/x", "b/x"], &[]), category("d", &["a/x"], &["all"])];
    let planned = plan(&ask, &on("0-1")).unwrap();
    let (one, all) = (ThreadSpec::Count(1), ThreadSpec::All);
    assert_eq!(specs(&planned), [("a/x", one), ("a/x", all), ("b/x", one), ("b/x", all)]);
    assert_eq!(planned.categories[0].threads, ["1", "2", "all"]);
    assert_eq!(planned.categories[1].threads, ["all"]);
}

#[test]
fn a_workload_of_two_categories_is_measured_once_on_the_threads_of_both() {
    let mut ask = ask("1");
    ask.suite.categories =
        vec![category("c", &["a/x", "b/x"], &[]), category("d", &["a/x"], &["1", "all"])];
    let planned = plan(&ask, &on("0-2")).unwrap();
    let rows: Vec<_> =
        planned.plan.cases.iter().map(|c| (c.workload.as_str(), c.threads)).collect();
    assert_eq!(rows, [("a/x", 1), ("a/x", 3), ("b/x", 1)]);
    assert_eq!(planned.categories[0].threads, ["1"]);
    assert!(planned.categories[1].is_on("all") && !planned.categories[0].is_on("all"));
}

#[test]
fn invalid_threads_of_a_category_are_reported_with_its_name() {
    let mut ask = ask("1");
    ask.suite.categories[0].threads = vec!["many".to_owned()];
    let error = plan(&ask, &on("0")).unwrap_err().to_string();
    assert!(error.contains("\"c\"") && error.contains("\"many\""), "{error}");
}

#[test]
fn variants_of_a_case_are_adjacent() {
    let mut ask = ask("1");
    let variant = |name: &str| Variant { name: name.to_owned(), ..Variant::default() };
    ask.variants = vec![variant("base"), variant("new")];
    let plan = plan(&ask, &on("0-2")).unwrap().plan;
    let names: Vec<_> = plan.cases.iter().map(|case| case.variant.as_deref().unwrap()).collect();
    assert_eq!(names, ["base", "new", "base", "new"]);
    assert_eq!(plan.cases[0].workload, plan.cases[1].workload);
}

#[test]
fn a_variant_without_smt_has_one_cpu_of_each_core() {
    let machine = Machine { limits: on("0-15").limits, ..machine::fixture::machine("xeon-2s") };
    let mut ask = ask("1,all");
    ask.suite.categories = vec![category("c", &["a/x"], &[])];
    ask.variants = ["base", "no-smt=smt:off"].map(|text| text.parse().unwrap()).to_vec();
    let placed = |ask: &Ask| -> Result<Vec<(usize, Vec<u32>)>, PlanError> {
        let planned = plan(ask, &machine)?;
        Ok(planned.plan.cases.into_iter().map(|case| (case.threads, case.cpus)).collect())
    };
    let cases = placed(&ask).unwrap();
    // CPUs 8 to 15 are the second of the cores of CPUs 0 to 7.
    assert_eq!((&cases[0].1, &cases[1].1), (&vec![0], &vec![0]));
    assert_eq!((cases[2].0, cases[3].0), (16, 8));
    assert!(cases[3].1.iter().all(|cpu| *cpu < 8), "{cases:?}");
    ask.cpus = Some(vec![0, 1, 2]);
    assert!(matches!(placed(&ask), Err(PlanError::NoSmt { name }) if name == "no-smt"));
}

#[test]
fn one_variant_or_two_of_one_name_are_refused() {
    let mut ask = ask("1");
    for count in [1, 2] {
        ask.variants = vec![Variant { name: "base".to_owned(), ..Variant::default() }; count];
        let refused = plan(&ask, &on("0"));
        assert_eq!(refused, Err(PlanError::Variants));
    }
}

#[test]
fn a_sample_that_is_longer_than_the_budget_is_refused() {
    let mut ask = ask("all");
    ask.timing.sample_ns = 2_000_000_000;
    assert_eq!(plan(&ask, &on("0")), Err(PlanError::Budget));
}

#[test]
fn a_plan_too_large_for_a_header_is_refused_before_it_is_made() {
    let mut ask = ask("1-2000");
    assert!(plan(&ask, &on("0-1")).is_ok());
    let variant = |name| Variant { name, ..Variant::default() };
    ask.variants = ["base", "new"].map(|name| variant(name.to_owned())).to_vec();
    let refused = plan(&ask, &on("0-1"));
    assert_eq!(refused, Err(PlanError::TooMany { threads: 2 * 2000 * 2001 }));
}

#[test]
fn a_quota_bounds_what_all_means() {
    let mut machine = on("0-7");
    machine.limits.cpu_quota = Fact::Known(Cap::At(2.5));
    assert_eq!(cases(&ask("all"), &machine)[0].1, 2);
}

#[test]
fn only_requested_cpus_are_used_and_excess_threads_share_them() {
    let mut ask = ask("all,3");
    ask.cpus = Some(vec![5, 6]);
    let cases = cases(&ask, &on("0-7"));
    assert_eq!(cases[0].2, [5, 6]);
    assert_eq!(cases[1].2, [5, 6, 5]);
}

#[test]
fn an_unavailable_cpu_is_refused() {
    let mut ask = ask("all");
    ask.cpus = Some(vec![1, 999]);
    let error = plan(&ask, &on("0-1")).unwrap_err();
    assert_eq!(error.to_string(), "CPU 999 is unavailable; allowed: 0-1");
}
