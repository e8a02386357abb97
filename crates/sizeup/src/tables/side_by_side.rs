//! Commitments side by side: what each costs, and what work it gives for the money.

use super::figures::{margin, ratio_cell};
use crate::briefing::Briefing;
use judge::cost::CommitmentPrice;
use judge::numbers::{dash, four_digits};
use terminal::table::{Columns, Heading};

/// Adds a line for each commitment of each machine, unless there is but one of each and nothing more to tell. The baseline is
/// in each comparison, and is said once.
pub fn say_side_by_side<'a>(
    answer: &mut Briefing,
    commitments: impl IntoIterator<Item = &'a CommitmentPrice>,
) {
    let mut all: Vec<&CommitmentPrice> = Vec::new();
    for commitment in commitments {
        if !all.contains(&commitment) {
            all.push(commitment);
        }
    }
    let mut labels: Vec<&str> =
        all.iter().map(|commitment| commitment.price.label.as_str()).collect();
    labels.dedup();
    let is_more =
        labels.len() < all.len() || all.iter().any(|commitment| commitment.per_gib.is_some());
    let Some(first) = all.first().copied().filter(|_| is_more) else { return };
    let unit = first.price.currency_name();
    let some = |value: Option<f64>| value.map_or_else(dash, four_digits);
    let table = Columns::<&CommitmentPrice>::new()
        .with(Heading::left("machine").shrinks(), |commitment| commitment.price.label.clone())
        .with(Heading::left("commitment"), |commitment| {
            commitment.price.commitment.clone().unwrap_or_else(|| "unknown".to_owned())
        })
        .with(Heading::right(format!("{unit}/h")), |commitment| {
            four_digits(commitment.price.per_hour)
        })
        .with(Heading::right("per vCPU").rank(2), |commitment| some(commitment.per_vcpu))
        .with(Heading::right("per core").rank(2), |commitment| some(commitment.per_core))
        .with(Heading::right("per GiB").rank(3), |commitment| some(commitment.per_gib))
        .with(Heading::right(format!("work per {unit}")), |commitment| {
            commitment.price_adjusted.as_ref().map_or_else(|| dash().into(), ratio_cell)
        })
        .with(Heading::right("±").rank(1), |commitment| {
            let inexact =
                commitment.price_adjusted.as_ref().filter(|adjusted| adjusted.margin() > 0.0);
            inexact.map(margin).unwrap_or_default()
        })
        .with(Heading::right(format!("break-even {unit}/h")), |commitment| {
            some(commitment.break_even_per_hour.map(|even| even.centre))
        })
        .table(all);
    let title = match first.price_adjusted {
        Some(_) => format!(
            "By commitment, work per {unit} against {} ({})",
            first.price.label,
            first.price.commitment.as_deref().unwrap_or("its price")
        ),
        None => "By commitment".to_owned(),
    };
    answer.table(title, table, "commitments");
}
