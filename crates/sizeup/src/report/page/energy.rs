//! Work per joule on the page.

use super::head::RowHead;
use super::round::{Numbers, numbers};
use crate::compare::{Allow, Group, compare};
use crate::cost::energy;
use serde::Serialize;

/// A row's operations per joule, which are operations a second and watt.
#[derive(Debug, Serialize)]
pub(super) struct PageEnergy {
    /// The row's place.
    row: usize,
    per_joule: Numbers,
    /// Where the watts come from: rows of two sources are not held against each other.
    source: String,
}

/// Of each group, its rows that have watts.
pub(super) fn energies(
    groups: &[Group],
    rows: &[RowHead],
    watts: &[Option<f64>],
) -> Vec<Vec<PageEnergy>> {
    let of = |(group, watts): (&Group, &Option<f64>)| {
        // Beside itself a group has its own watts only.
        let itself = compare(group, group, &Allow::ALL);
        let found = energy((group, group), &itself, (*watts, *watts)).into_iter();
        let row = |energy: crate::cost::EnergyRow| {
            let is_it = |head: &RowHead| {
                head.key.name == energy.workload && head.key.threads == energy.threads
            };
            Some(PageEnergy {
                row: rows.iter().position(is_it)?,
                per_joule: numbers(&energy.baseline_per_joule?),
                source: energy.baseline_source?.to_string(),
            })
        };
        found.filter_map(row).collect()
    };
    groups.iter().zip(watts).map(of).collect()
}
