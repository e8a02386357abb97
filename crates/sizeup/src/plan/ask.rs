//! What a run is asked to do, and the cases that this comes to on a machine.

use super::threads::{ThreadsAsked, expand};
use crate::catalog::{Category, Mix, Suite};
use crate::machine::{Limits, Placement, Topology, place};
use crate::record::{Case, Plan, ThreadSpec, Timing, Variant};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// A header names the CPU of each thread of each case: it stays below some 20 MB.
const MOST_THREADS_OF_ALL: usize = 1 << 22;

/// What the user asks for.
#[derive(Debug, Clone)]
pub struct Ask {
    /// Which workloads.
    pub suite: Suite,
    /// What all workloads are measured as at once, too.
    pub mix: Option<Mix>,
    /// On how many threads each, where its category doesn't say.
    pub threads: Vec<ThreadsAsked>,
    /// In which settings each, the baseline first; none for the work as it is.
    pub variants: Vec<Variant>,
    /// On which CPUs.
    pub placement: Placement,
    /// Only on these CPUs.
    pub cpus: Option<Vec<u32>>,
    /// Half-width to reach, in parts per million.
    pub precision_ppm: u64,
    /// Time for the whole run.
    pub budget: Duration,
    /// How windows are taken.
    pub timing: Timing,
    /// Of all random choices.
    pub seed: u64,
}

/// An ask that this machine can't meet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// A CPU that is not there or not allowed.
    #[error("CPU {cpu} may not be used here, only {allowed}")]
    Cpu {
        /// Which.
        cpu: u32,
        /// Those that may.
        allowed: String,
    },
    /// A category's numbers of threads make no sense.
    #[error("the category {category:?}: {what}")]
    Threads {
        /// Whose.
        category: String,
        /// What is wrong.
        what: String,
    },
    /// No time for one window.
    #[error("the budget is shorter than one window with its settling")]
    Budget,
    /// One variant, or two of one name.
    #[error("variants are compared to the first: two or more of different names are needed")]
    Variants,
    /// More than a run file's header can hold.
    #[error(
        "that is {threads} threads in all cases together, and a run can have {MOST_THREADS_OF_ALL}: ask for fewer workloads or numbers of threads"
    )]
    TooMany {
        /// The sum over cases.
        threads: usize,
    },
    /// Nothing to do.
    #[error("the suite has no workload, or no number of threads was asked for")]
    Empty,
}

/// What an ask comes to on a machine.
#[derive(Debug, Clone, PartialEq)]
pub struct Planned {
    /// What is measured, and how.
    pub plan: Plan,
    /// The suite's categories, with the numbers of threads that are measured here.
    pub categories: Vec<Category>,
}

/// The cases of an ask, each workload on each number of threads that a category of it has.
///
/// # Errors
/// When a CPU is asked for that may not be used, or nothing is asked for.
pub fn plan(ask: &Ask, topology: &Topology, limits: &Limits) -> Result<Planned, PlanError> {
    let allowed = limits.allowed_cpus.to_vec();
    let cpus = ask.cpus.clone().unwrap_or_else(|| allowed.clone());
    if let Some(&cpu) = cpus.iter().find(|cpu| !allowed.contains(cpu)) {
        return Err(PlanError::Cpu { cpu, allowed: limits.allowed_cpus.to_string() });
    }
    let turn = Duration::from_nanos(ask.timing.settle_ns.saturating_add(ask.timing.window_ns));
    if turn > ask.budget {
        return Err(PlanError::Budget);
    }
    let all = limits.usable_threads().threads.min(cpus.len());
    let threads_of = |thread_spec: ThreadSpec| match thread_spec {
        ThreadSpec::Count(n) => n,
        ThreadSpec::All => all,
    };
    let case = |workload: &String, thread_spec: ThreadSpec, reference: bool| {
        let threads = threads_of(thread_spec);
        let cpus = place(topology, &cpus, ask.placement, threads);
        let (workload, placement) = (workload.clone(), ask.placement);
        Case { workload, thread_spec, threads, placement, cpus, variant: None, reference }
    };
    let (categories, rows) = rows(ask, |asked| expand(asked, all, topology, &cpus))?;
    let variants = variants(ask)?;
    let threads = rows.iter().map(|(_, spec)| threads_of(*spec)).sum::<usize>() * variants.len();
    if threads > MOST_THREADS_OF_ALL {
        return Err(PlanError::TooMany { threads });
    }
    let mut cases: Vec<Case> = rows
        .iter()
        .map(|(workload, spec)| case(workload, *spec, false))
        .flat_map(|case| variants.iter().map(move |v| Case { variant: v.clone(), ..case.clone() }))
        .collect();
    if cases.is_empty() || cpus.is_empty() {
        return Err(PlanError::Empty);
    }
    cases.extend(ask.suite.references.iter().map(|id| case(id, ThreadSpec::Count(1), true)));
    let plan = Plan {
        seed: ask.seed,
        precision_ppm: ask.precision_ppm,
        budget_ns: u64::try_from(ask.budget.as_nanos()).unwrap_or(u64::MAX),
        timing: ask.timing,
        cases,
        mix: ask.mix.clone(),
    };
    Ok(Planned { plan, categories })
}

/// A workload on a number of threads.
type AskedRow = (String, ThreadSpec);

/// The categories with their numbers of threads, and each workload on each of these once; a workload's rows
/// stand together, where it is first named.
fn rows(
    ask: &Ask,
    expand: impl Fn(&[ThreadsAsked]) -> Vec<ThreadSpec>,
) -> Result<(Vec<Category>, Vec<AskedRow>), PlanError> {
    let mut categories = ask.suite.categories.clone();
    let mut order: Vec<&String> = Vec::new();
    let mut specs_of: BTreeMap<&String, Vec<ThreadSpec>> = BTreeMap::new();
    for (category, resolved) in ask.suite.categories.iter().zip(&mut categories) {
        let own: Vec<ThreadsAsked> = category
            .threads
            .iter()
            .map(|text| text.parse())
            .collect::<Result<_, String>>()
            .map_err(|what| PlanError::Threads { category: category.name.clone(), what })?;
        let specs = expand(if own.is_empty() { &ask.threads } else { &own });
        resolved.threads = specs.iter().map(ToString::to_string).collect();
        for workload in &category.workloads {
            let known = specs_of.entry(workload).or_insert_with(|| {
                order.push(workload);
                Vec::new()
            });
            known.extend(
                specs.iter().filter(|spec| !known.contains(spec)).copied().collect::<Vec<_>>(),
            );
        }
    }
    let rows = order.into_iter().flat_map(|id| specs_of[id].iter().map(|spec| (id.clone(), *spec)));
    Ok((categories, rows.collect()))
}

/// The names of the variants; a single one without a name if there are none.
fn variants(ask: &Ask) -> Result<Vec<Option<String>>, PlanError> {
    let names: BTreeSet<&String> = ask.variants.iter().map(|variant| &variant.name).collect();
    match ask.variants.len() {
        0 => Ok(vec![None]),
        count if count < 2 || names.len() < count => Err(PlanError::Variants),
        _ => Ok(ask.variants.iter().map(|variant| Some(variant.name.clone())).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Cap, Fact};

    fn limits(allowed: &str) -> Limits {
        let allowed = serde_json::from_value(allowed.into()).unwrap();
        Limits { allowed_cpus: allowed, ..Limits::default() }
    }

    fn category(name: &str, workloads: &[&str], threads: &[&str]) -> Category {
        let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        Category { name: name.to_owned(), threads: owned(threads), workloads: owned(workloads) }
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
            references: Vec::new(),
            include: Vec::new(),
            categories: vec![category("c", &["a/x", "b/x"], &[])],
        };
        Ask {
            suite,
            threads: threads.split(',').map(|item| item.parse().unwrap()).collect(),
            mix: None,
            variants: Vec::new(),
            placement: Placement::Cores,
            cpus: None,
            precision_ppm: 1,
            budget: Duration::from_secs(1),
            timing: Timing { settle_ns: 1, window_ns: 1, rounds_per_launch: 1 },
            seed: 1,
        }
    }

    fn cases(ask: &Ask, limits: &Limits) -> Vec<(String, usize, Vec<u32>)> {
        let plan = plan(ask, &Topology::default(), limits).unwrap().plan;
        plan.cases.into_iter().map(|c| (c.workload, c.threads, c.cpus)).collect()
    }

    #[test]
    fn every_workload_comes_on_every_number_of_threads() {
        let ask = ask("1,all");
        let expected = [
            ("a/x".to_owned(), 1, vec![0]),
            ("a/x".to_owned(), 3, vec![0, 1, 2]),
            ("b/x".to_owned(), 1, vec![0]),
            ("b/x".to_owned(), 3, vec![0, 1, 2]),
        ];
        assert_eq!(cases(&ask, &limits("0-2")), expected);
    }

    #[test]
    fn references_are_measured_on_one_thread_beside_the_cases() {
        let mut ask = ask("all");
        ask.suite.references = vec!["r/x".to_owned()];
        let plan = plan(&ask, &Topology::default(), &limits("0-2")).unwrap().plan;
        let reference = plan.cases.last().unwrap();
        assert!(reference.reference && reference.threads == 1 && reference.workload == "r/x");
        assert_eq!(plan.cases.iter().filter(|case| case.reference).count(), 1);
    }

    #[test]
    fn a_number_of_threads_that_is_asked_for_twice_is_measured_once() {
        let ask = ask("1,1");
        assert_eq!(cases(&ask, &limits("0-2")).len(), 2, "two workloads");
    }

    #[test]
    fn a_workload_of_two_categories_is_measured_once_on_the_threads_of_both() {
        let mut ask = ask("1");
        ask.suite.categories =
            vec![category("c", &["a/x", "b/x"], &[]), category("d", &["a/x"], &["1", "all"])];
        let planned = plan(&ask, &Topology::default(), &limits("0-2")).unwrap();
        let rows: Vec<_> =
            planned.plan.cases.iter().map(|c| (c.workload.as_str(), c.threads)).collect();
        assert_eq!(rows, [("a/x", 1), ("a/x", 3), ("b/x", 1)]);
        assert_eq!(planned.categories[0].threads, ["1"]);
        assert!(planned.categories[1].is_on("all") && !planned.categories[0].is_on("all"));
    }

    #[test]
    fn the_threads_of_a_category_that_make_no_sense_are_named_with_it() {
        let mut ask = ask("1");
        ask.suite.categories[0].threads = vec!["many".to_owned()];
        let error = plan(&ask, &Topology::default(), &limits("0")).unwrap_err().to_string();
        assert!(error.contains("\"c\"") && error.contains("\"many\""), "{error}");
    }

    #[test]
    fn variants_of_a_case_lie_next_to_each_other() {
        let mut ask = ask("1");
        let variant = |name: &str| Variant { name: name.to_owned(), ..Variant::default() };
        ask.variants = vec![variant("base"), variant("new")];
        let plan = plan(&ask, &Topology::default(), &limits("0-2")).unwrap().plan;
        let names: Vec<_> =
            plan.cases.iter().map(|case| case.variant.as_deref().unwrap()).collect();
        assert_eq!(names, ["base", "new", "base", "new"]);
        assert_eq!(plan.cases[0].workload, plan.cases[1].workload);
    }

    #[test]
    fn one_variant_or_two_of_one_name_are_refused() {
        let mut ask = ask("1");
        for count in [1, 2] {
            ask.variants = vec![Variant { name: "base".to_owned(), ..Variant::default() }; count];
            let refused = plan(&ask, &Topology::default(), &limits("0"));
            assert_eq!(refused, Err(PlanError::Variants));
        }
    }

    #[test]
    fn a_window_that_is_longer_than_the_budget_is_refused() {
        let mut ask = ask("all");
        ask.timing.window_ns = 2_000_000_000;
        assert_eq!(plan(&ask, &Topology::default(), &limits("0")), Err(PlanError::Budget));
    }

    #[test]
    fn a_plan_that_no_header_can_hold_is_refused_before_it_is_made() {
        let mut ask = ask("1-2000");
        assert!(plan(&ask, &Topology::default(), &limits("0-1")).is_ok());
        let variant = |name| Variant { name, ..Variant::default() };
        ask.variants = ["base", "new"].map(|name| variant(name.to_owned())).to_vec();
        let refused = plan(&ask, &Topology::default(), &limits("0-1"));
        assert_eq!(refused, Err(PlanError::TooMany { threads: 2 * 2000 * 2001 }));
    }

    #[test]
    fn a_quota_bounds_what_all_means() {
        let mut limits = limits("0-7");
        limits.cpu_quota = Fact::Known(Cap::At(2.5));
        assert_eq!(cases(&ask("all"), &limits)[0].1, 2);
    }

    #[test]
    fn only_the_cpus_asked_for_are_used_and_more_threads_than_these_take_turns() {
        let mut ask = ask("all,3");
        ask.cpus = Some(vec![5, 6]);
        let cases = cases(&ask, &limits("0-7"));
        assert_eq!(cases[0].2, [5, 6]);
        assert_eq!(cases[1].2, [5, 6, 5]);
    }

    #[test]
    fn a_cpu_that_may_not_be_used_is_refused() {
        let mut ask = ask("all");
        ask.cpus = Some(vec![1, 999]);
        let error = plan(&ask, &Topology::default(), &limits("0-1")).unwrap_err();
        assert_eq!(error.to_string(), "CPU 999 may not be used here, only 0-1");
    }
}
