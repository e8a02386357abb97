//! Capacity: how many of which machine carry a mix, and which costs least.

use super::figures::{margin, view_in_words};
use crate::briefing::Briefing;
use catalog::Mix;
use estimate::ViewKind;
use judge::capacity::MachinesNeeded;
use judge::numbers::{counted, dash, four_digits};
use judge::units::figure;
use terminal::table::{Entry, Heading, Table, Tone};

/// Which machines are cheapest, then those of each group, and what each demand takes of them.
pub fn capacity_briefing(
    needed: &[MachinesNeeded],
    mix: &Mix,
    unit: &str,
    view: ViewKind,
) -> Briefing {
    let mut answer = Briefing::default();
    answer.say(sentence(needed, unit));
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
    for group in needed {
        let cells: [Entry; 9] = [
            group.label.as_str().into(),
            Entry::of(group.machines.to_string(), Tone::Strong),
            group.machines_range.map_or_else(dash, |(from, to)| format!("{from}–{to}")).into(),
            four_digits(group.load.centre).into(),
            margin(&group.load).into(),
            group.together.map_or_else(dash, |together| format!("{:.3}", together.centre)).into(),
            group.cost_per_month.map_or_else(dash, four_digits).into(),
            group.watts.map_or_else(dash, four_digits).into(),
            group.binds.as_str().into(),
        ];
        table.row(cells);
    }
    answer.table("", table, "machines");
    answer.table("What each demand takes", demands(needed, view), "demands");
    answer.note(format!(
        "load: number of machines that the mix would keep fully busy; machines: at {:.0} % utilisation, with {}",
        mix.utilisation * 100.0,
        counted(mix.spares as usize, "spare")
    ));
    if needed.iter().any(|group| group.together.is_none()) {
        answer.note(
            "Loads are added up; `sizeup run --mix` measures them together (column together)",
        );
    }
    if let Some(group) = needed.first() {
        answer.contention(group.contention.as_ref());
    }
    if view != ViewKind::Uncontended {
        answer.note(format!("Figures are {}.", view_in_words(view)));
    }
    answer
}

fn demands(needed: &[MachinesNeeded], view: ViewKind) -> Table {
    let mut demands = Table::new([
        Heading::left("machine").shrinks(),
        Heading::left("workload").shrinks(),
        Heading::right("one machine does"),
        Heading::right("±").rank(1),
        Heading::right("load"),
        Heading::right("share"),
    ]);
    for group in needed {
        for need in &group.needs {
            demands.row([
                group.label.clone(),
                need.workload.clone(),
                figure(&need.unit, need.capacity.centre, view),
                margin(&need.capacity),
                four_digits(need.load.centre),
                format!("{:.0} %", need.share * 100.0),
            ]);
        }
    }
    demands
}

/// `Cheapest: 3 × c7g at 5,400 $/month (2–4 machines)`, or how many of each where there are no prices.
fn sentence(needed: &[MachinesNeeded], unit: &str) -> String {
    let in_words = |group: &MachinesNeeded| {
        let range = match group.machines_range {
            Some((from, to)) if from != to => format!(" (95 % CI {from}–{to})"),
            Some(_) => String::new(),
            None => " (no error bars)".to_owned(),
        };
        let cost = group.cost_per_month.map(|cost| format!(", {} {unit}/month", four_digits(cost)));
        format!("{} × {}{range}{}", group.machines, group.label, cost.unwrap_or_default())
    };
    let all = || needed.iter().map(in_words).collect::<Vec<_>>().join("; ");
    match cheapest(needed) {
        None => format!("The mix needs {}.", all()),
        Some(Ok(group)) => format!("Cheapest: {}.", in_words(group)),
        Some(Err(why)) => format!("Cheapest: {why}. {}.", all()),
    }
}

/// The machines that cost least, if the most that they may cost is below the least of the others; else why there is none.
/// `None` for fewer than two prices.
fn cheapest(needed: &[MachinesNeeded]) -> Option<Result<&MachinesNeeded, String>> {
    let priced: Vec<&MachinesNeeded> =
        needed.iter().filter(|f| f.cost_per_month.is_some()).collect();
    let cost = |group: &MachinesNeeded, machines: fn((u64, u64)) -> u64| {
        let range = group.machines_range?;
        Some(group.cost_per_month? * machines(range) as f64 / group.machines as f64)
    };
    let ends: Option<Vec<(f64, f64)>> =
        priced.iter().map(|group| Some((cost(group, |r| r.0)?, cost(group, |r| r.1)?))).collect();
    if priced.len() < 2 {
        return None;
    }
    let Some(ends) = ends else {
        return Some(Err("undetermined, a figure has only one sample".to_owned()));
    };
    let least = ends.iter().map(|(_, most)| *most).fold(f64::INFINITY, f64::min);
    let may: Vec<&MachinesNeeded> = priced
        .iter()
        .zip(&ends)
        .filter(|(_, (from, _))| *from <= least)
        .map(|(group, _)| *group)
        .collect();
    Some(match may[..] {
        [one] => Ok(one),
        _ => {
            let names: Vec<&str> = may.iter().map(|group| group.label.as_str()).collect();
            Err(format!("can't tell which of {}: their intervals overlap", names.join(", ")))
        }
    })
}
