//! The prices of a list, one of each instance type, region and commitment.

use catalog::{Price, check_currencies};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// A list has no more prices than this that are wanted: all of a cloud's regions have fewer.
pub const MOST_PRICES: usize = 500_000;

/// Names of instance types have 30 at most.
const LONGEST_NAME: usize = 100;

/// Whether so many prices, or what they are made of, can be kept.
///
/// # Errors
/// If they are too many.
pub(crate) fn check_count(count: usize) -> Result<(), String> {
    match count {
        0..=MOST_PRICES => Ok(()),
        _ => Err(format!(
            "has more than {MOST_PRICES} prices, which is the limit. Use the list of a region, or --region"
        )),
    }
}

/// Prices that are wanted, in order of instance types.
pub(crate) struct PriceList<'a> {
    is_wanted: &'a dyn Fn(&Price) -> bool,
    prices: BTreeSet<ByKey>,
}

/// A price among those of other instance types, regions and commitments.
struct ByKey(Price);

impl Ord for ByKey {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.key().cmp(&other.0.key())
    }
}

impl PartialOrd for ByKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for ByKey {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for ByKey {}

impl<'a> PriceList<'a> {
    pub fn new(is_wanted: &'a dyn Fn(&Price) -> bool) -> Self {
        Self { is_wanted, prices: BTreeSet::new() }
    }

    /// Adds a price if it passes the filter and is the lowest of its key.
    ///
    /// # Errors
    /// If it can't be a price, is in another currency than the one that is known, or there are too many.
    pub fn add(&mut self, price: Price) -> Result<(), String> {
        let label = price.label.clone();
        if label.chars().count() > LONGEST_NAME {
            return Err(format!("an instance type's name has more than {LONGEST_NAME} characters"));
        }
        let price = price.checked().map_err(|what| format!("{label}: {what}"))?;
        if !(self.is_wanted)(&price) {
            return Ok(());
        }
        let price = ByKey(price);
        let known = self.prices.get(&price).map(|known| &known.0);
        check_currencies(known.into_iter().chain([&price.0]))?;
        if known.is_none_or(|known| price.0.per_hour < known.per_hour) {
            self.prices.replace(price);
        }
        check_count(self.prices.len())
    }

    pub fn into_prices(self) -> Vec<Price> {
        self.prices.into_iter().map(|ByKey(price)| price).collect()
    }
}
