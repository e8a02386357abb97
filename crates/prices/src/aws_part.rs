//! The parts of AWS's prices. Each has a code of its own, by which one that stands there twice is known: parts are added up.

use crate::price_list::check_count;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// An offer has two at most: by the hour, and at once.
const PARTS_OF_AN_OFFER: usize = 2;

/// A part of a price.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PricePart {
    /// `Hrs` or `Quantity`.
    pub unit: String,
    pub amount: f64,
    pub currency: String,
}

impl PricePart {
    /// # Errors
    /// If the price is no number, or below 0. Parts of 0 are usual: what was paid upfront costs no more by the hour.
    pub fn of(unit: &str, price: &str, currency: &str) -> Result<Self, String> {
        let amount: f64 =
            price.parse().map_err(|_| format!("a price is {price:?}, not a number"))?;
        if !(amount.is_finite() && amount >= 0.0) {
            return Err(format!("a price is {price:?}, not a number from 0 on"));
        }
        Ok(Self { unit: unit.to_owned(), amount, currency: currency.to_owned() })
    }
}

/// SKU, offer and code of a part, and the currency: that an offer has one is for its sum to say.
type PartKey = (String, String, String, String);

/// The parts that a list has had so far.
#[derive(Debug, Default)]
pub(crate) struct KnownParts(HashMap<PartKey, PricePart>);

impl KnownParts {
    /// Keeps a part. Gives whether it is the first of its code: one that stands there again counts once.
    ///
    /// # Errors
    /// If the first said otherwise, or there are too many.
    pub fn is_new(
        &mut self,
        (sku, offer, code): (&str, &str, &str),
        part: &PricePart,
    ) -> Result<bool, String> {
        let key = (sku.to_owned(), offer.to_owned(), code.to_owned(), part.currency.clone());
        let is_new = match self.0.entry(key) {
            Entry::Occupied(known) if known.get() == part => false,
            Entry::Occupied(_) => {
                return Err(format!(
                    "RateCode {code:?} stands there twice, with other prices. Leave one out"
                ));
            }
            Entry::Vacant(place) => {
                place.insert(part.clone());
                true
            }
        };
        check_count(self.0.len() / PARTS_OF_AN_OFFER)?;
        Ok(is_new)
    }
}
