//! What a run is asked to do, and the cases that this comes to on a machine.

use crate::catalog::Suite;
use crate::machine::{Limits, Placement, Topology, place};
use crate::record::{Case, Plan, ThreadSpec, Timing, Variant};
use std::collections::BTreeSet;
use std::time::Duration;

/// What the user asks for.
#[derive(Debug, Clone)]
pub struct Ask {
    /// Which workloads.
    pub suite: Suite,
    /// On how many threads each.
    pub threads: Vec<ThreadSpec>,
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
    /// No time for one window.
    #[error("the budget is shorter than one window with its settling")]
    Budget,
    /// One variant, or two of one name.
    #[error("variants are compared to the first: two or more of different names are needed")]
    Variants,
    /// Nothing to do.
    #[error("the suite has no workload, or no number of threads was asked for")]
    Empty,
}

/// The cases of an ask, each workload on each number of threads.
///
/// # Errors
/// When a CPU is asked for that may not be used, or nothing is asked for.
pub fn plan(ask: &Ask, topology: &Topology, limits: &Limits) -> Result<Plan, PlanError> {
    let allowed = limits.allowed_cpus.to_vec();
    let cpus = ask.cpus.clone().unwrap_or_else(|| allowed.clone());
    if let Some(&cpu) = cpus.iter().find(|cpu| !allowed.contains(cpu)) {
        return Err(PlanError::Cpu { cpu, allowed: limits.allowed_cpus.to_string() });
    }
    let all = limits.usable_threads().threads.min(cpus.len());
    let case = |workload: &String, thread_spec: ThreadSpec, reference: bool| {
        let threads = match thread_spec {
            ThreadSpec::Count(n) => n,
            ThreadSpec::All => all,
        };
        let placed = place(topology, &cpus, ask.placement, threads);
        Case {
            workload: workload.clone(),
            thread_spec,
            threads,
            placement: ask.placement,
            cpus: placed,
            variant: None,
            reference,
        }
    };
    let mut specs: Vec<ThreadSpec> = Vec::new();
    for &spec in &ask.threads {
        if !specs.contains(&spec) {
            specs.push(spec);
        }
    }
    let turn = Duration::from_nanos(ask.timing.settle_ns.saturating_add(ask.timing.window_ns));
    if turn > ask.budget {
        return Err(PlanError::Budget);
    }
    let workloads = ask.suite.categories.iter().flat_map(|category| &category.workloads);
    let variants = variants(ask)?;
    let mut cases: Vec<Case> = workloads
        .flat_map(|workload| specs.iter().map(move |spec| case(workload, *spec, false)))
        .flat_map(|case| variants.iter().map(move |v| Case { variant: v.clone(), ..case.clone() }))
        .collect();
    if cases.is_empty() || cpus.is_empty() {
        return Err(PlanError::Empty);
    }
    cases.extend(ask.suite.references.iter().map(|id| case(id, ThreadSpec::Count(1), true)));
    Ok(Plan {
        seed: ask.seed,
        precision_ppm: ask.precision_ppm,
        budget_ns: u64::try_from(ask.budget.as_nanos()).unwrap_or(u64::MAX),
        timing: ask.timing,
        cases,
    })
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
    use crate::catalog::Category;
    use crate::machine::{Cap, Fact};

    fn limits(allowed: &str) -> Limits {
        let allowed = serde_json::from_value(allowed.into()).unwrap();
        Limits { allowed_cpus: allowed, ..Limits::default() }
    }

    fn ask(threads: &[ThreadSpec]) -> Ask {
        let workloads = vec!["a/x".to_owned(), "b/x".to_owned()];
        let suite = Suite {
            name: "s".to_owned(),
            version: 1,
            about: String::new(),
            study: String::new(),
            threads: Vec::new(),
            precision: String::new(),
            budget: String::new(),
            references: Vec::new(),
            categories: vec![Category { name: "c".to_owned(), workloads }],
        };
        Ask {
            suite,
            threads: threads.to_vec(),
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
        let plan = plan(ask, &Topology::default(), limits).unwrap();
        plan.cases.into_iter().map(|c| (c.workload, c.threads, c.cpus)).collect()
    }

    #[test]
    fn every_workload_comes_on_every_number_of_threads() {
        let ask = ask(&[ThreadSpec::Count(1), ThreadSpec::All]);
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
        let mut ask = ask(&[ThreadSpec::All]);
        ask.suite.references = vec!["r/x".to_owned()];
        let plan = plan(&ask, &Topology::default(), &limits("0-2")).unwrap();
        let reference = plan.cases.last().unwrap();
        assert!(reference.reference && reference.threads == 1 && reference.workload == "r/x");
        assert_eq!(plan.cases.iter().filter(|case| case.reference).count(), 1);
    }

    #[test]
    fn a_number_of_threads_that_is_asked_for_twice_is_measured_once() {
        let ask = ask(&[ThreadSpec::Count(1), ThreadSpec::Count(1)]);
        assert_eq!(cases(&ask, &limits("0-2")).len(), 2, "two workloads");
    }

    #[test]
    fn variants_of_a_case_lie_next_to_each_other() {
        let mut ask = ask(&[ThreadSpec::Count(1)]);
        let variant = |name: &str| Variant { name: name.to_owned(), ..Variant::default() };
        ask.variants = vec![variant("base"), variant("new")];
        let plan = plan(&ask, &Topology::default(), &limits("0-2")).unwrap();
        let names: Vec<_> =
            plan.cases.iter().map(|case| case.variant.as_deref().unwrap()).collect();
        assert_eq!(names, ["base", "new", "base", "new"]);
        assert_eq!(plan.cases[0].workload, plan.cases[1].workload);
    }

    #[test]
    fn one_variant_or_two_of_one_name_are_refused() {
        let mut ask = ask(&[ThreadSpec::Count(1)]);
        for count in [1, 2] {
            ask.variants = vec![Variant { name: "base".to_owned(), ..Variant::default() }; count];
            let refused = plan(&ask, &Topology::default(), &limits("0"));
            assert_eq!(refused, Err(PlanError::Variants));
        }
    }

    #[test]
    fn a_window_that_is_longer_than_the_budget_is_refused() {
        let mut ask = ask(&[ThreadSpec::All]);
        ask.timing.window_ns = 2_000_000_000;
        assert_eq!(plan(&ask, &Topology::default(), &limits("0")), Err(PlanError::Budget));
    }

    #[test]
    fn a_quota_bounds_what_all_means() {
        let mut limits = limits("0-7");
        limits.cpu_quota = Fact::Known(Cap::At(2.5));
        assert_eq!(cases(&ask(&[ThreadSpec::All]), &limits)[0].1, 2);
    }

    #[test]
    fn only_the_cpus_asked_for_are_used_and_more_threads_than_these_take_turns() {
        let mut ask = ask(&[ThreadSpec::All, ThreadSpec::Count(3)]);
        ask.cpus = Some(vec![5, 6]);
        let cases = cases(&ask, &limits("0-7"));
        assert_eq!(cases[0].2, [5, 6]);
        assert_eq!(cases[1].2, [5, 6, 5]);
    }

    #[test]
    fn a_cpu_that_may_not_be_used_is_refused() {
        let mut ask = ask(&[ThreadSpec::All]);
        ask.cpus = Some(vec![1, 999]);
        let error = plan(&ask, &Topology::default(), &limits("0-1")).unwrap_err();
        assert_eq!(error.to_string(), "CPU 999 may not be used here, only 0-1");
    }
}
