//! Capacity: how many of which machine carry a mix, and which costs least.

use super::figures::{margin, view_in_words};
use crate::briefing::Briefing;
use catalog::Mix;
use estimate::ViewKind;
use judge::capacity::Fleet;
use judge::numbers::{counted, dash, quantity};
use judge::units::figure;
use terminal::table::{Entry, Heading, Table, Tone};

/// Which fleet is cheapest, then each, and what each demand takes of it.
pub fn capacity_briefing(fleets: &[Fleet], mix: &Mix, unit: &str, view: ViewKind) -> Briefing {
    let mut answer = Briefing::default();
    answer.say(sentence(fleets, unit));
    let mut table = Table::new([
        Heading::left("machine").shrinks(),
        Heading::right("machines"),
        Heading::right("95 % CI"),
        Heading::right("load").rank(2),
        Heading::right("±").rank(2),
        Heading::right("together").rank(3),
        Heading::right(format!("{unit}/month")),
        Heading::right("W").rank(1),
        Heading::left("bound by").shrinks().rank(4),
    ]);
    for fleet in fleets {
        let cells: [Entry; 9] = [
            fleet.label.as_str().into(),
            Entry::of(fleet.machines.to_string(), Tone::Strong),
            fleet.machines_range.map_or_else(dash, |(from, to)| format!("{from}–{to}")).into(),
            quantity(fleet.load.centre).into(),
            margin(&fleet.load).into(),
            fleet.together.map_or_else(dash, |together| format!("{:.3}", together.centre)).into(),
            fleet.cost_per_month.map_or_else(dash, quantity).into(),
            fleet.watts.map_or_else(dash, quantity).into(),
            fleet.binds.as_str().into(),
        ];
        table.row(cells);
    }
    answer.table("", table, "machines");
    answer.table("What each demand takes", demands(fleets, view), "demands");
    answer.note(format!(
        "load: number of machines that the mix would keep fully busy; machines: at {:.0} % utilisation, with {}",
        mix.utilisation * 100.0,
        counted(mix.spares as usize, "spare")
    ));
    if fleets.iter().any(|fleet| fleet.together.is_none()) {
        answer.note(
            "Loads are added up; `sizeup run --mix` measures them together (column together)",
        );
    }
    if let Some(fleet) = fleets.first() {
        answer.contention(fleet.contention.as_ref());
    }
    if view != ViewKind::Uncontended {
        answer.note(format!("Figures are {}.", view_in_words(view)));
    }
    answer
}

fn demands(fleets: &[Fleet], view: ViewKind) -> Table {
    let mut demands = Table::new([
        Heading::left("machine").shrinks(),
        Heading::left("workload").shrinks(),
        Heading::right("one machine does"),
        Heading::right("±").rank(1),
        Heading::right("load"),
        Heading::right("share"),
    ]);
    for fleet in fleets {
        for need in &fleet.needs {
            demands.row([
                fleet.label.clone(),
                need.workload.clone(),
                figure(&need.unit, need.capacity.centre, view),
                margin(&need.capacity),
                quantity(need.load.centre),
                format!("{:.0} %", need.share * 100.0),
            ]);
        }
    }
    demands
}

/// `Cheapest: 3 × c7g at 5,400 $/month (2–4 machines)`, or how many of each where there are no prices.
fn sentence(fleets: &[Fleet], unit: &str) -> String {
    let in_words = |fleet: &Fleet| {
        let range = match fleet.machines_range {
            Some((from, to)) if from != to => format!(" (95 % CI {from}–{to})"),
            Some(_) => String::new(),
            None => " (no error bars)".to_owned(),
        };
        let cost = fleet.cost_per_month.map(|cost| format!(", {} {unit}/month", quantity(cost)));
        format!("{} × {}{range}{}", fleet.machines, fleet.label, cost.unwrap_or_default())
    };
    let all = || fleets.iter().map(in_words).collect::<Vec<_>>().join("; ");
    match cheapest(fleets) {
        None => format!("The mix needs {}.", all()),
        Some(Ok(fleet)) => format!("Cheapest: {}.", in_words(fleet)),
        Some(Err(why)) => format!("Cheapest: {why}. {}.", all()),
    }
}

/// The fleet that costs least, if the most that it may cost is below the least of the others; else why there is none.
/// `None` for fewer than two prices.
fn cheapest(fleets: &[Fleet]) -> Option<Result<&Fleet, String>> {
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
        return Some(Err("undetermined, a figure has only one sample".to_owned()));
    };
    let least = ends.iter().map(|(_, most)| *most).fold(f64::INFINITY, f64::min);
    let may: Vec<&Fleet> = priced
        .iter()
        .zip(&ends)
        .filter(|(_, (from, _))| *from <= least)
        .map(|(fleet, _)| *fleet)
        .collect();
    Some(match may[..] {
        [one] => Ok(one),
        _ => {
            let names: Vec<&str> = may.iter().map(|fleet| fleet.label.as_str()).collect();
            Err(format!("can't tell which of {}: their intervals overlap", names.join(", ")))
        }
    })
}
