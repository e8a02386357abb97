//! Two groups with their prices.

use super::price::Price;
use crate::compare::{Comparison, Group, Score, Verdict, judged_at};
use catalog::{OVERALL, Unit};
use estimate::ViewKind;
use jiff::civil::Date;
use record::ThreadSpec;
use serde::Serialize;
use stats::Interval;
use std::collections::BTreeSet;

/// Prices older than this, in days, may not be what is asked now.
const OLD_DAYS: i32 = 180;
/// Prices that were looked up this many days apart may be of different times.
const APART_DAYS: i32 = 90;
pub(super) const SECONDS_PER_HOUR: f64 = 3600.0;

/// What the work of two groups costs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cost {
    /// The baseline's price.
    pub baseline: Price,
    /// The other's.
    pub other: Price,
    /// What an hour of one logical CPU costs, where it is known how many the machine has: the baseline's, the other's.
    pub per_cpu: (Option<f64>, Option<f64>),
    /// What must be known of the prices before anything else is believed.
    pub notes: Vec<String>,
    /// Row by row; those without a ratio are not here but in the comparison.
    pub rows: Vec<CostRow>,
    /// Per category and overall.
    pub scores: Vec<CostScore>,
}

/// A row with its price.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CostRow {
    /// The workload, with its variant if there is one.
    pub workload: String,
    /// On how many threads.
    pub threads: ThreadSpec,
    /// What its figures count.
    pub unit: Unit,
    /// Of it for one unit of the currency: the baseline's.
    pub baseline_per_unit: Interval,
    /// The other's.
    pub other_per_unit: Interval,
    /// What follows from the ratio.
    #[serde(flatten)]
    pub stand: Stand,
    /// What can be said of its ops for a unit of the currency, given all other rows.
    pub verdict: Verdict,
}

/// A score with its price.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CostScore {
    /// The category, or `overall`.
    pub category: String,
    /// On how many threads.
    pub threads: ThreadSpec,
    /// Rows that are in it.
    pub rows: usize,
    /// What follows from the score.
    #[serde(flatten)]
    pub stand: Stand,
}

/// How the other stands beside the baseline.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stand {
    /// Its ops/s over the baseline's.
    pub ratio: Interval,
    /// Its ops for a unit of the currency over the baseline's.
    pub price_adjusted: Interval,
    /// Its price an hour below which it does more for a unit of the currency than the baseline.
    pub break_even_per_hour: Interval,
}

impl Stand {
    /// A ratio of ops/s at two prices an hour.
    pub fn of(ratio: Interval, baseline_per_hour: f64, other_per_hour: f64) -> Self {
        Self {
            ratio,
            price_adjusted: ratio.scaled(baseline_per_hour / other_per_hour),
            break_even_per_hour: ratio.scaled(baseline_per_hour),
        }
    }
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
            told(first),
            first.unit(),
            told(other),
            other.unit()
        )),
    }
}

/// Whose price it is, where and for how long: `m8g (us-east-1, spot)`.
fn told(price: &Price) -> String {
    let terms: Vec<&str> =
        [&price.region, &price.commitment].into_iter().flatten().map(String::as_str).collect();
    match &terms[..] {
        [] => price.label.clone(),
        terms => format!("{} ({})", price.label, terms.join(", ")),
    }
}

/// Puts a comparison and its score at prices, as of today.
///
/// # Errors
/// If the prices are in different currencies, or the figures are per GHz.
pub fn cost(
    groups: (&Group, &Group),
    comparison: &Comparison,
    score: &Score,
    (baseline, other): (&Price, &Price),
    today: Date,
) -> Result<Cost, String> {
    check_currencies([baseline, other])?;
    check_view(groups.0.view)?;
    let at_price = judged_at(comparison, baseline.per_hour / other.per_hour);
    let stand = |ratio| Stand::of(ratio, baseline.per_hour, other.per_hour);
    let rows = comparison.rows.iter().zip(at_price).filter_map(|(row, verdict)| {
        let per_unit = |view: Option<estimate::View>, price: &Price| {
            Some(view?.interval.scaled(SECONDS_PER_HOUR / price.per_hour))
        };
        Some(CostRow {
            workload: row.workload.clone(),
            threads: row.threads,
            unit: row.unit.clone(),
            baseline_per_unit: per_unit(row.baseline, baseline)?,
            other_per_unit: per_unit(row.other, other)?,
            stand: stand(row.ratio.as_ref()?.interval),
            verdict,
        })
    });
    let scores = score.lines.iter().filter_map(|line| {
        Some(CostScore {
            category: line.category.clone(),
            threads: line.threads,
            rows: line.rows,
            stand: stand(line.score?),
        })
    });
    let per_cpu = |group: &Group, price: &Price| Some(price.per_cpu(group.cpu_count()?));
    Ok(Cost {
        baseline: baseline.clone(),
        other: other.clone(),
        per_cpu: (per_cpu(groups.0, baseline), per_cpu(groups.1, other)),
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
    let undated: Vec<&str> =
        prices.clone().filter(|price| price.date.is_none()).map(|of| of.label.as_str()).collect();
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
    for (what, of) in [
        ("regions", |price: &Price| price.region.clone()),
        ("commitments", |price: &Price| price.commitment.clone()),
    ] as [(&str, fn(&Price) -> Option<String>); 2]
    {
        let mut told: Vec<String> = Vec::new();
        for price in prices.clone() {
            let of_price = of(price).unwrap_or_else(|| "unknown".to_owned());
            if !told.contains(&of_price) {
                told.push(of_price);
            }
        }
        if told.len() > 1 {
            notes.push(format!("prices are for different {what}: {}", told.join(" and ")));
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
