//! Work for the money, and the price at which the order turns. Nothing else computes either.

use catalog::Price;
use serde::Serialize;
use stats::Interval;

const SECONDS_PER_HOUR: f64 = 3600.0;

/// How another machine stands beside a baseline at the prices of both.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PriceAdjusted {
    /// Its ops/s over the baseline's.
    pub ratio: Interval,
    /// Its ops for a unit of the currency over the baseline's.
    pub price_adjusted: Interval,
    /// Its price an hour below which it does more for a unit of the currency than the baseline.
    pub break_even_per_hour: Interval,
}

impl PriceAdjusted {
    /// Puts a ratio of ops/s at the prices of an hour.
    pub fn of(ratio: Interval, baseline: &Price, other: &Price) -> Self {
        Self {
            ratio,
            price_adjusted: ratio.scaled(price_factor(baseline, other)),
            break_even_per_hour: ratio.scaled(baseline.per_hour),
        }
    }
}

/// A ratio of ops/s times this is the ratio of ops for a unit of the currency.
pub fn price_factor(baseline: &Price, other: &Price) -> f64 {
    baseline.per_hour / other.per_hour
}

/// What a machine does for a unit of the currency, of what it does a second.
pub fn per_currency_unit(per_s: &Interval, price: &Price) -> Interval {
    per_s.scaled(SECONDS_PER_HOUR / price.per_hour)
}
