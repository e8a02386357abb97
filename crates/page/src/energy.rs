//! Work per watt on the page.

use super::head::RowHead;
use super::round::{Numbers, Rounded, numbers};
use judge::compare::{Allow, Group, Row, compare};
use judge::cost::{PerWatt, per_watt};
use record::ThreadSpec;
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

/// Of each group, its rows that have watts, each by every source that it has, the best first.
pub(super) fn energies(
    groups: &[Group],
    rows: &[RowHead],
    watts: &[Option<f64>],
) -> Vec<Vec<PageEnergy>> {
    let places: BTreeMap<(&str, ThreadSpec), usize> =
        rows.iter().enumerate().map(|(i, head)| ((&*head.key.name, head.key.threads), i)).collect();
    let of = |(group, watts): (&Group, &Option<f64>)| {
        // Beside itself a group has all of its rows.
        let itself = compare(group, group, &Allow::ALL);
        let row = |row: &Row| {
            let key = (row.workload.as_str(), row.threads);
            let place = *places.get(&key)?;
            let found = per_watt(group, key, &row.baseline?.interval, *watts);
            let energy = move |of: PerWatt| PageEnergy {
                row: place,
                watts: Rounded(of.watts.centre),
                per_joule: numbers(&of.per_s_per_watt),
                source: of.source.to_string(),
            };
            Some(found.into_iter().map(energy))
        };
        itself.rows.iter().filter_map(row).flatten().collect()
    };
    groups.iter().zip(watts).map(of).collect()
}
