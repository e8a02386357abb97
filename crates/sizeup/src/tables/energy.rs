//! Watts: what two groups do for theirs, and what one does alone.

use super::cost::{figure_or_dash, price_line};
use super::figures::{margin, ratio_cell, view_in_words};
use crate::briefing::Briefing;
use catalog::Unit;
use estimate::ViewKind;
use judge::answer::{Order, how_much, range, times};
use judge::cost::{Alone, EnergyRow, PerWatt};
use judge::numbers::{counted, dash, quantity};
use judge::units::figure;
use stats::Interval;
use table::{Entry, Heading, Table};

const PER_WATT: &str = "Work per watt is ops/s (MiB/s) over watts, which is work per joule";

/// Adds what two groups do for their watts.
pub fn say_energy(
    answer: &mut Briefing,
    (baseline, other): (&str, &str),
    rows: &[EnergyRow],
    view: ViewKind,
) {
    let ratios: Vec<&Interval> = rows.iter().filter_map(|row| row.ratio.as_ref()).collect();
    match ratios[..] {
        [] => answer.note(format!("No row has watts of both {other} and {baseline}.")),
        [ratio] => answer.say(sentence(baseline, other, ratio, &rows[0])),
        _ => {
            let ahead = ratios.iter().filter(|of| of.centre > 1.0).count();
            let mean = ratios.iter().map(|of| of.centre.ln()).sum::<f64>() / ratios.len() as f64;
            answer.say(format!(
                "Per watt {other} does {:.2}× the work of {baseline} (geometric mean of {}; ahead in {ahead}).",
                mean.exp(),
                counted(ratios.len(), "row")
            ));
        }
    }
    let has_net = rows.iter().any(|row| row.net_ratio.is_some());
    let mut columns = vec![
        Heading::left("workload").shrinks(),
        Heading::right("threads"),
        Heading::right(format!("{baseline} W")).shrinks().rank(2),
        Heading::right(format!("{other} W")).shrinks().rank(2),
        Heading::right(format!("{baseline} per W")).shrinks().rank(1),
        Heading::right(format!("{other} per W")).shrinks().rank(1),
        Heading::right("work per W"),
        Heading::right("±"),
        Heading::left("watts from").shrinks().rank(3),
    ];
    columns.extend(has_net.then(|| Heading::right("above idle").rank(4)));
    let mut table = Table::new(columns);
    for row in rows {
        let source = row.baseline.as_ref().or(row.other.as_ref()).map(|of| of.source.to_string());
        let per_watt = |of: Option<&PerWatt>| {
            figure_or_dash(&row.unit, of.map(|of| of.per_s_per_watt.centre), view)
        };
        let mut cells: Vec<Entry> = vec![
            row.workload.as_str().into(),
            row.threads.to_string().into(),
            watts(row.baseline.as_ref()).into(),
            watts(row.other.as_ref()).into(),
            per_watt(row.baseline.as_ref()).into(),
            per_watt(row.other.as_ref()).into(),
            row.ratio.map_or_else(|| dash().into(), |ratio| ratio_cell(&ratio)),
            row.ratio.map_or_else(String::new, |ratio| margin(&ratio)).into(),
            row.reason.clone().or(source).unwrap_or_default().into(),
        ];
        let net = || row.net_ratio.map_or_else(dash, |ratio| times(ratio.centre)).into();
        cells.extend(has_net.then(net));
        table.row(cells);
    }
    answer.table("Per watt", table, "rows");
    answer.note(format!("{PER_WATT}; figures are {}.", view_in_words(view)));
}

fn sentence(baseline: &str, other: &str, ratio: &Interval, row: &EnergyRow) -> String {
    let on = format!("on {}, {}", row.workload, row.threads.in_words());
    match Order::of(ratio) {
        Order::Tied => {
            format!("Per watt {other} and {baseline} tie within error {on} ({}).", range(ratio))
        }
        _ => {
            let how = how_much(ratio.centre)
                .replace("faster", "more work")
                .replace("slower", "less work");
            format!("Per watt {other} does {how} than {baseline} {on} ({}).", range(ratio))
        }
    }
}

/// What a row does for each watt above idle.
fn net(unit: &Unit, of: Option<&PerWatt>, view: ViewKind) -> String {
    let per_s = of.and_then(|of| of.net_per_s_per_watt);
    figure_or_dash(unit, per_s.map(|of| of.centre), view)
}

fn watts(of: Option<&PerWatt>) -> String {
    of.map_or_else(dash, |of| quantity(of.watts.centre))
}

/// What one group does for its price and its watts.
pub fn alone_briefing(alone: &Alone, view: ViewKind) -> Briefing {
    let mut answer = Briefing::default();
    let with_watts = alone.rows.iter().filter(|row| row.energy.is_some()).count();
    let priced =
        alone.price.as_ref().map(|price| format!("{} {}/h", price.per_hour, price.currency_name()));
    let parts =
        [priced, (with_watts > 0).then(|| format!("watts of {}", counted(with_watts, "row")))];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    answer.say(format!(
        "{}: {} at {}.",
        alone.label,
        counted(alone.rows.len(), "row"),
        parts.join(", ")
    ));
    let unit = alone.price.as_ref().map_or("$", |price| price.currency_name());
    let mut columns = vec![
        Heading::left("workload").shrinks(),
        Heading::right("threads"),
        Heading::right("throughput"),
        Heading::right("±").rank(1),
    ];
    columns.extend(alone.price.is_some().then(|| Heading::right(format!("for 1 {unit}"))));
    if with_watts > 0 {
        columns.extend([
            Heading::right("W"),
            Heading::right("per W"),
            Heading::right("±").rank(2),
            Heading::left("watts from").shrinks().rank(3),
        ]);
    }
    let has_idle =
        alone.rows.iter().filter_map(|row| row.energy.as_ref()).any(|of| of.idle.is_some());
    if has_idle {
        columns.extend(["idle W", "per W above idle"].map(|head| Heading::right(head).rank(4)));
    }
    let mut table = Table::new(columns);
    for row in &alone.rows {
        let energy = row.energy.as_ref();
        let mut cells = vec![
            row.workload.clone(),
            row.threads.to_string(),
            figure(&row.unit, row.per_s.centre, view),
            margin(&row.per_s),
        ];
        cells.extend(alone.price.is_some().then(|| {
            let per_s = figure_or_dash(&row.unit, row.per_currency_unit.map(|of| of.centre), view);
            per_s.strip_suffix("/s").unwrap_or(&per_s).to_owned()
        }));
        if with_watts > 0 {
            cells.extend([
                watts(energy),
                figure_or_dash(&row.unit, energy.map(|of| of.per_s_per_watt.centre), view),
                energy.map_or_else(String::new, |of| margin(&of.per_s_per_watt)),
                energy.map_or_else(dash, |of| of.source.to_string()),
            ]);
        }
        if has_idle {
            cells.extend([
                energy.and_then(|of| of.idle).map_or_else(dash, |idle| quantity(idle.centre)),
                net(&row.unit, energy, view),
            ]);
        }
        table.row(cells);
    }
    answer.table("", table, "rows");
    answer.contention(alone.contention.as_ref());
    alone.price.iter().for_each(|price| answer.note(price_line(price, None)));
    alone.notes.iter().for_each(|note| answer.note(note.as_str()));
    answer.note(format!("{PER_WATT}; figures are {}.", view_in_words(view)));
    answer
}
