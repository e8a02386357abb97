//! The table of fleets.

use super::numbers::{dash, interval_width, quantity};
use super::printable;
use super::table::Table;
use crate::capacity::Fleet;
use crate::catalog::Mix;
use std::fmt::Write;

const TOGETHER: &str = "together: the time that the mix takes when all of it runs at once, by what its parts take alone, \
                        as `sizeup run --mix` measured it; it is in the load. Without it (–) work is taken to add up.\n";

/// What each group needs for a mix; prices are in `unit`.
pub fn fleet_table(fleets: &[Fleet], mix: &Mix, unit: &str) -> String {
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
        Table::new(&["machine", "workload", ">ops/s of one", ">95 %", ">load", ">share"]);
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
                quantity(need.capacity.centre),
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
    if let Some(cheapest) = fleets
        .iter()
        .filter(|fleet| fleet.cost_per_month.is_some())
        .min_by(|a, b| {
            a.cost_per_month.unwrap_or(f64::MAX).total_cmp(&b.cost_per_month.unwrap_or(f64::MAX))
        })
        .filter(|_| fleets.len() > 1)
    {
        let _ = writeln!(text, "least to pay: {}", printable(&cheapest.label));
    }
    text.push_str(TOGETHER);
    text
}
