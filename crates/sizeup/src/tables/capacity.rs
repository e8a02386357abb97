//! The table of fleets.

use super::comparisons::view_in_words;
use catalog::Mix;
use estimate::ViewKind;
use judge::capacity::Fleet;
use judge::numbers::{dash, interval_width, quantity};
use judge::units::{in_unit, unit_in_words};
use std::fmt::Write;
use table::Table;
use terminal::printable;

const TOGETHER: &str = "together: the time that the mix takes when all of it runs at once, by what its parts take alone, \
                        as `sizeup run --mix` measured it; it is in the load. Without it (–) work is taken to add up.\n";

/// What each group needs for a mix; prices are in `unit`.
pub fn fleet_table(fleets: &[Fleet], mix: &Mix, unit: &str, view: ViewKind) -> String {
    let heads = [
        "machine".to_owned(),
        ">machines".to_owned(),
        ">from".to_owned(),
        ">to".to_owned(),
        ">load".to_owned(),
        ">95 %".to_owned(),
        ">together".to_owned(),
        format!(">{unit}/month"),
        ">W".to_owned(),
        "binds".to_owned(),
    ];
    let mut table = Table::new(&heads.iter().map(String::as_str).collect::<Vec<_>>());
    let mut demands =
        Table::new(&["machine", "workload", ">of one", "unit", ">95 %", ">load", ">share"]);
    for fleet in fleets {
        table.row([
            fleet.label.clone(),
            fleet.machines.to_string(),
            fleet.machines_range.map_or_else(dash, |(from, _)| from.to_string()),
            fleet.machines_range.map_or_else(dash, |(_, to)| to.to_string()),
            quantity(fleet.load.centre),
            interval_width(&fleet.load),
            fleet.together.map_or_else(dash, |of| format!("{:.3}", of.centre)),
            fleet.cost_per_month.map_or_else(dash, quantity),
            fleet.watts.map_or_else(dash, quantity),
            fleet.binds.clone(),
        ]);
        for need in &fleet.needs {
            demands.row([
                fleet.label.clone(),
                need.workload.clone(),
                in_unit(&need.unit, need.capacity.centre),
                unit_in_words(&need.unit, view),
                interval_width(&need.capacity),
                quantity(need.load.centre),
                format!("{:.0} %", need.share * 100.0),
            ]);
        }
    }
    let mut text = format!("{table}\n{demands}\n");
    let _ = writeln!(
        text,
        "load: machines' time that the mix takes, wholly used; machines: at {:.0} % of their time, and {} spare.",
        mix.utilisation * 100.0,
        mix.spares
    );
    if let Some(line) = least_to_pay(fleets) {
        let _ = writeln!(text, "cheapest: {}", printable(&line));
    }
    let _ = writeln!(text, "of one: what one machine does, {}.", view_in_words(view));
    text.push_str(TOGETHER);
    text
}

/// Which fleet costs least, if the most that it may cost is below the least of the others; else which may.
fn least_to_pay(fleets: &[Fleet]) -> Option<String> {
    let priced: Vec<&Fleet> = fleets.iter().filter(|f| f.cost_per_month.is_some()).collect();
    let cost = |fleet: &Fleet, machines: fn((u64, u64)) -> u64| {
        let range = fleet.machines_range?;
        Some(fleet.cost_per_month? * machines(range) as f64 / fleet.machines as f64)
    };
    let ends: Option<Vec<(f64, f64)>> =
        priced.iter().map(|fleet| Some((cost(fleet, |r| r.0)?, cost(fleet, |r| r.1)?))).collect();
    if priced.len() < 2 {
        return None;
    }
    let Some(ends) = ends else {
        return Some("undetermined: a figure has only one sample".to_owned());
    };
    let least = ends.iter().map(|(_, most)| *most).fold(f64::INFINITY, f64::min);
    let may: Vec<&str> = priced
        .iter()
        .zip(&ends)
        .filter(|(_, (from, _))| *from <= least)
        .map(|(fleet, _)| fleet.label.as_str())
        .collect();
    Some(match may[..] {
        [one] => one.to_owned(),
        _ => format!("tie within error ({})", may.join(", ")),
    })
}
