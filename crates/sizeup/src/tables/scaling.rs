//! Throughput against threads: who leads from how many threads on, and where a machine stops gaining.

use super::figures::view_in_words;
use super::plot::plot;
use crate::answer::{Answer, Extent};
use judge::numbers::{counted, dash, interval_width};
use judge::scaling::{Curve, Scaling, curve_lines, gains_until, sentence};
use judge::units::figure;
use std::collections::BTreeSet;
use table::{Column, Table};

/// So many workloads are drawn or told in sentences.
const MOST_DRAWN: usize = 1;

/// The crossovers of each workload, a picture of a single one; tables for details.
pub fn scaling_answer(all: &[Scaling], width: usize, extent: Extent) -> Answer {
    let mut answer = Answer::default();
    match all {
        [scaling] => one(&mut answer, scaling, width),
        _ => {
            answer.say(format!("{} scale as follows.", counted(all.len(), "workload")));
            answer.table("", overview(all), "workloads");
            answer.next("sizeup scaling … --workload NAME draws one");
        }
    }
    for scaling in all.iter().take(if extent.all { usize::MAX } else { MOST_DRAWN }) {
        if extent.details || extent.all {
            answer.table(&scaling.workload, points(scaling), "thread counts");
        }
        for curve in &scaling.curves {
            for line in curve_lines(curve, scaling.view) {
                let of =
                    if all.len() > 1 { format!("{}, ", scaling.workload) } else { String::new() };
                answer.note(format!("{of}{}: {line}", curve.group));
            }
        }
        for against in &scaling.crossovers {
            against.allowed.iter().for_each(|of| answer.note(format!("allowed: {of}")));
        }
    }
    if let Some(first) = all.first() {
        answer.contention(first.contention.as_ref());
        answer.note(format!("Figures are {}.", view_in_words(first.view)));
    }
    answer
}

fn one(answer: &mut Answer, scaling: &Scaling, width: usize) {
    for against in &scaling.crossovers {
        answer.say(format!("{}.", sentence(against)));
    }
    for curve in &scaling.curves {
        answer.say(format!("{}.", gain(curve)));
    }
    let title = format!("{} on 1 to n threads", scaling.workload);
    answer.drawing(title, plot(&scaling.curves, scaling.view, width));
}

/// `c6i gains up to 32 threads: 18.3× one thread`.
fn gain(curve: &Curve) -> String {
    let label = &curve.group;
    let speed_up = |threads: usize| {
        let point = curve.points.iter().find(|point| point.threads == threads)?;
        Some(format!(": {:.1}× one thread", point.speed_up?.centre))
    };
    let Some(last) = curve.points.last() else { return format!("{label} has no figure") };
    let until = gains_until(curve).unwrap_or(last.threads);
    let how_much = speed_up(until).unwrap_or_default();
    match until < last.threads {
        true => format!("{label} stops gaining at {until} threads{how_much}"),
        false => format!("{label} gains up to {until} threads{how_much}"),
    }
}

/// A line a workload.
fn overview(all: &[Scaling]) -> Table {
    let labels: Vec<&str> = {
        let mut labels = Vec::new();
        for curve in all.iter().flat_map(|scaling| &scaling.curves) {
            if !labels.contains(&curve.group.as_str()) {
                labels.push(curve.group.as_str());
            }
        }
        labels
    };
    let mut columns = vec![Column::left("workload").shrinks()];
    let has_crossovers = all.iter().any(|scaling| !scaling.crossovers.is_empty());
    for (place, label) in labels.iter().enumerate() {
        let rank = u8::try_from(place + 2).unwrap_or(u8::MAX);
        columns.push(Column::right(label).shrinks().rank(rank));
        columns.push(Column::right("threads").rank(rank));
    }
    columns.extend(has_crossovers.then(|| Column::left("crossover").shrinks()));
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
    let mut columns = vec![Column::right("threads")];
    for curve in &scaling.curves {
        let head = |head: &str| Column::right(head);
        columns.extend([head(&curve.group), head("±"), head("speed-up"), head("efficiency")]);
    }
    let mut table = Table::new(columns);
    let points = scaling.curves.iter().flat_map(|curve| &curve.points);
    let counts: BTreeSet<usize> = points.map(|point| point.threads).collect();
    for threads in counts {
        let cells = scaling.curves.iter().flat_map(|curve| {
            let point = curve.points.iter().find(|point| point.threads == threads);
            let of = |what: &dyn Fn(&judge::scaling::Point) -> Option<String>| {
                point.and_then(what).unwrap_or_else(dash)
            };
            let throughput = |point: &judge::scaling::Point| point.throughput.interval;
            [
                of(&|point| Some(figure(&curve.unit, throughput(point).centre, scaling.view))),
                of(&|point| Some(interval_width(&throughput(point)))),
                of(&|point| Some(format!("{:.2}×", point.speed_up?.centre))),
                of(&|point| Some(format!("{:.0} %", point.efficiency?.centre * 100.0))),
            ]
        });
        table.row([threads.to_string()].into_iter().chain(cells));
    }
    table
}
