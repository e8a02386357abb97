//! Prices of machines under each commitment, side by side.

use super::comparison::Cost;
use super::money::PriceAdjusted;
use crate::compare::Group;
use catalog::Price;
use serde::Serialize;
use stats::Interval;

/// A price of a group, and what follows.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct CommitmentPrice {
    /// The price.
    pub price: Price,
    /// An hour of one virtual CPU.
    pub per_vcpu: Option<f64>,
    /// Price an hour per core.
    pub per_core: Option<f64>,
    /// Price an hour per GiB of memory.
    pub per_gib: Option<f64>,
    /// Its ops for a unit of the currency over those of the baseline at the latter's first price, over all rows on the most
    /// threads.
    pub price_adjusted: Option<Interval>,
    /// The price an hour below which it does more for a unit of the currency than the baseline under the same commitment.
    pub break_even_per_hour: Option<Interval>,
}

/// A group with its prices, the first of which is the one that it is judged by.
#[derive(Debug, Clone, Copy)]
pub struct GroupWithPrices<'a> {
    /// The group.
    pub group: &'a Group,
    /// Under different commitments, all in one currency.
    pub prices: &'a [Price],
}

/// The prices of a group, compared with a baseline's: `against` is the baseline, the group's ops/s ÷ the baseline's, and the share of the
/// group's machine that the work took. A baseline is compared with itself; only a group that is alone has `None`.
pub fn side_by_side(
    priced: GroupWithPrices,
    against: Option<(GroupWithPrices, Interval, f64)>,
) -> Vec<CommitmentPrice> {
    let price = |price: &Price| {
        let vcpus = price.vcpus.or(priced.group.cpu_count()).map(f64::from);
        let cores = price.cores.or(priced.group.core_count()).map(f64::from);
        let per = |count: Option<f64>| Some(price.per_hour / count?);
        let first = against.and_then(|(baseline, ratio, share)| {
            Some(PriceAdjusted::of(ratio, share, baseline.prices.first()?, price).price_adjusted)
        });
        let is_like = |other: &&Price| other.commitment == price.commitment;
        let even = against.and_then(|(baseline, ratio, share)| {
            let like = baseline.prices.iter().find(is_like)?;
            Some(PriceAdjusted::of(ratio, share, like, price).break_even_per_hour)
        });
        CommitmentPrice {
            price: price.clone(),
            per_vcpu: per(vcpus),
            per_core: per(cores),
            per_gib: per(price.memory_gib),
            price_adjusted: first,
            break_even_per_hour: even,
        }
    };
    priced.prices.iter().map(price).collect()
}

/// The prices of a baseline and of another, which does its score on the most threads: the baseline's first.
pub fn pair_side_by_side(
    cost: &Cost,
    (baseline, other): (GroupWithPrices, GroupWithPrices),
) -> Vec<CommitmentPrice> {
    let itself = Interval::exact(1.0);
    let score = cost.overall().max_by_key(|score| score.threads);
    let mut all = side_by_side(baseline, Some((baseline, itself, 1.0)));
    all.extend(side_by_side(
        other,
        score.map(|score| (baseline, score.adjusted.ratio, score.adjusted.share)),
    ));
    all
}
