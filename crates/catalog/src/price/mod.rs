//! Prices of machines: what an hour costs, where, under which commitment, and who says so.

#[cfg(test)]
mod changed;
mod commitment;
mod file;
#[cfg(test)]
mod tests;

pub use commitment::{ON_DEMAND, RESERVED, SPOT, reserved};
pub use file::{PriceError, prices_in, prices_toml, read_prices};

use commitment::place;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::str::FromStr;
use terminal::is_hidden;

/// The price of a machine for an hour, with its terms and source.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// The group's label, or its instance type.
    pub label: String,
    /// In units of the currency.
    pub per_hour: f64,
    /// E.g. `USD`; prices without one are in the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// Where the provider asks it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// When it was looked up, `YYYY-MM-DD`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub date: Option<Date>,
    /// For how long one must buy, e.g. `on demand` or `3 years`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commitment: Option<String>,
    /// Rated watts under full load, of a data sheet or an estimate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watts: Option<f64>,
    /// Virtual CPUs of the instance type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vcpus: Option<u32>,
    /// Physical cores, where the source tells them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cores: Option<u32>,
    /// Memory in GiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_gib: Option<f64>,
    /// Who published it, and in what.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// Prices an hour and watts.
const POSSIBLE: RangeInclusive<f64> = 1e-6..=1e9;
/// Names of currencies are shown, so that they must be short.
const LONGEST_WORD: usize = 40;
/// As long as the name of a file may be that a source names.
const LONGEST_SOURCE: usize = 300;

impl Price {
    /// Checks that numbers are in range and names printable.
    ///
    /// # Errors
    /// Says which is not.
    pub fn checked(self) -> Result<Self, String> {
        let (least, most) = (POSSIBLE.start(), POSSIBLE.end());
        if !POSSIBLE.contains(&self.per_hour) {
            return Err(format!(
                "a price of {} per hour is out of range: {least} to {most}",
                self.per_hour
            ));
        }
        if let Some(watts) = self.watts.filter(|watts| !POSSIBLE.contains(watts)) {
            return Err(format!("{watts} W is out of range: {least} to {most}"));
        }
        if let Some(memory) = self.memory_gib.filter(|memory| !POSSIBLE.contains(memory)) {
            return Err(format!("{memory} GiB is out of range: {least} to {most}"));
        }
        if self.vcpus == Some(0) || self.cores == Some(0) {
            return Err("a machine without CPUs".to_owned());
        }
        if self.label.trim().is_empty() {
            return Err("no label".to_owned());
        }
        for (what, word, longest) in [
            ("currency", &self.currency, LONGEST_WORD),
            ("region", &self.region, LONGEST_WORD),
            ("commitment", &self.commitment, LONGEST_WORD),
            ("source", &self.source, LONGEST_SOURCE),
        ] {
            let is_plain =
                |word: &String| word.chars().count() <= longest && !word.chars().any(is_hidden);
            if !word.as_ref().is_none_or(is_plain) {
                return Err(format!(
                    "the {what} has more than {longest} characters or unprintable ones"
                ));
            }
        }
        Ok(self)
    }

    /// Unique among the prices of a file.
    pub fn key(&self) -> PriceKey<'_> {
        let commitment = self.commitment.as_deref();
        let region = self.region.as_deref();
        PriceKey { label: &self.label, region, place: place(commitment), commitment }
    }

    /// The price of one of so many logical CPUs for an hour.
    pub fn per_cpu(&self, cpus: u32) -> f64 {
        self.per_hour / f64::from(cpus)
    }

    /// The currency, or `$` if unknown.
    pub fn currency_name(&self) -> &str {
        self.currency.as_deref().unwrap_or("$")
    }
}

/// A label, where and for how long: a file has one price of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PriceKey<'a> {
    label: &'a str,
    region: Option<&'a str>,
    place: usize,
    commitment: Option<&'a str>,
}

/// `LABEL=2.464` or `LABEL=2.464EUR`.
#[derive(Debug, Clone, PartialEq)]
pub struct PriceArg(pub Price);

impl FromStr for PriceArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is not LABEL=PRICE, e.g. m7g=2.464 or m7g=2.464EUR");
        let (label, price) = text.rsplit_once('=').ok_or_else(wrong)?;
        let number = price.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let currency = &price[number.len()..];
        let per_hour = number.trim().parse().map_err(|_| wrong())?;
        let currency = (!currency.is_empty()).then(|| currency.to_owned());
        let label = label.to_owned();
        Price { label, per_hour, currency, ..Price::default() }.checked().map(Self)
    }
}

/// Whether prices are comparable.
///
/// # Errors
/// If they are in different currencies.
pub fn check_currencies<'a>(prices: impl IntoIterator<Item = &'a Price>) -> Result<(), String> {
    let mut prices = prices.into_iter();
    let Some(first) = prices.next() else { return Ok(()) };
    match prices.find(|price| price.currency != first.currency) {
        None => Ok(()),
        Some(other) => Err(format!(
            "{} is priced in {}, {} in {}. Use one currency: leave one out, or convert it in a price file",
            with_terms(first),
            first.currency_name(),
            with_terms(other),
            other.currency_name()
        )),
    }
}

/// Whose price it is, where and for how long: `m8g (us-east-1, spot)`.
fn with_terms(price: &Price) -> String {
    let terms: Vec<&str> =
        [&price.region, &price.commitment].into_iter().flatten().map(String::as_str).collect();
    match &terms[..] {
        [] => price.label.clone(),
        terms => format!("{} ({})", price.label, terms.join(", ")),
    }
}
