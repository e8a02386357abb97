//! The rows of a ranking: those that all ranked machines have in common, so that each is ranked by the same work.

use super::allow::Allow;
use super::group::Group;
use super::pairs::{Pair, Pairs};
use super::sheet::RowKey;
use catalog::Category;
use record::ThreadSpec;
use std::collections::{BTreeMap, BTreeSet};

/// A ranking is of at least this part of the rows that the median machine has.
const LEAST_ROWS: f64 = 0.5;

/// Rows that several groups have in common, for each number of threads.
#[derive(Debug, Clone)]
pub struct CommonRows {
    on: BTreeMap<ThreadSpec, Ranked>,
    /// Those of the first group, by which all are weighed.
    categories: Vec<Category>,
}

/// Which groups are ranked on a number of threads, by which rows.
#[derive(Debug, Clone, Default)]
struct Ranked {
    groups: BTreeSet<usize>,
    rows: BTreeSet<RowKey>,
    /// How many of these rows each group has, in the order of the groups.
    counts: Vec<usize>,
}

impl CommonRows {
    /// Of groups, the chosen rows. While all have less than half as many
    /// rows in common as the median group has, the one without which they have most is left out.
    pub fn of(groups: &[&Group], allow: &[Allow], is_chosen: impl Fn(&RowKey) -> bool) -> Self {
        let mut having: BTreeMap<&RowKey, Vec<usize>> = BTreeMap::new();
        for (place, group) in groups.iter().enumerate() {
            for row in &group.rows {
                let has_figure = row.view.is_some() && !row.key.shares_a_stream();
                if has_figure && is_chosen(&row.key) {
                    having.entry(&row.key).or_default().push(place);
                }
            }
        }
        let mut on: BTreeMap<ThreadSpec, Vec<(&RowKey, BTreeSet<usize>)>> = BTreeMap::new();
        for (key, places) in having {
            on.entry(key.threads).or_default().push((key, comparable(groups, key, &places, allow)));
        }
        let on = on.into_iter().map(|(threads, mut rows)| {
            // As scores are: rows of which nothing says what work they are count only among themselves.
            let is_known = |(key, places): &(&RowKey, BTreeSet<usize>)| {
                places.first().is_some_and(|place| groups[*place].has_known_kind(key))
            };
            if rows.iter().any(is_known) {
                rows.retain(is_known);
            }
            (threads, Ranked::of(groups.len(), &rows))
        });
        let categories = groups.first().map(|group| group.categories()).unwrap_or_default();
        Self { on: on.collect(), categories }
    }

    /// How many rows the ranking on a number of threads is of.
    pub fn count(&self, threads: ThreadSpec) -> usize {
        self.on.get(&threads).map_or(0, |ranked| ranked.rows.len())
    }

    /// How many of them a group has.
    pub fn count_of(&self, threads: ThreadSpec, group: usize) -> usize {
        self.on.get(&threads).map_or(0, |ranked| ranked.counts[group])
    }

    /// Whether a row is one of them.
    pub fn contains(&self, key: &RowKey) -> bool {
        self.on.get(&key.threads).is_some_and(|ranked| ranked.rows.contains(key))
    }
}

impl Pairs<'_> {
    /// Only the rows of a ranking, weighed as all in it; none on numbers of threads on which one of the two, given by number, is
    /// not ranked.
    #[must_use]
    pub fn within(mut self, common: &CommonRows, [baseline, other]: [usize; 2]) -> Self {
        self.rows.retain(|pair| {
            common.on.get(&pair.key.threads).is_some_and(|ranked| {
                ranked.groups.contains(&baseline)
                    && ranked.groups.contains(&other)
                    && ranked.rows.contains(&pair.key)
            })
        });
        self.categories.clone_from(&common.categories);
        self
    }
}

impl Ranked {
    /// Of so many groups, whose rows on a number of threads are given each with the groups that have it.
    fn of(groups: usize, rows: &[(&RowKey, BTreeSet<usize>)]) -> Self {
        let having = |group: &usize| rows.iter().filter(|(_, of)| of.contains(group)).count();
        let counts: Vec<usize> = (0..groups).map(|group| having(&group)).collect();
        let mut ranked: BTreeSet<usize> = (0..groups).filter(|group| counts[*group] > 0).collect();
        let mut sizes: Vec<usize> = ranked.iter().map(|group| counts[*group]).collect();
        sizes.sort_unstable();
        let least = sizes.get(sizes.len() / 2).map_or(0.0, |median| LEAST_ROWS * *median as f64);
        let in_all =
            |ranked: &BTreeSet<usize>| rows.iter().filter(|(_, of)| ranked.is_subset(of)).count();
        while ranked.len() > 1 && (in_all(&ranked) as f64) < least {
            let without = |group: &usize| {
                let mut rest = ranked.clone();
                rest.remove(group);
                rest
            };
            let left_out = ranked
                .iter()
                .max_by_key(|group| (in_all(&without(group)), std::cmp::Reverse(counts[**group])));
            let Some(rest) = left_out.map(without) else { break };
            ranked = rest;
        }
        if ranked.len() < 2 {
            return Self { counts: vec![0; groups], ..Self::default() };
        }
        let common = || rows.iter().filter(|(_, of)| ranked.is_subset(of));
        let count = |group: usize| common().filter(|(_, of)| of.contains(&group)).count();
        Self {
            rows: common().map(|(key, _)| (*key).clone()).collect(),
            counts: (0..groups).map(count).collect(),
            groups: ranked,
        }
    }
}

/// The most of the groups whose row of a key can be compared with one of them.
fn comparable(
    groups: &[&Group],
    key: &RowKey,
    places: &[usize],
    allow: &[Allow],
) -> BTreeSet<usize> {
    let mut classes: Vec<BTreeSet<usize>> = Vec::new();
    for place in places {
        let is_like = |class: &&mut BTreeSet<usize>| {
            class.first().is_some_and(|first| {
                Pair::of(groups[*first], groups[*place], key, allow).refusal.is_none()
            })
        };
        match classes.iter_mut().find(is_like) {
            Some(class) => {
                class.insert(*place);
            }
            None => classes.push(BTreeSet::from([*place])),
        }
    }
    // The first of the largest.
    classes.into_iter().rev().max_by_key(BTreeSet::len).unwrap_or_default()
}
