//! Throughput against threads: who leads from how many threads on, and where a machine stops gaining.

use super::figures::view_in_words;
use super::plot::plot;
use crate::briefing::{Briefing, Extent};
use judge::numbers::{counted, dash, plus_minus};
use judge::scaling::{Curve, Scaling, curve_lines, gains_until, sentence};
use judge::units::figure;
use std::collections::BTreeSet;
use terminal::table::{Heading, Table};

/// So many curves are told in sentences and drawn; more stand in a table.
const MOST_CURVES: usize = 4;
/// So many workloads are drawn or told in sentences.
const MOST_DRAWN: usize = 1;

/// The crossovers of each workload, a picture of a single one; tables for details.
pub fn scaling_briefing(all: &[Scaling], width: usize, extent: Extent) -> Briefing {
    let mut answer = Briefing::default();
    match all {
        [scaling] => one(&mut answer, scaling, width),
        _ => {
            labels(all).iter().take(MOST_CURVES).for_each(|label| answer.say(spread(all, label)));
            answer.table("", overview(all), "workloads");
            answer.next("sizeup scaling … --workload NAME   # draws one");
        }
    }
    for scaling in all.iter().take(if extent.all { usize::MAX } else { MOST_DRAWN }) {
        if extent.details || extent.all {
            answer.table(&scaling.workload, points(scaling), "thread counts");
        }
        for curve in &scaling.curves {
            for line in curve_lines(curve, scaling.view) {
                let start =
                    if all.len() > 1 { format!("{}, ", scaling.workload) } else { String::new() };
                answer.note(format!("{start}{}: {line}", curve.group));
            }
        }
        for against in &scaling.crossovers {
            against
                .allowed
                .iter()
                .for_each(|difference| answer.note(format!("allowed: {difference}")));
        }
    }
    if let Some(first) = all.first() {
        answer.contention(first.contention.as_ref());
        answer.note(format!("Figures are {}.", view_in_words(first.view)));
    }
    answer
}

fn one(answer: &mut Briefing, scaling: &Scaling, width: usize) {
    if scaling.curves.len() > MOST_CURVES {
        return many(answer, scaling);
    }
    for against in &scaling.crossovers {
        answer.say(format!("{}.", sentence(against)));
    }
    for curve in &scaling.curves {
        answer.say(format!("{}.", gain(curve)));
    }
    let title = format!("{} on 1 to n threads", scaling.workload);
    answer.drawing(title, plot(&scaling.curves, scaling.view, width));
}

/// A line per machine, the highest throughput at the most threads first.
fn many(answer: &mut Briefing, scaling: &Scaling) {
    let most = |curve: &Curve| curve.points.last().map_or(0.0, |at| at.throughput.interval.centre);
    let mut curves: Vec<&Curve> = scaling.curves.iter().collect();
    curves.sort_by(|a, b| most(b).total_cmp(&most(a)));
    let mut table = Table::new([
        Heading::left("machine").shrinks(),
        Heading::right("threads"),
        Heading::right("throughput"),
        Heading::right("speed-up"),
        Heading::right("gains up to").rank(1),
        Heading::left("crossover").shrinks().rank(2),
    ]);
    for curve in &curves {
        let last = curve.points.last();
        let against = scaling.crossovers.iter().find(|against| against.other == curve.group);
        table.row([
            curve.group.clone(),
            last.map_or_else(dash, |last| last.threads.to_string()),
            last.map_or_else(dash, |_| figure(&curve.unit, most(curve), scaling.view)),
            last.and_then(|last| Some(format!("{:.1}×", last.speed_up?.centre)))
                .unwrap_or_else(dash),
            gains_until(curve).map_or_else(dash, |(from, to)| match from == to {
                true => to.to_string(),
                false => format!("{from}–{to}"),
            }),
            against.map_or_else(String::new, sentence),
        ]);
    }
    if let Some(first) = curves.first() {
        let threads = first.points.last().map_or(0, |last| last.threads);
        answer.say(format!(
            "{} is fastest at {} of {}: {} on {threads} threads.",
            first.group,
            scaling.workload,
            counted(curves.len(), "machine"),
            figure(&first.unit, most(first), scaling.view)
        ));
    }
    answer.table("", table, "machines");
}

/// `c6i gains up to 32 threads: 18.3× one thread`.
fn gain(curve: &Curve) -> String {
    let label = &curve.group;
    let speed_up = |threads: usize| {
        let point = curve.points.iter().find(|point| point.threads == threads)?;
        Some(format!(": {:.1}× one thread", point.speed_up?.centre))
    };
    let Some(last) = curve.points.last() else { return format!("{label} has no figure") };
    let (from, until) = gains_until(curve).unwrap_or((last.threads, last.threads));
    let how_much = speed_up(until).unwrap_or_default();
    match until < last.threads {
        true if from < until => {
            format!("{label} stops gaining between {from} and {until} threads{how_much}")
        }
        true if curve.core_count == Some(until) => {
            format!("{label} stops gaining at {until} threads, one for each core{how_much}")
        }
        true => format!("{label} stops gaining at {until} threads{how_much}"),
        false => format!("{label} gains up to {until} threads{how_much}"),
    }
}

/// The machines that have a curve.
fn labels(all: &[Scaling]) -> Vec<&str> {
    let mut labels = Vec::new();
    for curve in all.iter().flat_map(|scaling| &scaling.curves) {
        if !labels.contains(&curve.group.as_str()) {
            labels.push(curve.group.as_str());
        }
    }
    labels
}

/// `c6i: speed-up from 18.3× (a/x) to 32.0× (b/x), median 31.2×, of 12 workloads.`
fn spread(all: &[Scaling], label: &str) -> String {
    let speed_up = |scaling: &Scaling| {
        let curve = scaling.curves.iter().find(|curve| curve.group == label)?;
        Some((curve.points.last()?.speed_up?.centre, scaling.workload.clone()))
    };
    let mut found: Vec<(f64, String)> = all.iter().filter_map(speed_up).collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    let [(least, first), .., (most, last)] = &found[..] else {
        return format!("{label}: speed-up unknown: 1 thread was not measured.");
    };
    format!(
        "{label}: speed-up from {least:.1}× ({first}) to {most:.1}× ({last}), median {:.1}×, across {}.",
        found[found.len() / 2].0,
        counted(found.len(), "workload")
    )
}

/// A line a workload.
fn overview(all: &[Scaling]) -> Table {
    let labels = labels(all);
    let mut columns = vec![Heading::left("workload").shrinks()];
    let has_crossovers = all.iter().any(|scaling| !scaling.crossovers.is_empty());
    for (place, label) in labels.iter().enumerate() {
        let rank = u8::try_from(place + 2).unwrap_or(u8::MAX);
        columns.push(Heading::right(*label).shrinks().rank(rank));
        columns.push(Heading::right("threads").rank(rank));
    }
    columns.extend(has_crossovers.then(|| Heading::left("crossover").shrinks()));
    let mut table = Table::new(columns);
    for scaling in all {
        let mut cells = vec![scaling.workload.clone()];
        for label in &labels {
            let curve = scaling.curves.iter().find(|curve| curve.group == *label);
            let last = curve.and_then(|curve| curve.points.last());
            let most = last.and_then(|last| Some(format!("{:.1}×", last.speed_up?.centre)));
            cells.push(most.unwrap_or_else(dash));
            cells.push(last.map_or_else(String::new, |last| last.threads.to_string()));
        }
        let crossovers: Vec<String> = scaling.crossovers.iter().map(sentence).collect();
        cells.extend(has_crossovers.then(|| crossovers.join("; ")));
        table.row(cells);
    }
    table
}

/// A line for each number of threads.
fn points(scaling: &Scaling) -> Table {
    let mut columns = vec![Heading::right("threads")];
    for curve in &scaling.curves {
        let head = |head: &str| Heading::right(head);
        columns.extend([head(&curve.group), head("±"), head("speed-up"), head("efficiency")]);
    }
    let mut table = Table::new(columns);
    let points = scaling.curves.iter().flat_map(|curve| &curve.points);
    let counts: BTreeSet<usize> = points.map(|point| point.threads).collect();
    for threads in counts {
        let cells = scaling.curves.iter().flat_map(|curve| {
            let point = curve.points.iter().find(|point| point.threads == threads);
            let cell = |what: &dyn Fn(&judge::scaling::Point) -> Option<String>| {
                point.and_then(what).unwrap_or_else(dash)
            };
            let throughput = |point: &judge::scaling::Point| point.throughput.interval;
            [
                cell(&|point| Some(figure(&curve.unit, throughput(point).centre, scaling.view))),
                cell(&|point| Some(plus_minus(&throughput(point)))),
                cell(&|point| Some(format!("{:.2}×", point.speed_up?.centre))),
                cell(&|point| Some(format!("{:.0} %", point.efficiency?.centre * 100.0))),
            ]
        });
        table.row([threads.to_string()].into_iter().chain(cells));
    }
    table
}
