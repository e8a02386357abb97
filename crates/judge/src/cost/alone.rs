//! One group with its price and watts: figures without anything to compare them with.

use super::comparison::{check_view, price_notes};
use super::energy::{PerWatt, per_watt};
use super::money::{per_currency_unit, share_of_machine};
use crate::compare::{Contention, Group};
use catalog::{Price, Unit};
use estimate::ViewKind;
use jiff::civil::Date;
use record::ThreadSpec;
use serde::Serialize;
use stats::Interval;

/// Throughput per price and per watt of one group.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Alone {
    /// The group.
    pub label: String,
    /// The view of its figures.
    pub view: ViewKind,
    /// Rows that lack an uncontended figure; `None` if none does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contention: Option<Contention>,
    /// Its price, if it has one.
    pub price: Option<Price>,
    /// Caveats about the price.
    pub notes: Vec<String>,
    /// Rows that have a figure.
    pub rows: Vec<AloneRow>,
}

/// A row with its price and watts.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct AloneRow {
    /// The workload, with its variant if there is one.
    pub workload: String,
    /// On how many threads.
    pub threads: ThreadSpec,
    /// Unit counted per second.
    pub unit: Unit,
    /// Throughput, in its unit per second.
    pub per_s: Interval,
    /// Work for one unit of the currency.
    #[serde(rename = "per_unit")]
    pub per_currency_unit: Option<Interval>,
    /// Throughput per watt, if the watts are known.
    pub energy: Option<PerWatt>,
}

/// Puts a group at its price and watts, as of today.
///
/// # Errors
/// If its figures are per GHz.
pub fn alone(
    group: &Group,
    price: Option<&Price>,
    rated: Option<f64>,
    today: Date,
) -> Result<Alone, String> {
    check_view(group.view)?;
    let rows = group.rows.iter().enumerate().filter_map(|row| {
        let (number, row) = row;
        let (per_s, unit) = (row.view?.interval, group.unit(number)?.clone());
        let (workload, threads) = (row.key.name.clone(), row.key.threads);
        let per_currency_unit =
            price.map(|price| per_currency_unit(&per_s, share_of_machine(group, threads), price));
        let energy = per_watt(group, (&workload, threads), &per_s, rated).into_iter().next();
        Some(AloneRow { workload, threads, unit, per_s, per_currency_unit, energy })
    });
    Ok(Alone {
        label: group.label.clone(),
        view: group.view,
        contention: group.contention.clone(),
        price: price.cloned(),
        notes: price_notes(price, today),
        rows: rows.collect(),
    })
}
