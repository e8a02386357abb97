//! Row headings of the page.

use catalog::Category;
use judge::compare::{Group, RowKey, RowResult};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A workload on a number of threads.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct RowHead {
    #[serde(skip)]
    pub key: RowKey,
    /// The workload, with its variant if there is one.
    name: String,
    /// The part of the workload's ID before the slash.
    operation: String,
    /// The part after the slash.
    implementation: String,
    /// The family's name.
    family: String,
    /// As it was asked for.
    pub threads: String,
    /// Those that it is scored in.
    categories: Vec<String>,
    /// Whether many threads share one stream: then it is in no score.
    shares_stream: bool,
}

/// Every row that a group has, in the order of the groups' rows.
pub(super) fn rows(groups: &[Group], families: &BTreeMap<String, String>) -> Vec<RowHead> {
    let mut places: BTreeMap<&RowKey, usize> = BTreeMap::new();
    let mut rows: Vec<RowHead> = Vec::new();
    for group in groups {
        let categories = group.categories();
        let categories: Vec<(&Category, BTreeSet<&str>)> =
            categories.iter().map(|category| (category, category.members())).collect();
        for (number, row) in group.rows.iter().enumerate() {
            let Some(figure) = group.first_figure(number) else { continue };
            let place = *places.entry(&row.key).or_insert_with(|| {
                rows.push(RowHead::of(&row.key, figure, families));
                rows.len() - 1
            });
            rows[place].add_categories(&categories, &figure.workload);
        }
    }
    rows
}

impl RowHead {
    fn of(key: &RowKey, figure: &RowResult, families: &BTreeMap<String, String>) -> Self {
        let (operation, implementation) =
            figure.workload.split_once('/').unwrap_or((&figure.workload, ""));
        Self {
            key: key.clone(),
            name: key.name.clone(),
            operation: operation.to_owned(),
            implementation: implementation.to_owned(),
            family: families.get(&figure.workload).cloned().unwrap_or_default(),
            threads: key.threads.to_string(),
            categories: Vec::new(),
            shares_stream: key.shares_a_stream(),
        }
    }

    fn add_categories(&mut self, all: &[(&Category, BTreeSet<&str>)], workload: &str) {
        for (category, members) in all {
            let is_in = category.is_on(&self.threads) && members.contains(workload);
            if is_in && !self.categories.contains(&category.name) {
                self.categories.push(category.name.clone());
            }
        }
    }
}
