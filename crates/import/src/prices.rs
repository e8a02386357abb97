//! Price lists that clouds and Spare Cores publish, as prices of sizeup: one file per source. Nothing is fetched.
//!
//! A list has one price of each instance type, region and commitment; of several (zones, ways to pay) the lowest.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests read what they wrote"))]

mod aws;
mod aws_csv;
mod aws_json;
mod aws_part;
mod aws_products;
mod aws_spot;
mod azure;
mod database;
mod filter;
mod json;
mod list;
mod list_file;
mod price_list;
mod sparecores;

pub use filter::Filter;
pub use list::{LARGEST_BYTES, PriceListError, read};
pub use price_list::MOST_PRICES;

/// Reserved machines are paid by the year, prices are by the hour.
const HOURS_PER_YEAR: f64 = 8760.0;
/// Clouds' months.
const HOURS_PER_MONTH: f64 = 730.0;

#[cfg(test)]
mod tests;
