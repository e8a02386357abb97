//! The rows of a request: each workload on each thread count of its categories.

use super::ask::{Ask, PlanError};
use super::threads::ThreadsAsked;
use catalog::Category;
use record::ThreadSpec;
use std::collections::BTreeMap;

/// A workload on a number of threads.
type RequestedRow = (String, ThreadSpec);

/// The categories with their thread counts, and each workload once on each of these. A workload's rows are adjacent, at its
/// first mention. If `all` threads are requested, that number is measured as `all`.
pub(super) fn rows(
    ask: &Ask,
    all: usize,
    expand: impl Fn(&[ThreadsAsked]) -> Vec<ThreadSpec>,
) -> Result<(Vec<Category>, Vec<RequestedRow>), PlanError> {
    let mut categories = ask.suite.categories.clone();
    let requested: Vec<Vec<ThreadSpec>> = categories
        .iter()
        .map(|category| Ok(expand(&threads_of(ask, category)?)))
        .collect::<Result<_, PlanError>>()?;
    let has_all = requested.iter().flatten().any(|spec| *spec == ThreadSpec::All);
    let measured = |spec: ThreadSpec| match spec {
        ThreadSpec::Count(count) if has_all && count == all => ThreadSpec::All,
        spec => spec,
    };
    let mut order: Vec<String> = Vec::new();
    let mut specs_of: BTreeMap<String, Vec<ThreadSpec>> = BTreeMap::new();
    for (category, requested) in categories.iter_mut().zip(&requested) {
        // Both names refer to the row, because on another machine they may differ.
        let mut names = requested.clone();
        for spec in requested.iter().copied().map(measured) {
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

/// The requested thread counts of a category: its own, or else those of the run.
fn threads_of(ask: &Ask, category: &Category) -> Result<Vec<ThreadsAsked>, PlanError> {
    if category.threads.is_empty() {
        return Ok(ask.threads.clone());
    }
    let own = category.threads.iter().map(|text| text.parse());
    own.collect::<Result<_, String>>()
        .map_err(|what| PlanError::Threads { category: category.name.clone(), what })
}
