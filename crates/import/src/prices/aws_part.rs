//! The parts of AWS's prices. Each has a code of its own, by which one that is listed twice is recognised: parts are added up.

use crate::prices::price_list::check_count;
use std::collections::HashMap;
use std::collections::hash_map::{Entry, RandomState};
use std::hash::{BuildHasher, Hash};

/// An offer has two at most: by the hour, and at once.
const PARTS_OF_AN_OFFER: usize = 2;

/// A part of a price.
#[derive(Debug)]
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

/// Makes 128 bits of what a list says, in which no two texts are alike: nobody knows the keys.
#[derive(Debug, Default)]
pub(crate) struct ShortKeys([RandomState; 2]);

impl ShortKeys {
    pub fn of(&self, what: impl Hash) -> [u64; 2] {
        self.0.each_ref().map(|keys| keys.hash_one(&what))
    }
}

/// The parts that a list has had so far, by SKU, offer, code and currency (that an offer has one is for its sum to say): unit
/// and amount. A list has a million parts, so neither is kept as text.
#[derive(Debug, Default)]
pub(crate) struct KnownParts {
    keys: ShortKeys,
    parts: HashMap<[u64; 2], u64>,
}

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
        let PricePart { unit, amount, currency } = part;
        let [said, _] = self.keys.of((unit, (amount + 0.0).to_bits()));
        let is_new = match self.parts.entry(self.keys.of((sku, offer, code, currency))) {
            Entry::Occupied(known) if *known.get() == said => false,
            Entry::Occupied(_) => {
                return Err(format!(
                    "RateCode {code:?} is listed twice, with different prices. Remove one"
                ));
            }
            Entry::Vacant(place) => {
                place.insert(said);
                true
            }
        };
        check_count(self.parts.len() / PARTS_OF_AN_OFFER)?;
        Ok(is_new)
    }
}
