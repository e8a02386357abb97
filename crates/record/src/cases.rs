//! Checks the cases of a plan: the requested number of threads, on the machine's CPUs, in placement order.

use super::records::Header;
use super::{Case, ThreadSpec};
use machine::place;
use std::collections::BTreeSet;

pub(super) fn check_cases(header: &Header) -> Result<(), String> {
    for (id, definition) in &header.workloads {
        definition.check().map_err(|what| format!("the workload {id:?}: {what}"))?;
    }
    let mut rows = BTreeSet::new();
    for (number, case) in header.plan.cases.iter().enumerate() {
        if !header.workloads.contains_key(&case.workload) {
            return Err(format!("case {number}: the workload {:?} is not defined", case.workload));
        }
        if case.control && case.co_runner {
            return Err(format!("case {number} is both a control and a co-runner"));
        }
        check_threads(case).map_err(|what| format!("case {number} {what}"))?;
        let row = (case.name(), case.thread_spec, case.co_runner);
        if !rows.insert(row) {
            return Err(format!("case {number}, {}, is defined twice", case.name()));
        }
    }
    // Imported cases have no known CPUs.
    if header.origin.is_some() { Ok(()) } else { check_cpus(header) }
}

fn check_threads(case: &Case) -> Result<(), String> {
    let Case { threads, thread_spec, cpus, .. } = case;
    if *threads == 0 || cpus.is_empty() {
        return Err("has no thread or no CPU".to_owned());
    }
    if cpus.len() != *threads {
        return Err(format!("has {threads} threads, but names the CPUs of {}", cpus.len()));
    }
    if matches!(thread_spec, ThreadSpec::Count(count) if count != threads) {
        return Err(format!("has {threads} threads, but {} requested", was(*thread_spec)));
    }
    Ok(())
}

fn was(spec: ThreadSpec) -> String {
    let verb = if spec == ThreadSpec::Count(1) { "was" } else { "were" };
    format!("{} {verb}", spec.in_words())
}

/// The threads of all cases use the run's CPUs in one order and wrap around when each has one; co-runners use others.
fn check_cpus(header: &Header) -> Result<(), String> {
    let machine = &header.machine;
    let cases = || header.plan.cases.iter().enumerate();
    let (co_runners, others): (Vec<_>, Vec<_>) = cases().partition(|(_, case)| case.co_runner);
    let Some((_, longest)) = others.iter().max_by_key(|(_, case)| case.threads) else {
        return Err("co-runners without a row".to_owned());
    };
    let mut used = BTreeSet::new();
    let order = longest.cpus.iter().copied().take_while(|cpu| used.insert(*cpu));
    let order: Vec<u32> = order.collect();
    let placement = longest.placement;
    let order = place(&machine.topology, &order, placement, order.len());
    let allowed = &machine.limits.allowed_cpus;
    let is_known = !allowed.is_empty();
    let all = machine.limits.usable_threads().threads.min(order.len());
    let is_foreign = |cpu: &&u32| is_known && !allowed.holds(**cpu);
    for (number, case) in cases() {
        if let Some(cpu) = case.cpus.iter().find(is_foreign) {
            return Err(format!("case {number} uses CPU {cpu}, but the machine has {allowed}"));
        }
    }
    for (number, case) in co_runners {
        if let Some(cpu) = case.cpus.iter().find(|cpu| used.contains(cpu)) {
            return Err(format!("case {number} runs beside rows, but on their CPU {cpu}"));
        }
    }
    for (number, case) in others {
        if case.placement != placement {
            return Err(format!(
                "case {number} is placed by {}, others by {placement}",
                case.placement
            ));
        }
        let places = order.iter().cycle().zip(&case.cpus).enumerate();
        if let Some((thread, (place, cpu))) = { places }.find(|(_, (place, cpu))| place != cpu) {
            return Err(format!(
                "case {number} has thread {thread} on CPU {cpu}, but placement {placement} puts it on CPU {place}"
            ));
        }
        if is_known && case.thread_spec == ThreadSpec::All && case.threads != all {
            let threads = case.threads;
            return Err(format!("case {number} has {threads} threads, but \"all\" means {all}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
