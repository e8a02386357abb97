//! The tasks of a plan.

use super::variants::located;
use crate::execute::Task;
use anyhow::bail;
use catalog::Catalog;
use record::{Plan, Variant};

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
    let tasks = plan.cases.iter().enumerate().map(|(number, case)| {
        let workload = &catalog.workloads[&case.workload];
        let task = Task::new(number, case, workload, catalog, injected == Some(&case.workload));
        let variant = variants.iter().find(|variant| case.variant.as_ref() == Some(&variant.name));
        variant.map_or(task.clone(), |variant| task.in_setting(variant))
    });
    let tasks: Vec<Task> = tasks.collect();
    for (variant, worker) in variants.iter().flat_map(|v| v.workers.keys().map(move |w| (v, w))) {
        if !plan.cases.iter().any(|case| catalog.workloads[&case.workload].program.name == *worker)
        {
            bail!("--variant {}: no workload of this run uses the worker {worker:?}", variant.name);
        }
    }
    Ok(tasks)
}
