//! The tasks of a plan.

use super::variants::located;
use crate::execute::Task;
use anyhow::bail;
use catalog::Catalog;
use machine::IsaSwitch;
use record::{Plan, Variant};
use std::collections::{BTreeMap, BTreeSet};

/// A task for each case of a plan.
pub(super) fn tasks(
    plan: &Plan,
    variants: &[Variant],
    catalog: &Catalog,
    injected: Option<&str>,
) -> anyhow::Result<Vec<Task>> {
    if let Some(id) = injected
        && !plan.cases.iter().any(|case| case.workload == id)
    {
        bail!("--inject-wrong-answer: this run has no workload {id:?}");
    }
    let variants = &located(variants)?;
    let isa = IsaSwitch::environment(&plan.isa);
    check_apart(&isa, variants)?;
    let tasks = plan.cases.iter().enumerate().map(|(number, case)| {
        let workload = &catalog.workloads[&case.workload];
        let mut task = Task::new(number, case, workload, catalog, injected == Some(&case.workload));
        task.program.environment.extend(isa.clone());
        let variant = variants.iter().find(|variant| case.variant.as_ref() == Some(&variant.name));
        variant.map_or(task.clone(), |variant| task.in_setting(variant))
    });
    let tasks: Vec<Task> = tasks.collect();
    for (variant, worker) in variants.iter().flat_map(|v| v.workers.keys().map(move |w| (v, w))) {
        let called = |workload: &String| Variant::called(&catalog.workloads[workload].program.name);
        let known: BTreeSet<&str> = plan.cases.iter().map(|case| called(&case.workload)).collect();
        if !known.contains(worker.as_str()) {
            bail!(
                "--variant {}: no workload of this run uses the worker {worker:?}. They use {}",
                variant.name,
                known.into_iter().collect::<Vec<_>>().join(", ")
            );
        }
    }
    Ok(tasks)
}

/// A variable that both switched instruction sets off and set a variant up would do only one of it.
fn check_apart(isa: &BTreeMap<String, String>, variants: &[Variant]) -> anyhow::Result<()> {
    for variant in variants {
        if let Some(name) = variant.environment.keys().find(|name| isa.contains_key(*name)) {
            bail!("--isa and --variant {} both set {name}: measure them in two runs", variant.name);
        }
    }
    Ok(())
}
