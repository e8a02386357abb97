//! Commitments side by side: what each costs, and what work it gives for the money.

use super::figures::{margin, ratio_cell};
use crate::briefing::Briefing;
use judge::cost::CommitmentPrice;
use judge::numbers::{dash, quantity};
use table::{Entry, Heading, Table};

/// Adds a line for each commitment of each machine, unless there is but one of each and nothing more to tell. The baseline is
/// in each comparison, and is said once.
pub fn say_side_by_side<'a>(
    answer: &mut Briefing,
    commitments: impl IntoIterator<Item = &'a CommitmentPrice>,
) {
    let mut all: Vec<&CommitmentPrice> = Vec::new();
    for of in commitments {
        if !all.contains(&of) {
            all.push(of);
        }
    }
    let mut labels: Vec<&str> = all.iter().map(|of| of.price.label.as_str()).collect();
    labels.dedup();
    let is_more = labels.len() < all.len() || all.iter().any(|of| of.per_gib.is_some());
    let Some(first) = all.first().copied().filter(|_| is_more) else { return };
    let unit = first.price.currency_name();
    let mut table = Table::new([
        Heading::left("machine").shrinks(),
        Heading::left("commitment"),
        Heading::right(format!("{unit}/h")),
        Heading::right("per vCPU").rank(2),
        Heading::right("per core").rank(2),
        Heading::right("per GiB").rank(3),
        Heading::right(format!("work per {unit}")),
        Heading::right("±").rank(1),
        Heading::right(format!("break-even {unit}/h")),
    ]);
    let some = |value: Option<f64>| value.map_or_else(dash, quantity);
    for of in all {
        let work: Entry = of.price_adjusted.as_ref().map_or_else(|| dash().into(), ratio_cell);
        table.row([
            of.price.label.as_str().into(),
            of.price.commitment.as_deref().unwrap_or("unknown").into(),
            quantity(of.price.per_hour).into(),
            some(of.per_vcpu).into(),
            some(of.per_core).into(),
            some(of.per_gib).into(),
            work,
            of.price_adjusted
                .as_ref()
                .filter(|of| of.margin() > 0.0)
                .map(margin)
                .unwrap_or_default()
                .into(),
            some(of.break_even_per_hour.map(|even| even.centre)).into(),
        ]);
    }
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
