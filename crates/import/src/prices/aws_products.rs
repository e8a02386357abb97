//! Answers of AWS's price list API (`aws pricing get-products`): a list of products with their terms, each as a text of JSON.

use crate::prices::aws::{Attributes, day};
use crate::prices::aws_json::{Offers, check_code};
use crate::prices::aws_part::KnownParts;
use crate::prices::json::{AllMembers, Elements};
use crate::prices::list_file::ListFile;
use crate::prices::price_list::PriceList;
use serde::Deserialize;
use serde::de::DeserializeSeed;
use serde_json::Value;
use std::io::Read;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Sold {
    product: Product,
    #[serde(default)]
    service_code: Option<String>,
    #[serde(default)]
    publication_date: String,
    terms: Option<AllTerms>,
}

#[derive(Deserialize)]
struct Product {
    #[serde(default)]
    sku: String,
    #[serde(default)]
    attributes: Attributes,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
struct AllTerms {
    on_demand: Option<Offers>,
    reserved: Option<Offers>,
}

pub(crate) fn read(
    file: impl Read,
    origin: &ListFile,
    prices: &mut PriceList,
) -> Result<(), String> {
    let mut parts = KnownParts::default();
    let mut json = serde_json::Deserializer::from_reader(file);
    let take = |sold: Value| {
        let sold = match sold {
            Value::String(text) => serde_json::from_str(&text),
            value => serde_json::from_value(value),
        };
        let sold: Sold = sold.map_err(|e| format!("a product of PriceList: {e}"))?;
        add(sold, origin, &mut parts, prices)
    };
    Elements::new("PriceList", "NextToken", take)
        .deserialize(&mut json)
        .and_then(|_| json.end())
        .map_err(|e| e.to_string())
}

fn add(
    sold: Sold,
    origin: &ListFile,
    parts: &mut KnownParts,
    prices: &mut PriceList,
) -> Result<(), String> {
    sold.service_code.as_deref().map_or(Ok(()), check_code)?;
    let Some(machine) = sold.product.attributes.machine() else { return Ok(()) };
    let terms = sold.terms.unwrap_or_default();
    let kinds = [(false, terms.on_demand), (true, terms.reserved)];
    for (is_reserved, offers) in
        kinds.into_iter().filter_map(|(kind, offers)| Some((kind, offers?)))
    {
        let AllMembers(offers) = offers;
        for (code, offer) in &offers {
            let amount = offer.amount(&sold.product.sku, code, parts)?;
            let by_hour = offer.terms.term(is_reserved).and_then(|term| amount.by_hour(term));
            let Some((commitment, per_hour)) = by_hour else { continue };
            let mut price = machine.clone().price(commitment, per_hour, amount.currency);
            (price.date, price.source) =
                (day(&sold.publication_date), origin.source("AWS price list"));
            prices.add(price)?;
        }
    }
    Ok(())
}
