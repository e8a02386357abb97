//! Rows on as many threads in all groups, whatever they were asked for as: all of 64 CPUs are 64 threads.

use super::group::Group;
use super::group_row::GroupRow;
use super::sheet::RowKey;
use record::ThreadSpec;
use std::collections::{BTreeMap, BTreeSet};

/// Gives each group that has a workload on all its threads, and lacks it on a number that they are and another group has,
/// a row on that number. It takes the place of the row on all threads where these are as many in all groups that have one.
pub fn share_thread_counts(groups: &mut [&mut Group]) {
    let rows = groups.iter().flat_map(|group| &group.rows);
    let known: BTreeSet<RowKey> = rows.map(|row| row.key.clone()).collect();
    let mut on_all: BTreeMap<String, BTreeSet<Option<usize>>> = BTreeMap::new();
    for group in groups.iter() {
        for (index, row) in group.rows.iter().enumerate() {
            if row.key.threads == ThreadSpec::All {
                on_all.entry(row.key.name.clone()).or_default().insert(threads(group, index));
            }
        }
    }
    for group in groups {
        let rows = group.rows.iter().enumerate().flat_map(|(index, row)| {
            let counted = counted(group, index).filter(|key| known.contains(key));
            let keeps_all = counted.is_none() || on_all[&row.key.name].len() > 1;
            let counted = counted.map(|key| GroupRow { key, ..row.clone() });
            counted.into_iter().chain(keeps_all.then(|| row.clone()))
        });
        let rows = rows.collect();
        group.set_rows(rows);
    }
}

/// The key of a row on all threads with their number, unless the group has such a row.
fn counted(group: &Group, index: usize) -> Option<RowKey> {
    let key = &group.rows[index].key;
    let threads = threads(group, index).filter(|_| key.threads == ThreadSpec::All)?;
    let counted = RowKey { name: key.name.clone(), threads: ThreadSpec::Count(threads) };
    group.find(&counted).is_none().then_some(counted)
}

/// How many threads a row is on, if that is the same in all runs.
fn threads(group: &Group, index: usize) -> Option<usize> {
    let mut all = group.figures(index).map(|figure| figure.threads);
    let first = all.next()?;
    all.all(|threads| threads == first).then_some(first)
}
