//! Work for the money, and the price at which the order turns. Nothing else computes either.

use crate::compare::Group;
use catalog::Price;
use record::ThreadSpec;
use serde::Serialize;
use stats::Interval;

const SECONDS_PER_HOUR: f64 = 3600.0;

/// How another machine stands beside a baseline at the prices of both.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct PriceAdjusted {
    /// Its ops/s over the baseline's.
    pub ratio: Interval,
    /// The part of its machine that they took over the part that the baseline's took: 1 thread of 16 CPUs over 1 of 64 is 4.
    pub share: f64,
    /// Its ops for a unit of the currency over the baseline's.
    pub price_adjusted: Interval,
    /// Its price an hour below which it does more for a unit of the currency than the baseline.
    pub break_even_per_hour: Interval,
}

impl PriceAdjusted {
    /// Puts a ratio of ops/s at the prices of an hour: of machines of which a part is used, each part costs as much as it is of
    /// the whole.
    pub fn of(ratio: Interval, share: f64, baseline: &Price, other: &Price) -> Self {
        let of_parts = ratio.scaled(1.0 / share);
        Self {
            ratio,
            share,
            price_adjusted: of_parts.scaled(price_factor(baseline, other)),
            break_even_per_hour: of_parts.scaled(baseline.per_hour),
        }
    }
}

/// The part of a machine that work on some threads takes; all of it where it is not known how many CPUs it has.
pub fn share_of_machine(group: &Group, threads: ThreadSpec) -> f64 {
    match (threads, group.cpu_count()) {
        (ThreadSpec::Count(threads), Some(cpus)) => (threads as f64 / f64::from(cpus)).min(1.0),
        _ => 1.0,
    }
}

/// A ratio of ops/s times this is the ratio of ops for a unit of the currency.
pub fn price_factor(baseline: &Price, other: &Price) -> f64 {
    baseline.per_hour / other.per_hour
}

/// Work of a machine, or a share of it, for one unit of the currency.
pub fn per_currency_unit(per_s: &Interval, share: f64, price: &Price) -> Interval {
    per_s.scaled(SECONDS_PER_HOUR / (share * price.per_hour))
}
