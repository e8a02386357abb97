//! Properties that must match across a workload's rows, whatever their numbers of threads: the rows make one curve.

use super::group::Group;
use super::group_row::GroupRow;
use super::identity::Identity;
use super::must_match::Difference;
use super::pair::Pair;
use std::collections::BTreeSet;

/// Differences in a workload between two groups or within one of them. On equal numbers of threads everything must match;
/// between numbers of threads, everything that they do not decide.
pub fn differences_of_workload(baseline: &Group, other: &Group, workload: &str) -> Vec<Difference> {
    let mut found = differences_within(baseline, workload);
    add(&mut found, differences_within(other, workload));
    for (_, row) in rows(baseline, workload) {
        add(&mut found, Pair::of(baseline, other, &row.key, &[]).differences);
    }
    let others = identities(other, workload);
    for ours in identities(baseline, workload) {
        others.iter().for_each(|theirs| add(&mut found, ours.differences(theirs)));
    }
    found
}

/// Differences in a workload within a group: between the runs of a row, and between its rows.
pub fn differences_within(group: &Group, workload: &str) -> Vec<Difference> {
    let mut found = Vec::new();
    rows(group, workload).for_each(|(_, row)| add(&mut found, row.differences.clone()));
    let identities: Vec<Identity> = identities(group, workload).into_iter().collect();
    for (number, first) in identities.iter().enumerate() {
        identities[number + 1..].iter().for_each(|next| add(&mut found, first.differences(next)));
    }
    found
}

fn rows<'a>(group: &'a Group, workload: &str) -> impl Iterator<Item = (usize, &'a GroupRow)> {
    group.rows_named(workload).into_iter().map(|row| (row, &group.rows[row]))
}

/// Identities of the rows on any number of threads, without duplicates.
fn identities(group: &Group, workload: &str) -> BTreeSet<Identity> {
    let first = |(row, _)| Some(group.first_figure(row)?.identity.on_any_threads());
    rows(group, workload).filter_map(first).collect()
}

fn add(found: &mut Vec<Difference>, more: Vec<Difference>) {
    for difference in more {
        if !found.contains(&difference) {
            found.push(difference);
        }
    }
}
