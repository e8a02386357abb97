//! Plans the cases of a request on a machine.

use super::ask::{Ask, MOST_THREADS_OF_ALL, PlanError};
use super::co_runners::co_runner_cases;
use super::rows::rows;
use super::threads::expand;
use catalog::Category;
use machine::{Machine, Topology, place};
use record::{Case, Plan, ThreadSpec};
use std::collections::BTreeSet;
use std::time::Duration;

/// A request, planned for a machine.
#[derive(Debug, Clone, PartialEq)]
pub struct Planned {
    pub plan: Plan,
    /// The suite's categories, with the thread counts measured here.
    pub categories: Vec<Category>,
}

/// Plans each workload on each thread count of its categories.
///
/// # Errors
/// When a requested CPU is unavailable, or nothing is requested.
pub fn plan(ask: &Ask, machine: &Machine) -> Result<Planned, PlanError> {
    let (topology, limits) = (&machine.topology, &machine.limits);
    let allowed = limits.allowed_cpus.to_vec();
    let cpus = ask.cpus.clone().unwrap_or_else(|| allowed.clone());
    if let Some(&cpu) = cpus.iter().find(|cpu| !allowed.contains(cpu)) {
        return Err(PlanError::Cpu { cpu, allowed: limits.allowed_cpus.to_string() });
    }
    let turn = Duration::from_nanos(ask.timing.warmup_ns.saturating_add(ask.timing.sample_ns));
    if turn > ask.budget {
        return Err(PlanError::Budget);
    }
    let all = limits.usable_threads().threads.min(cpus.len());
    let threads_of = |thread_spec: ThreadSpec| match thread_spec {
        ThreadSpec::Count(n) => n,
        ThreadSpec::All => all,
    };
    let case = |workload: &String, thread_spec: ThreadSpec, control: bool| {
        let threads = threads_of(thread_spec);
        let cpus = place(topology, &cpus, ask.placement, threads);
        let (workload, placement) = (workload.clone(), ask.placement);
        Case {
            workload,
            thread_spec,
            threads,
            placement,
            cpus,
            variant: None,
            control,
            co_runner: false,
        }
    };
    let (categories, rows) = rows(ask, all, |requested| expand(requested, all, topology, &cpus))?;
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
    use_one_cpu_of_each_core(&mut cases, ask, topology, &cpus)?;
    if cases.is_empty() || cpus.is_empty() {
        return Err(PlanError::Empty);
    }
    let co_runners = co_runner_cases(&ask.co_runners, &cases, machine, &cpus)?;
    let control = |id| case(id, ThreadSpec::Count(1), true);
    cases.extend(ask.suite.controls.iter().map(control));
    cases.extend(co_runners);
    let plan = Plan {
        seed: ask.seed,
        precision_ppm: ask.precision_ppm,
        budget_ns: u64::try_from(ask.budget.as_nanos()).unwrap_or(u64::MAX),
        timing: ask.timing,
        cases,
        mix: ask.mix.clone(),
        rolling: ask.rolling.clone(),
        isa: ask.isa.clone(),
        sustain_ns: ask.sustain.map(|time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)),
    };
    Ok(Planned { plan, categories })
}

/// Places the cases of variants with SMT switched off on one CPU of each core; on all threads they have as many as cores.
fn use_one_cpu_of_each_core(
    cases: &mut [Case],
    ask: &Ask,
    topology: &Topology,
    cpus: &[u32],
) -> Result<(), PlanError> {
    let mut seen = BTreeSet::new();
    let core = |cpu: u32| {
        topology
            .cpus
            .iter()
            .find(|logical| logical.cpu == cpu)
            .map_or(cpu, machine::LogicalCpu::core_key)
    };
    let firsts: Vec<u32> = cpus.iter().copied().filter(|cpu| seen.insert(core(*cpu))).collect();
    for variant in ask.variants.iter().filter(|variant| variant.smt_off) {
        if firsts.len() == cpus.len() {
            return Err(PlanError::NoSmt { name: variant.name.clone() });
        }
        for case in cases.iter_mut().filter(|case| case.variant.as_ref() == Some(&variant.name)) {
            if case.thread_spec == ThreadSpec::All {
                case.threads = case.threads.min(firsts.len());
            }
            case.cpus = place(topology, &firsts, case.placement, case.threads);
        }
    }
    Ok(())
}

/// The names of the variants; a single `None` if there are no variants.
fn variants(ask: &Ask) -> Result<Vec<Option<String>>, PlanError> {
    let names: BTreeSet<&String> = ask.variants.iter().map(|variant| &variant.name).collect();
    match ask.variants.len() {
        0 => Ok(vec![None]),
        count if count < 2 || names.len() < count => Err(PlanError::Variants),
        _ => Ok(ask.variants.iter().map(|variant| Some(variant.name.clone())).collect()),
    }
}

#[cfg(test)]
mod tests;
