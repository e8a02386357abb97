//! Two groups with their prices.

use super::money::{PriceAdjusted, per_currency_unit, price_factor, share_of_machine};
use crate::answer::on_threads;
use crate::compare::{Comparison, Group, Pairs, Score, Verdict, verdicts_scaled_by};
use catalog::{OVERALL, Price, Unit, check_currencies};
use estimate::{View, ViewKind};
use jiff::civil::Date;
use record::ThreadSpec;
use serde::Serialize;
use stats::Interval;
use std::collections::BTreeSet;

/// Prices older than this, in days, may not be what is asked now.
const OLD_DAYS: i32 = 180;
/// Prices that were looked up this many days apart may be of different times.
const APART_DAYS: i32 = 90;

/// Price-performance of two groups.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Cost {
    /// The baseline's price.
    pub baseline: Price,
    /// The other's.
    pub other: Price,
    /// Price of an hour of one logical CPU, where the number of CPUs is known: the baseline's, the other's.
    pub per_cpu: (Option<f64>, Option<f64>),
    /// Caveats about the prices.
    pub notes: Vec<String>,
    /// Row by row; those without a ratio are not here but in the comparison.
    pub rows: Vec<CostRow>,
    /// Per category and overall.
    pub scores: Vec<CostScore>,
}

/// A row with its price.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct CostRow {
    /// The workload, with its variant if there is one.
    pub workload: String,
    /// On how many threads.
    pub threads: ThreadSpec,
    /// Unit counted per second.
    pub unit: Unit,
    /// The baseline's work for one unit of the currency.
    #[serde(rename = "baseline_per_unit")]
    pub baseline_per_currency_unit: Interval,
    /// The other's.
    #[serde(rename = "other_per_unit")]
    pub other_per_currency_unit: Interval,
    /// The ratio at both prices.
    #[serde(flatten)]
    pub adjusted: PriceAdjusted,
    /// Judges ops per unit of the currency, given all other rows.
    pub verdict: Verdict,
}

/// A score with its price.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct CostScore {
    /// The category, or `overall`.
    pub category: String,
    /// On how many threads.
    pub threads: ThreadSpec,
    /// `on all 64 threads`.
    #[serde(skip)]
    pub on: String,
    /// Rows that are in it.
    pub rows: usize,
    /// The score at both prices.
    #[serde(flatten)]
    pub adjusted: PriceAdjusted,
}

/// Whether figures of a view can be divided by money and watts.
///
/// # Errors
/// If they are per GHz.
pub fn check_view(view: ViewKind) -> Result<(), String> {
    match view {
        ViewKind::PerGhz => {
            Err("prices and watts need ops/s: choose --view uncontended or delivered".to_owned())
        }
        _ => Ok(()),
    }
}

/// Puts a comparison and its score at prices, as of today.
///
/// # Errors
/// If the prices are in different currencies, or the figures are per GHz.
pub fn cost(
    pairs: &Pairs,
    comparison: &Comparison,
    score: &Score,
    (baseline, other): (&Price, &Price),
    today: Date,
) -> Result<Cost, String> {
    check_currencies([baseline, other])?;
    check_view(pairs.baseline.view)?;
    let shares = |threads: ThreadSpec| {
        [pairs.baseline, pairs.other].map(|group| share_of_machine(group, threads))
    };
    let share = |threads: ThreadSpec| {
        let [ours, theirs] = shares(threads);
        theirs / ours
    };
    let factor = |threads| price_factor(baseline, other) / share(threads);
    let at_price = verdicts_scaled_by(comparison, factor);
    let adjusted = |ratio, threads| PriceAdjusted::of(ratio, share(threads), baseline, other);
    let rows = comparison.rows.iter().zip(at_price).filter_map(|(row, verdict)| {
        let [ours, theirs] = shares(row.threads);
        let work = |view: Option<View>, share, price| {
            Some(per_currency_unit(&view?.interval, share, price))
        };
        Some(CostRow {
            workload: row.workload.clone(),
            threads: row.threads,
            unit: row.unit.clone(),
            baseline_per_currency_unit: work(row.baseline, ours, baseline)?,
            other_per_currency_unit: work(row.other, theirs, other)?,
            adjusted: adjusted(row.ratio.as_ref()?.interval, row.threads),
            verdict,
        })
    });
    let scores = score.lines.iter().filter_map(|line| {
        Some(CostScore {
            category: line.category.clone(),
            threads: line.threads,
            on: on_threads(&[pairs.baseline, pairs.other], line.threads),
            rows: line.rows,
            adjusted: adjusted(line.score?, line.threads),
        })
    });
    let per_cpu = |group: &Group, price: &Price| Some(price.per_cpu(group.cpu_count()?));
    Ok(Cost {
        baseline: baseline.clone(),
        other: other.clone(),
        per_cpu: (per_cpu(pairs.baseline, baseline), per_cpu(pairs.other, other)),
        notes: price_notes([baseline, other], today),
        rows: rows.collect(),
        scores: scores.collect(),
    })
}

impl Cost {
    /// The scores over all categories.
    pub fn overall(&self) -> impl Iterator<Item = &CostScore> {
        self.scores.iter().filter(|score| score.category == OVERALL)
    }
}

/// Caveats about prices that are compared.
pub fn price_notes<'a>(
    prices: impl IntoIterator<Item = &'a Price, IntoIter: Clone>,
    today: Date,
) -> Vec<String> {
    let prices = prices.into_iter();
    let mut notes: Vec<String> =
        prices.clone().filter_map(|price| age_note(price, today)).collect();
    let undated: Vec<&str> = prices
        .clone()
        .filter(|price| price.date.is_none())
        .map(|price| price.label.as_str())
        .collect();
    if !undated.is_empty() {
        let have = if undated.len() == 1 { "the price has" } else { "these prices have" };
        notes.push(format!("{}: {have} no date", undated.join(", ")));
    }
    let dates: BTreeSet<Date> = prices.clone().filter_map(|price| price.date).collect();
    if let (Some(first), Some(last)) = (dates.first(), dates.last())
        && days(*first, *last) > APART_DAYS
    {
        notes.push(format!("prices have different dates: {first} and {last}"));
    }
    for (what, field) in [
        ("regions", |price: &Price| price.region.clone()),
        ("commitments", |price: &Price| price.commitment.clone()),
    ] as [(&str, fn(&Price) -> Option<String>); 2]
    {
        let mut found: Vec<String> = Vec::new();
        for price in prices.clone() {
            let of_price = field(price).unwrap_or_else(|| "unknown".to_owned());
            if !found.contains(&of_price) {
                found.push(of_price);
            }
        }
        if found.len() > 1 {
            notes.push(format!("prices are for different {what}: {}", found.join(" and ")));
        }
    }
    notes
}

/// Whether a price is old or of the future.
fn age_note(price: &Price, today: Date) -> Option<String> {
    let label = &price.label;
    let date = price.date?;
    let age = days(date, today);
    if age > OLD_DAYS {
        return Some(format!("{label}: the price is {age} days old ({date})"));
    }
    (date > today).then(|| format!("{label}: the price is dated {date}, in the future"))
}

/// Days from one date to the other.
fn days(from: Date, to: Date) -> i32 {
    (to - from).get_days()
}
