//! The tables of watts: what two groups do for theirs, and what one does alone.

use super::comparisons::view_in_words;
use super::cost::price_line;
use catalog::Unit;
use estimate::ViewKind;
use judge::cost::{Alone, EnergyRow, PerWatt};
use judge::numbers::{dash, interval_width, quantity};
use judge::units::{in_unit, unit_in_words};
use std::fmt::Write;
use table::Table;
use terminal::printable;

const PER_WATT: &str = "/W: a second and watt, which is per joule";

/// What two groups do for their watts.
pub fn energy_table((baseline, other): (&str, &str), rows: &[EnergyRow], view: ViewKind) -> String {
    let head = |label: &str, what: &str| format!(">{} {what}", printable(label));
    let heads = [
        "workload".to_owned(),
        ">threads".to_owned(),
        head(baseline, "W"),
        head(other, "W"),
        head(baseline, "/W"),
        head(other, "/W"),
        "unit".to_owned(),
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
            watts(row.baseline.as_ref()),
            watts(row.other.as_ref()),
            per_watt(&row.unit, row.baseline.as_ref()),
            per_watt(&row.unit, row.other.as_ref()),
            format!("{}/W", unit_in_words(&row.unit, view)),
            row.ratio.map_or_else(dash, |ratio| format!("{:.3}", ratio.centre)),
            row.ratio.map_or_else(dash, |ratio| interval_width(&ratio)),
            row.reason.clone().or(source).unwrap_or_default(),
        ]);
    }
    format!("{table}\n{PER_WATT}, {}.\n", view_in_words(view))
}

fn watts(of: Option<&PerWatt>) -> String {
    of.map_or_else(dash, |of| quantity(of.watts.centre))
}

fn per_watt(unit: &Unit, of: Option<&PerWatt>) -> String {
    of.map_or_else(dash, |of| in_unit(unit, of.per_s_per_watt.centre))
}

/// What one group does for its price and its watts.
pub fn alone_table(alone: &Alone, view: ViewKind) -> String {
    let currency = alone.price.as_ref().map(|price| format!(">for 1 {}", price.unit()));
    let mut heads = vec!["workload", ">threads", ">figure", "unit", ">95 %"];
    heads.extend(currency.as_deref());
    heads.extend([">W", ">/W", ">95 %", "watts"]);
    let mut table = Table::new(&heads);
    for row in &alone.rows {
        let energy = row.energy.as_ref();
        let mut cells = vec![
            row.workload.clone(),
            row.threads.to_string(),
            in_unit(&row.unit, row.per_s.centre),
            unit_in_words(&row.unit, view),
            interval_width(&row.per_s),
        ];
        cells.extend(row.per_unit.map(|of| in_unit(&row.unit, of.centre)));
        cells.extend([
            watts(energy),
            per_watt(&row.unit, energy),
            energy.map_or_else(dash, |of| interval_width(&of.per_s_per_watt)),
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
