//! The rows of a ranking: those that all ranked machines have in common, so that each is ranked by the same work.

use super::group::Group;
use super::must_match::MustMatch;
use super::pair::Pair;
use super::sheet::RowKey;
use catalog::{Category, OVERALL};
use record::ThreadSpec;
use std::collections::{BTreeMap, BTreeSet};

/// A ranking is of at least this part of the rows that the median machine has.
const LEAST_ROWS: f64 = 0.5;

/// Rows that several groups have in common, of all work and of each category.
#[derive(Debug, Clone)]
pub struct CommonRows {
    by_category: BTreeMap<String, BTreeMap<ThreadSpec, Ranked>>,
    /// Those of the group whose label comes first, by which all are weighed.
    pub(super) categories: Vec<Category>,
}

/// Which groups are ranked in a category on a number of threads, by which workloads.
#[derive(Debug, Clone, Default)]
struct Ranked {
    groups: BTreeSet<usize>,
    workloads: BTreeSet<String>,
    /// How many of these each group has, in the order of the groups.
    counts: Vec<usize>,
}

impl CommonRows {
    /// While the groups share fewer than half as many rows as the median group has, drops the group without which the rest
    /// share most. Ties are decided by label, so the order of the groups makes no difference.
    pub fn of(groups: &[&Group], allow: &[MustMatch]) -> Self {
        let mut order: Vec<usize> = (0..groups.len()).collect();
        order.sort_by_key(|index| &groups[*index].label);
        let mut having: BTreeMap<&RowKey, Vec<usize>> = BTreeMap::new();
        for index in order.iter().copied() {
            let rows = groups[index].rows.iter();
            for row in rows.filter(|row| row.view.is_some() && !row.key.shares_a_stream()) {
                having.entry(&row.key).or_default().push(index);
            }
        }
        let mut by_category: BTreeMap<String, BTreeMap<ThreadSpec, Vec<Having>>> = BTreeMap::new();
        let categories: Vec<Vec<Category>> =
            groups.iter().map(|group| group.categories()).collect();
        for (key, indices) in having {
            let indices = comparable(groups, key, &indices, allow);
            let Some(first) = indices.first().copied() else { continue };
            let workload = groups[first].find(key).and_then(|row| groups[first].first_figure(row));
            let workload = workload.map_or("", |figure| &figure.workload);
            let spec = key.threads.to_string();
            let names = categories[first].iter().filter(|category| {
                category.is_on(&spec) && category.workloads.iter().any(|name| name == workload)
            });
            let is_known = groups[first].has_known_kind(key);
            for name in names.map(|category| category.name.as_str()).chain([OVERALL]) {
                let rows =
                    by_category.entry(name.to_owned()).or_default().entry(key.threads).or_default();
                rows.push(Having { name: key.name.clone(), groups: indices.clone(), is_known });
            }
        }
        let ranked = |mut rows: Vec<Having>| {
            // As scores are: rows of which nothing says what work they are count only among themselves.
            if rows.iter().any(|row| row.is_known) {
                rows.retain(|row| row.is_known);
            }
            Ranked::of(&order, &rows)
        };
        let by_category = by_category.into_iter().map(|(name, on)| {
            (name, on.into_iter().map(|(threads, rows)| (threads, ranked(rows))).collect())
        });
        let weighed = order.first().map(|first| categories[*first].clone());
        Self { by_category: by_category.collect(), categories: weighed.unwrap_or_default() }
    }

    fn ranked(&self, category: &str, threads: ThreadSpec) -> Option<&Ranked> {
        self.by_category.get(category)?.get(&threads)
    }

    /// How many rows the ranking on a number of threads is of.
    pub fn count(&self, threads: ThreadSpec) -> usize {
        self.ranked(OVERALL, threads).map_or(0, |ranked| ranked.workloads.len())
    }

    /// How many of them a group has.
    pub fn count_of(&self, threads: ThreadSpec, group: usize) -> usize {
        self.ranked(OVERALL, threads).map_or(0, |ranked| ranked.counts[group])
    }

    /// The workloads of these groups that count in a category; `None` where one of them is not ranked.
    pub(super) fn workloads(
        &self,
        category: &str,
        threads: ThreadSpec,
        groups: [usize; 2],
    ) -> Option<&BTreeSet<String>> {
        let ranked = self.ranked(category, threads)?;
        let are_ranked = groups.iter().all(|group| ranked.groups.contains(group));
        are_ranked.then_some(&ranked.workloads)
    }

    /// Whether a row is one of them, in a category.
    pub fn contains(&self, category: &str, key: &RowKey) -> bool {
        let ranked = self.ranked(category, key.threads);
        ranked.is_some_and(|ranked| ranked.workloads.contains(&key.name))
    }
}

/// A row with the groups that have it.
struct Having {
    name: String,
    groups: BTreeSet<usize>,
    /// Whether something says what kind of work it is.
    is_known: bool,
}

impl Ranked {
    /// Ranks groups, given in an order that decides ties, by their rows on one number of threads.
    fn of(order: &[usize], rows: &[Having]) -> Self {
        let groups = order.len();
        let having = |group: &usize| rows.iter().filter(|row| row.groups.contains(group)).count();
        let counts: Vec<usize> = (0..groups).map(|group| having(&group)).collect();
        let mut ranked: BTreeSet<usize> = (0..groups).filter(|group| counts[*group] > 0).collect();
        let mut sizes: Vec<usize> = ranked.iter().map(|group| counts[*group]).collect();
        sizes.sort_unstable();
        let least = sizes.get(sizes.len() / 2).map_or(0.0, |median| LEAST_ROWS * *median as f64);
        let in_all = |ranked: &BTreeSet<usize>| {
            rows.iter().filter(|row| ranked.is_subset(&row.groups)).count()
        };
        while ranked.len() > 1 && (in_all(&ranked) as f64) < least {
            let without = |group: &usize| {
                let mut rest = ranked.clone();
                rest.remove(group);
                rest
            };
            let candidates = order.iter().filter(|group| ranked.contains(group));
            let left_out = candidates
                .max_by_key(|group| (in_all(&without(group)), std::cmp::Reverse(counts[**group])));
            let Some(rest) = left_out.map(without) else { break };
            ranked = rest;
        }
        if ranked.len() < 2 {
            return Self { counts: vec![0; groups], ..Self::default() };
        }
        let common = || rows.iter().filter(|row| ranked.is_subset(&row.groups));
        let count = |group: usize| common().filter(|row| row.groups.contains(&group)).count();
        Self {
            workloads: common().map(|row| row.name.clone()).collect(),
            counts: (0..groups).map(count).collect(),
            groups: ranked,
        }
    }
}

/// The most of the groups whose row of a key can be compared with one of them; of as many, those with the first.
fn comparable(
    groups: &[&Group],
    key: &RowKey,
    indices: &[usize],
    allow: &[MustMatch],
) -> BTreeSet<usize> {
    let mut classes: Vec<Vec<usize>> = Vec::new();
    for index in indices {
        let is_like = |class: &&mut Vec<usize>| {
            Pair::of(groups[class[0]], groups[*index], key, allow).refusal.is_none()
        };
        match classes.iter_mut().find(is_like) {
            Some(class) => class.push(*index),
            None => classes.push(vec![*index]),
        }
    }
    let largest = classes.into_iter().rev().max_by_key(Vec::len).unwrap_or_default();
    largest.into_iter().collect()
}
