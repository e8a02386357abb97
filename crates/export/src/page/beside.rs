//! Throughput that rows retain beside co-runners, for the page.

use super::head::RowHead;
use super::round::{Numbers, numbers};
use judge::compare::Group;
use serde::Serialize;

/// A row's throughput beside co-runners over that alone.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Beside"))]
pub(super) struct PageBeside {
    /// The row's place.
    row: usize,
    /// The workload of the co-runners.
    co_runners: String,
    /// Their number.
    count: usize,
    left: Numbers,
}

/// For each group, its rows that were measured beside co-runners.
pub(super) fn beside(groups: &[Group], rows: &[RowHead]) -> Vec<Vec<PageBeside>> {
    let of_row = |group: &Group, (place, head): (usize, &RowHead)| -> Vec<PageBeside> {
        let Some(row) = group.find(&head.key) else { return Vec::new() };
        let beside = |(workload, count): (&str, usize)| {
            let left = group.retained_beside(row, (workload, count))?;
            let co_runners = workload.to_owned();
            Some(PageBeside { row: place, co_runners, count, left: numbers(&left) })
        };
        group.co_runners(row).into_iter().filter_map(beside).collect()
    };
    let of_group = |group| rows.iter().enumerate().flat_map(|row| of_row(group, row)).collect();
    groups.iter().map(of_group).collect()
}
