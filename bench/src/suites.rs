//! Machines that were measured suite by suite, a run a suite, on noise of known truth: whether the intervals and verdicts of
//! the runs of a host together keep what they promise.

use crate::noise::{Row, Shape, run, sheet};
use crate::simulated::row_name;
use catalog::{Category, OVERALL};
use estimate::{RunEstimate, ViewKind};
use judge::compare::{Group, Pairs, Verdict, Weightings};
use record::Run;
use stats::{mean, median};

#[cfg(test)]
mod tests;

/// How often 95 % intervals held the truth, and how wide half of them are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kept {
    /// Intervals of rows that one run measured.
    pub once: (f64, f64),
    /// Intervals of rows that both did.
    pub twice: (f64, f64),
    /// Intervals of the score over all rows against another machine of the same speed.
    pub overall: (f64, f64),
    /// Intervals of the scores over the rows of a suite.
    pub categories: (f64, f64),
    /// Share of the comparisons with a machine of the same speed that called a row different.
    pub alarms: f64,
}

/// Outcomes so far: whether the interval held the truth (1 or 0), and its margin.
type Held = Vec<(f64, f64)>;

/// Many machines, each measured in two runs that have so many of the rows in common, compared with the truth and each against
/// the one before.
pub fn kept(shape: Shape, truth: &[Row], common: usize, rounds: u64, machines: u64) -> Kept {
    let margin = truth.len() / 2;
    let suites: [Vec<usize>; 2] =
        [(0..margin + common / 2).collect(), (margin - common.div_ceil(2)..truth.len()).collect()];
    let weightings = Weightings::of(0);
    let (mut once, mut twice) = (Held::new(), Held::new());
    let (mut overall, mut categories) = (Held::new(), Held::new());
    let mut alarms = Vec::new();
    let mut before: Option<Group> = None;
    for machine in 0..machines {
        let runs = suites.iter().enumerate().map(|(number, rows)| {
            let run = suite(shape, truth, (number, rows), rounds, 2 * machine + number as u64);
            sheet(&run, &RunEstimate::of(&run), ViewKind::Uncontended)
        });
        let group = Group::of(machine.to_string(), ViewKind::Uncontended, runs.collect());
        let group = group.expect("two runs");
        for (number, row) in truth.iter().enumerate() {
            let found = group.rows.iter().find(|row| row.key.name == row_name(number));
            let Some(view) = found.and_then(|row| row.view) else { continue };
            let interval = view.interval;
            let holds = interval.low <= row.ops_per_s && row.ops_per_s <= interval.high;
            let is_common = suites.iter().all(|suite| suite.contains(&number));
            let counts = if is_common { &mut twice } else { &mut once };
            counts.push((f64::from(holds), interval.margin()));
        }
        if let Some(before) = &before {
            let pairs = Pairs::of(before, &group, &[]);
            for line in pairs.score(None, &weightings).lines {
                let Some(ratio) = line.score else { continue };
                let counts = if line.category == OVERALL { &mut overall } else { &mut categories };
                counts.push((f64::from(ratio.low <= 1.0 && 1.0 <= ratio.high), ratio.margin()));
            }
            let rows = pairs.comparison().rows;
            let is_called = |verdict: Verdict| matches!(verdict, Verdict::Faster | Verdict::Slower);
            alarms.push(f64::from(rows.iter().any(|row| is_called(row.verdict))));
        }
        before = Some(group);
    }
    let summed_up = |held: Held| {
        let (holds, halves): (Vec<f64>, Vec<f64>) = held.into_iter().unzip();
        (mean(&holds), median(&halves))
    };
    let (once, twice) = (summed_up(once), summed_up(twice));
    Kept {
        once,
        twice,
        overall: summed_up(overall),
        categories: summed_up(categories),
        alarms: mean(&alarms),
    }
}

/// A run of some rows of a machine.
fn suite(
    shape: Shape,
    truth: &[Row],
    (number, rows): (usize, &[usize]),
    rounds: u64,
    seed: u64,
) -> Run {
    let of_suite: Vec<Row> = rows.iter().map(|row| truth[*row]).collect();
    let mut run = run(shape, &of_suite, rounds, seed);
    let header = &mut run.header;
    let definition = header.workloads[&row_name(0)].clone();
    let names: Vec<String> = rows.iter().map(|row| row_name(*row)).collect();
    for (case, name) in header.plan.cases.iter_mut().zip(&names) {
        case.workload.clone_from(name);
    }
    header.workloads = names.iter().map(|name| (name.clone(), definition.clone())).collect();
    header.suite = format!("suite {number}");
    let (name, threads) = ("all".to_owned(), Vec::new());
    header.categories = vec![Category { name, threads, is_flat: false, workloads: names }];
    header.host = Some("the machine".to_owned());
    run
}
