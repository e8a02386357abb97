//! The rows of an ask: each workload on each number of threads that a category of it has.

use super::ask::{Ask, PlanError};
use super::threads::ThreadsAsked;
use catalog::Category;
use record::ThreadSpec;
use std::collections::BTreeMap;

/// A workload on a number of threads.
type AskedRow = (String, ThreadSpec);

/// The categories with their numbers of threads, and each workload on each of these once; a workload's rows
/// stand together, where it is first named. Where `all` threads are asked for, their number is measured as all of them.
pub(super) fn rows(
    ask: &Ask,
    all: usize,
    expand: impl Fn(&[ThreadsAsked]) -> Vec<ThreadSpec>,
) -> Result<(Vec<Category>, Vec<AskedRow>), PlanError> {
    let mut categories = ask.suite.categories.clone();
    let asked: Vec<Vec<ThreadSpec>> = categories
        .iter()
        .map(|category| Ok(expand(&threads_of(ask, category)?)))
        .collect::<Result<_, PlanError>>()?;
    let has_all = asked.iter().flatten().any(|spec| *spec == ThreadSpec::All);
    let measured = |spec: ThreadSpec| match spec {
        ThreadSpec::Count(count) if has_all && count == all => ThreadSpec::All,
        spec => spec,
    };
    let mut order: Vec<String> = Vec::new();
    let mut specs_of: BTreeMap<String, Vec<ThreadSpec>> = BTreeMap::new();
    for (category, asked) in categories.iter_mut().zip(&asked) {
        // Both names lead to the row: another machine may have them apart.
        let mut names = asked.clone();
        for spec in asked.iter().copied().map(measured) {
            if !names.contains(&spec) {
                names.push(spec);
            }
            for workload in &category.workloads {
                let known = specs_of.entry(workload.clone()).or_insert_with(|| {
                    order.push(workload.clone());
                    Vec::new()
                });
                if !known.contains(&spec) {
                    known.push(spec);
                }
            }
        }
        category.threads = names.iter().map(ToString::to_string).collect();
    }
    let rows = order.into_iter().flat_map(|id| {
        let specs = specs_of.remove(&id).unwrap_or_default();
        specs.into_iter().map(move |spec| (id.clone(), spec))
    });
    let rows = rows.collect();
    Ok((categories, rows))
}

/// What is asked for of a category: its own numbers of threads, or else those of all.
fn threads_of(ask: &Ask, category: &Category) -> Result<Vec<ThreadsAsked>, PlanError> {
    if category.threads.is_empty() {
        return Ok(ask.threads.clone());
    }
    let own = category.threads.iter().map(|text| text.parse());
    own.collect::<Result<_, String>>()
        .map_err(|what| PlanError::Threads { category: category.name.clone(), what })
}
