//! The categories of a group: those of all its runs.

use super::sheet::Sheet;
use catalog::Category;
use std::collections::BTreeSet;

/// In the order of the runs. Of runs of several suites they are named SUITE/CATEGORY, as a suite names those of the suites that
/// it includes. Categories of one name are one, with the rows of all.
pub(super) fn categories(runs: &[Sheet]) -> Vec<Category> {
    let suites: BTreeSet<&str> = runs.iter().map(|run| run.suite.as_str()).collect();
    let mut all: Vec<Category> = Vec::new();
    for run in runs {
        for category in &run.categories {
            let is_named = suites.len() == 1 || category.name.contains('/');
            let name = match is_named {
                true => category.name.clone(),
                false => format!("{}/{}", run.suite, category.name),
            };
            match all.iter_mut().find(|known| known.name == name) {
                Some(known) => unite(known, category),
                None => all.push(Category { name, ..category.clone() }),
            }
        }
    }
    all
}

fn unite(known: &mut Category, other: &Category) {
    let add = |to: &mut Vec<String>, from: &[String]| {
        let new: Vec<String> = from.iter().filter(|one| !to.contains(one)).cloned().collect();
        to.extend(new);
    };
    add(&mut known.workloads, &other.workloads);
    // None are all.
    if other.threads.is_empty() {
        known.threads.clear();
    } else if !known.threads.is_empty() {
        add(&mut known.threads, &other.threads);
    }
}
