//! The tables of scaling: a table a workload, then what the curves amount to.

use judge::numbers::{dash, interval_width};
use judge::scaling::{Curve, Scaling, curve_lines, sentence};
use judge::units::{in_unit, unit_in_words};
use stats::Interval;
use std::collections::BTreeSet;
use std::fmt::Write;
use table::Table;
use terminal::printable;

/// Every workload's curves, and who overtakes whom.
pub fn scaling_table(all: &[Scaling]) -> String {
    all.iter().map(workload).collect::<Vec<_>>().join("\n")
}

fn workload(scaling: &Scaling) -> String {
    let mut heads = vec![">threads".to_owned()];
    for curve in &scaling.curves {
        let label = printable(&curve.group);
        heads.extend([
            format!(">{label} {}", unit_in_words(&curve.unit, scaling.view)),
            ">95 %".to_owned(),
            ">speed-up".to_owned(),
            ">efficiency".to_owned(),
        ]);
    }
    let mut table = Table::new(&heads.iter().map(String::as_str).collect::<Vec<_>>());
    let counts: BTreeSet<usize> =
        scaling.curves.iter().flat_map(|curve| &curve.points).map(|point| point.threads).collect();
    for threads in counts {
        let cells = scaling.curves.iter().flat_map(|curve| cells(curve, threads));
        table.row([threads.to_string()].into_iter().chain(cells));
    }
    let mut text = format!(
        "{}, {}\n\n{table}\n",
        printable(&scaling.workload),
        super::comparisons::view_in_words(scaling.view)
    );
    for curve in &scaling.curves {
        for line in curve_lines(curve, scaling.view) {
            let _ = writeln!(text, "{}", printable(&format!("{}: {line}", curve.group)));
        }
    }
    for against in &scaling.crossovers {
        let _ = writeln!(text, "{}", printable(&sentence(against)));
        for difference in &against.allowed {
            let _ = writeln!(text, "allowed: {}", printable(&difference.to_string()));
        }
    }
    text
}

fn cells(curve: &Curve, threads: usize) -> [String; 4] {
    let point = curve.points.iter().find(|point| point.threads == threads);
    let factor =
        |interval: Option<Interval>| interval.map(|interval| format!("{:.2}", interval.centre));
    let percent = |interval: Interval| format!("{:.0} %", interval.centre * 100.0);
    [
        point.map_or_else(dash, |point| in_unit(&curve.unit, point.throughput.interval.centre)),
        point.map_or_else(dash, |point| interval_width(&point.throughput.interval)),
        point.and_then(|point| factor(point.speed_up)).unwrap_or_else(dash),
        point.and_then(|point| point.efficiency.map(percent)).unwrap_or_else(dash),
    ]
}
