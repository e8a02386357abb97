//! AWS's price list for EC2 as JSON: `products` by SKU, then `terms` by kind, SKU and offer. It is read in passing, for it is
//! large: only what is wanted is kept.

use crate::prices::aws::{Amount, Attributes, SoldMachine, Terms, day};
use crate::prices::aws_part::{KnownParts, PricePart};
use crate::prices::json::{AllMembers, Members};
use crate::prices::list_file::ListFile;
use crate::prices::price_list::{PriceList, check_count};
use jiff::civil::Date;
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::HashMap;
use std::fmt;
use std::io::Read;

pub(crate) fn read(
    file: impl Read,
    origin: &ListFile,
    prices: &mut PriceList,
) -> Result<(), String> {
    let mut json = serde_json::Deserializer::from_reader(file);
    let whole = WholeList { origin, prices };
    whole.deserialize(&mut json).and_then(|()| json.end()).map_err(|e| e.to_string())
}

#[derive(Deserialize)]
struct Product {
    #[serde(default)]
    attributes: Attributes,
}

/// The offers of a SKU.
pub(crate) type Offers = AllMembers<TermOffer>;

#[derive(Deserialize)]
pub(crate) struct TermOffer {
    #[serde(rename = "priceDimensions")]
    dimensions: AllMembers<Dimension>,
    #[serde(rename = "termAttributes", default)]
    pub terms: Terms,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Dimension {
    /// As its name, but for lists of others.
    rate_code: Option<String>,
    unit: String,
    price_per_unit: AllMembers<String>,
}

impl TermOffer {
    /// Adds up the parts that are new.
    pub fn amount(&self, sku: &str, offer: &str, known: &mut KnownParts) -> Result<Amount, String> {
        let mut amount = Amount::default();
        for (name, Dimension { rate_code, unit, price_per_unit }) in &self.dimensions.0 {
            let code = rate_code.as_ref().unwrap_or(name);
            for (currency, price) in &price_per_unit.0 {
                let part = PricePart::of(unit, price, currency)?;
                if known.is_new((sku, offer, code), &part)? {
                    amount.add(&part)?;
                }
            }
        }
        Ok(amount)
    }
}

/// Reads the list into prices.
struct WholeList<'a, 'b> {
    origin: &'a ListFile,
    prices: &'a mut PriceList<'b>,
}

impl<'de> DeserializeSeed<'de> for WholeList<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for WholeList<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("AWS's price list")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut machines: Option<HashMap<String, SoldMachine>> = None;
        let mut date = None;
        let mut has_terms = false;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "offerCode" => {
                    check_code(&map.next_value::<String>()?).map_err(A::Error::custom)?
                }
                "publicationDate" => date = day(&map.next_value::<String>()?),
                "products" => {
                    let mut found = HashMap::new();
                    map.next_value_seed(Members::new(|sku, product: Product| {
                        found.extend(product.attributes.machine().map(|machine| (sku, machine)));
                        check_count(found.len())
                    }))?;
                    machines = Some(found);
                }
                "terms" => {
                    let machines = machines
                        .as_ref()
                        .ok_or_else(|| A::Error::custom("terms come before products"))?;
                    let (origin, prices) = (self.origin, &mut *self.prices);
                    let parts = KnownParts::default();
                    map.next_value_seed(TermKinds { machines, date, origin, prices, parts })?;
                    has_terms = true;
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        if has_terms { Ok(()) } else { Err(A::Error::custom("products or terms are missing")) }
    }
}

pub(crate) fn check_code(code: &str) -> Result<(), String> {
    match code {
        "AmazonEC2" => Ok(()),
        other => Err(format!("is AWS's price list of {other}. Use that of AmazonEC2")),
    }
}

/// Reads the terms of machines that are known into prices.
struct TermKinds<'a, 'b> {
    machines: &'a HashMap<String, SoldMachine>,
    date: Option<Date>,
    origin: &'a ListFile,
    prices: &'a mut PriceList<'b>,
    parts: KnownParts,
}

impl TermKinds<'_, '_> {
    fn add(&mut self, is_reserved: bool, sku: &str, offers: &Offers) -> Result<(), String> {
        let Some(machine) = self.machines.get(sku) else { return Ok(()) };
        for (code, offer) in &offers.0 {
            let amount = offer.amount(sku, code, &mut self.parts)?;
            let by_hour = offer.terms.term(is_reserved).and_then(|term| amount.by_hour(term));
            let Some((commitment, per_hour)) = by_hour else {
                continue;
            };
            let mut price = machine.clone().price(commitment, per_hour, amount.currency);
            (price.date, price.source) = (self.date, self.origin.source("AWS price list"));
            self.prices.add(price)?;
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for TermKinds<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for TermKinds<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("terms by kind")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(kind) = map.next_key::<String>()? {
            let is_reserved = match kind.as_str() {
                "OnDemand" => false,
                "Reserved" => true,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            let add = |sku: String, offers: Offers| self.add(is_reserved, &sku, &offers);
            map.next_value_seed(Members::new(add))?;
        }
        Ok(())
    }
}
