//! A price as its user gives it.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::str::FromStr;
use terminal::is_hidden;

/// What an hour of a machine costs, and what is said about that.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// The group's label.
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
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub date: Option<Date>,
    /// For how long one must buy, e.g. `on demand` or `3 years`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commitment: Option<String>,
    /// Rated watts under full load, of a data sheet or an estimate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watts: Option<f64>,
}

/// Prices an hour and watts.
const POSSIBLE: RangeInclusive<f64> = 1e-6..=1e9;
/// Names of currencies are shown, so that they must be short.
const LONGEST_WORD: usize = 40;

impl Price {
    /// Whether it can be: prices and watts are above zero, names can be shown.
    pub(super) fn checked(self) -> Result<Self, String> {
        if !POSSIBLE.contains(&self.per_hour) {
            let (least, most) = (POSSIBLE.start(), POSSIBLE.end());
            return Err(format!(
                "a price of {} per hour is out of range: {least} to {most}",
                self.per_hour
            ));
        }
        if let Some(watts) = self.watts.filter(|watts| !POSSIBLE.contains(watts)) {
            let (least, most) = (POSSIBLE.start(), POSSIBLE.end());
            return Err(format!("{watts} W is out of range: {least} to {most}"));
        }
        if self.label.trim().is_empty() {
            return Err("no label".to_owned());
        }
        for (what, word) in [
            ("currency", &self.currency),
            ("region", &self.region),
            ("commitment", &self.commitment),
        ] {
            let is_plain = |word: &String| {
                word.chars().count() <= LONGEST_WORD && !word.chars().any(is_hidden)
            };
            if !word.as_ref().is_none_or(is_plain) {
                return Err(format!(
                    "the {what} has more than {LONGEST_WORD} characters or unprintable ones"
                ));
            }
        }
        Ok(self)
    }

    /// What an hour of one of so many logical CPUs costs.
    pub fn per_cpu(&self, cpus: u32) -> f64 {
        self.per_hour / f64::from(cpus)
    }

    /// The currency, or what stands for unknown.
    pub fn unit(&self) -> &str {
        self.currency.as_deref().unwrap_or("$")
    }
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
        let (region, date, commitment, watts) = (None, None, None, None);
        Price { label, per_hour, currency, region, date, commitment, watts }.checked().map(Self)
    }
}
