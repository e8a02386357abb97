//! Work per watt on the page.

use super::head::RowHead;
use super::round::{Numbers, Rounded, numbers};
use judge::compare::{Group, GroupRow, RowKey};
use judge::cost::{PerWatt, per_watt};
use serde::Serialize;
use std::collections::BTreeMap;

/// A row's operations per joule, which are operations a second and watt.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Energy"))]
pub(super) struct PageEnergy {
    /// The row's place.
    row: usize,
    watts: Rounded,
    per_joule: Numbers,
    /// The source of the watts: rows with different sources are not compared.
    source: String,
}

/// For each group, its rows that have watts: an entry per source, the best first.
pub(super) fn energies(
    groups: &[Group],
    rows: &[RowHead],
    watts: &[Option<f64>],
) -> Vec<Vec<PageEnergy>> {
    let places: BTreeMap<&RowKey, usize> =
        rows.iter().enumerate().map(|(place, head)| (&head.key, place)).collect();
    let of_group = |(group, watts): (&Group, &Option<f64>)| {
        let row = |row: &GroupRow| {
            let place = *places.get(&row.key)?;
            let key = (row.key.name.as_str(), row.key.threads);
            let found = per_watt(group, key, &row.view?.interval, *watts);
            let energy = move |per_watt: PerWatt| PageEnergy {
                row: place,
                watts: Rounded(per_watt.watts.centre),
                per_joule: numbers(&per_watt.per_s_per_watt),
                source: per_watt.source.to_string(),
            };
            Some(found.into_iter().map(energy))
        };
        group.rows.iter().filter_map(row).flatten().collect()
    };
    groups.iter().zip(watts).map(of_group).collect()
}
