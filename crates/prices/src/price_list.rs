//! The prices of a list, one of each instance type, region and commitment.

use judge::cost::{Price, PriceKey, check_currencies};
use std::collections::BTreeMap;

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
    prices: BTreeMap<PriceKey, Price>,
}

impl<'a> PriceList<'a> {
    pub fn new(is_wanted: &'a dyn Fn(&Price) -> bool) -> Self {
        Self { is_wanted, prices: BTreeMap::new() }
    }

    /// Adds a price, unless nobody wants it or a lower one is known.
    ///
    /// # Errors
    /// If it can't be a price, is in another currency than the one that is known, or there are too many.
    pub fn add(&mut self, price: Price) -> Result<(), String> {
        let of = price.label.clone();
        if of.chars().count() > LONGEST_NAME {
            return Err(format!("an instance type's name has more than {LONGEST_NAME} characters"));
        }
        let price = price.checked().map_err(|what| format!("{of}: {what}"))?;
        if !(self.is_wanted)(&price) {
            return Ok(());
        }
        let key = price.key();
        let known = self.prices.get(&key);
        check_currencies(known.into_iter().chain([&price]))?;
        if known.is_none_or(|known| price.per_hour < known.per_hour) {
            self.prices.insert(key, price);
        }
        check_count(self.prices.len())
    }

    pub fn into_prices(self) -> Vec<Price> {
        self.prices.into_values().collect()
    }
}
