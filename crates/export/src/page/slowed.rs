//! Slowed rows, for the page.

use super::head::RowHead;
use super::round::Rounded;
use super::texts::Texts;
use judge::compare::{Group, RowKey};
use judge::explain::{Cause, standouts};
use serde::Serialize;
use std::collections::BTreeMap;

/// A slowed row, its loss and its cause.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Slowed"))]
pub(super) struct PageSlowed {
    /// The row's place.
    row: usize,
    /// Approximate share of its throughput that the row loses to the cause.
    loss: Rounded,
    /// Place of the evidence in the texts.
    evidence: usize,
}

/// For each group, its slowed rows, the greatest loss first. Losses beside co-runners are in `beside`.
pub(super) fn slowed(
    groups: &[Group],
    rows: &[RowHead],
    texts: &mut Texts,
) -> Vec<Vec<PageSlowed>> {
    let places: BTreeMap<&RowKey, usize> =
        rows.iter().enumerate().map(|(place, head)| (&head.key, place)).collect();
    let mut of_group = |group: &Group| -> Vec<PageSlowed> {
        standouts(&[group])
            .into_iter()
            .filter(|found| found.cause != Cause::CoRunners)
            .filter_map(|found| {
                let key = RowKey { name: found.workload, threads: found.threads };
                let row = *places.get(&key)?;
                let evidence = texts.place(found.evidence);
                Some(PageSlowed { row, loss: Rounded(found.loss), evidence })
            })
            .collect()
    };
    groups.iter().map(&mut of_group).collect()
}
