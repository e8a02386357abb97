//! The tables of watts: what two groups do for theirs, and what one does alone.

use super::comparisons::view_in_words;
use super::cost::price_line;
use super::numbers::{dash, interval_width, quantity};
use super::printable;
use super::table::Table;
use crate::cost::{Alone, EnergyRow, PerWatt};
use crate::estimate::ViewKind;
use crate::stats::Interval;
use std::fmt::Write;

const PER_WATT: &str = "ops/s/W: ops/s per watt, which is operations per joule";

/// What two groups do for their watts.
pub fn energy_table((baseline, other): (&str, &str), rows: &[EnergyRow], view: ViewKind) -> String {
    let head = |label: &str, what: &str| format!(">{} {what}", printable(label));
    let heads = [
        "workload".to_owned(),
        ">threads".to_owned(),
        head(baseline, "W"),
        head(other, "W"),
        head(baseline, "ops/s/W"),
        head(other, "ops/s/W"),
        ">ratio".to_owned(),
        ">95 %".to_owned(),
        "watts".to_owned(),
    ];
    let mut table = Table::new(&heads.iter().map(String::as_str).collect::<Vec<_>>());
    for row in rows {
        let source = row.baseline.as_ref().or(row.other.as_ref()).map(|of| of.source.to_string());
        table.row([
            row.workload.clone(),
            row.threads.to_string(),
            centre(row.baseline.as_ref(), |of| of.watts),
            centre(row.other.as_ref(), |of| of.watts),
            centre(row.baseline.as_ref(), |of| of.ops_per_s_per_watt),
            centre(row.other.as_ref(), |of| of.ops_per_s_per_watt),
            row.ratio.map_or_else(dash, |ratio| format!("{:.3}", ratio.centre)),
            row.ratio.map_or_else(dash, |ratio| interval_width(&ratio)),
            row.reason.clone().or(source).unwrap_or_default(),
        ]);
    }
    format!("{table}\n{PER_WATT}, {}.\n", view_in_words(view))
}

fn centre(of: Option<&PerWatt>, what: impl Fn(&PerWatt) -> Interval) -> String {
    of.map_or_else(dash, |of| quantity(what(of).centre))
}

/// What one group does for its price and its watts.
pub fn alone_table(alone: &Alone, view: ViewKind) -> String {
    let unit = alone.price.as_ref().map(|price| format!(">ops/{}", price.unit()));
    let mut heads = vec!["workload", ">threads", ">ops/s", ">95 %"];
    heads.extend(unit.as_deref());
    heads.extend([">W", ">ops/s/W", ">95 %", "watts"]);
    let mut table = Table::new(&heads);
    for row in &alone.rows {
        let energy = row.energy.as_ref();
        let mut cells = vec![
            row.workload.clone(),
            row.threads.to_string(),
            quantity(row.ops_per_s.centre),
            interval_width(&row.ops_per_s),
        ];
        cells.extend(row.per_unit.map(|of| quantity(of.centre)));
        cells.extend([
            centre(energy, |of| of.watts),
            centre(energy, |of| of.ops_per_s_per_watt),
            energy.map_or_else(dash, |of| interval_width(&of.ops_per_s_per_watt)),
            energy.map_or_else(dash, |of| of.source.to_string()),
        ]);
        table.row(cells);
    }
    let mut text = format!("{table}\n");
    if let Some(price) = &alone.price {
        let _ = writeln!(text, "{}", printable(&price_line(price, None)));
    }
    let _ = writeln!(text, "{}: {PER_WATT}, {}.", printable(&alone.label), view_in_words(view));
    for note in &alone.notes {
        let _ = writeln!(text, "note: {}", printable(note));
    }
    text
}
