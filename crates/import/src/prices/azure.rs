//! Azure's retail prices, as their REST API answers: pages one after the other, or a list of their items
//! (<https://learn.microsoft.com/rest/api/cost-management/retail-prices/azure-retail-prices>).

use crate::prices::HOURS_PER_YEAR;
use crate::prices::aws::day;
use crate::prices::json::Elements;
use crate::prices::list_file::ListFile;
use crate::prices::price_list::PriceList;
use catalog::{ON_DEMAND, Price, SPOT, reserved};
use jiff::civil::Date;
use serde::Deserialize;
use serde::de::DeserializeSeed;
use std::io::{self, BufRead};

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Item {
    arm_sku_name: String,
    arm_region_name: String,
    currency_code: String,
    retail_price: f64,
    tier_minimum_units: f64,
    unit_of_measure: String,
    r#type: String,
    reservation_term: Option<String>,
    product_name: String,
    sku_name: String,
    meter_name: String,
    service_name: String,
    effective_start_date: Option<String>,
    effective_end_date: Option<String>,
}

/// Longer links are told by their starts.
const LONGEST_LINK: usize = 300;

pub(crate) fn read(
    mut file: impl BufRead,
    origin: &ListFile,
    prices: &mut PriceList,
) -> Result<(), String> {
    let mut take = |item: Item| match item.by_hour().filter(|_| item.is_plain_machine()) {
        // Some are free of charge until they are for sale.
        Some((_, 0.0)) | None => Ok(()),
        Some((commitment, per_hour)) if item.holds_on(origin.saved)? => {
            prices.add(item.price(commitment, per_hour, origin))
        }
        Some(_) => Ok(()),
    };
    let mut next: Option<String> = None;
    while skip_spaces(&mut file).map_err(|e| e.to_string())? {
        let mut json = serde_json::Deserializer::from_reader(&mut file);
        let page = Elements::new("Items", "NextPageLink", &mut take).deserialize(&mut json);
        next = page.map_err(|e| format!("is no answer of Azure's retail prices: {e}"))?;
    }
    match next.filter(|link| !link.is_empty()) {
        Some(link) => {
            let link: String = link.chars().take(LONGEST_LINK).collect();
            Err(format!("has further pages, from {link} on: add them, one after the other"))
        }
        None => Ok(()),
    }
}

/// Skips what is between pages. Gives whether anything is left.
fn skip_spaces(file: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let next = file.fill_buf()?;
        let spaces = next.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if spaces < next.len() || next.is_empty() {
            let is_left = spaces < next.len();
            file.consume(spaces);
            return Ok(is_left);
        }
        file.consume(spaces);
    }
}

impl Item {
    /// Whether it is a machine with Linux, and nothing else to pay for.
    fn is_plain_machine(&self) -> bool {
        let has = |text: &str| self.product_name.contains(text);
        let is_low_priority = [&self.sku_name, &self.meter_name];
        self.service_name == "Virtual Machines"
            && !self.arm_sku_name.is_empty()
            && self.tier_minimum_units == 0.0
            && self.unit_of_measure == "1 Hour"
            && !["Windows", "Cloud Services", "CloudServices", "Dedicated Host"]
                .into_iter()
                .any(has)
            && !is_low_priority.into_iter().any(|name| name.ends_with("Low Priority"))
    }

    /// The commitment and the price by the hour. A reservation's price is that of the whole term, whatever its unit says.
    fn by_hour(&self) -> Option<(String, f64)> {
        let is_spot = self.sku_name.ends_with("Spot") || self.meter_name.ends_with("Spot");
        Some(match (self.r#type.as_str(), &self.reservation_term) {
            ("Consumption", _) if is_spot => (SPOT.to_owned(), self.retail_price),
            ("Consumption", _) => (ON_DEMAND.to_owned(), self.retail_price),
            ("Reservation", Some(term)) => {
                let years: u32 = term.split(' ').next()?.parse().ok().filter(|years| *years > 0)?;
                (reserved(years), self.retail_price / (f64::from(years) * HOURS_PER_YEAR))
            }
            _ => return None,
        })
    }

    /// Whether the price holds on the day of the list. Azure also lists prices that did, or will.
    fn holds_on(&self, date: Option<Date>) -> Result<bool, String> {
        let day = |name: &str, time: &Option<String>| match time {
            Some(time) => match day(time) {
                Some(day) => Ok(Some(day)),
                None => Err(format!("{}: {name} is {time:?}, not a date", self.arm_sku_name)),
            },
            None => Ok(None),
        };
        let start = day("effectiveStartDate", &self.effective_start_date)?;
        let end = day("effectiveEndDate", &self.effective_end_date)?;
        Ok(date.is_none_or(|date| {
            start.is_none_or(|start| start <= date) && end.is_none_or(|end| end >= date)
        }))
    }

    /// Azure says since when a price holds, not when it was asked for: that is when the file was saved.
    fn price(&self, commitment: String, per_hour: f64, origin: &ListFile) -> Price {
        Price {
            label: self.arm_sku_name.clone(),
            region: Some(self.arm_region_name.clone()).filter(|region| !region.is_empty()),
            per_hour,
            currency: Some(self.currency_code.clone()).filter(|currency| !currency.is_empty()),
            commitment: Some(commitment),
            date: origin.saved,
            source: origin.source("Azure retail prices"),
            ..Price::default()
        }
    }
}
