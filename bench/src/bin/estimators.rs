//! Candidates for the figure that is judged by, compared: how far the same thing measured again differs, on
//! synthetic noise and on recorded runs.

use clap::Parser;
use estimate::{LEAST_OWN_SAMPLES, Look, RunEstimate};
use record::Run;
use sizeup_bench::noise::{Shape, own_samples, rows, run};
use stats::{mean, median, quantile};
use std::path::PathBuf;

/// Compares candidates for the figure that is judged by, on synthetic noise and on repeats of a run
#[derive(Parser)]
struct Arguments {
    /// Run files of one suite on one machine, measured again and again
    recorded: Vec<PathBuf>,
}

/// One sample of one thread.
struct Seen {
    throughput: f64,
    clock_hz: f64,
    width: f64,
}

/// The samples of each case that is no control, and the width that parts the two states with that of the upper
/// one.
struct SeenRun {
    cases: Vec<Vec<Seen>>,
    states: Option<(f64, f64)>,
}

/// Which samples count, given the width that parts the two states and that of the upper one.
type Choice = fn(&Seen, Option<(f64, f64)>) -> bool;
type Centre = fn(&[f64]) -> f64;

const CHOICES: [(&str, Choice); 3] = [
    ("all", |_, _| true),
    ("not shared", |seen, states| states.is_none_or(|(cut, _)| seen.width > cut)),
    ("own", |seen, states| states.is_none_or(|(_, own)| seen.width > 0.93 * own)),
];
const CENTRES: [(&str, Centre); 5] = [
    ("mean", mean),
    ("middle half", |values| mean(&middle(values))),
    ("median", median),
    ("biweight", biweight),
    ("upper quartile", |values| quantile(&sorted(values), 0.75)),
];

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    for (name, shape) in [
        ("synthetic, shared", Shape::SHARED),
        ("synthetic, noisy", Shape::NOISY),
        ("synthetic, quiet", Shape::QUIET),
    ] {
        let truth = rows(12, 1);
        let runs: Vec<Run> = (0..40).map(|seed| run(shape, &truth, 75, seed)).collect();
        let speeds: Vec<f64> = truth.iter().map(|row| row.ops_per_s.ln()).collect();
        table(name, &runs, Some(&speeds));
        let own = |looks_first| {
            mean(
                &(0..100)
                    .map(|seed| own_samples(shape, seed, looks_first) as f64)
                    .collect::<Vec<_>>(),
            )
        };
        println!(
            "samples a minute uncontended: {:.0} one after the other, {:.0} if each waits for its core",
            own(false),
            own(true)
        );
    }
    if !arguments.recorded.is_empty() {
        let runs: Result<Vec<Run>, _> =
            arguments.recorded.iter().map(|path| record::read(path)).collect();
        table("recorded", &runs?, None);
    }
    Ok(())
}

fn table(name: &str, runs: &[Run], truth: Option<&[f64]>) {
    println!("\n{name}, {} runs: spread between runs, median over rows, in %", runs.len());
    println!(
        "{:15}{:16}{:12}{:>8}{:>9}{:>8}",
        "samples", "centre", "clock", "run effect", "row effect", "bias"
    );
    let seen: Vec<SeenRun> = runs.iter().map(seen).collect();
    for (choice, chosen) in CHOICES {
        for (centre, centre_of) in CENTRES {
            for divided in [false, true] {
                let figures: Vec<Vec<f64>> = seen
                    .iter()
                    .map(|run| {
                        let figure =
                            |case: &Vec<Seen>| figure(case, run.states, chosen, centre_of, divided);
                        run.cases.iter().map(figure).collect()
                    })
                    .collect();
                let bias = truth.filter(|_| !divided).map(|truth| bias(&figures, truth));
                println!(
                    "{choice:15}{centre:16}{:12}{:8.2}{:9.2}{}",
                    if divided { "divided" } else { "as it was" },
                    spread(&figures) * 100.0,
                    spread(&row_effects(&figures)) * 100.0,
                    bias.map_or_else(
                        || format!("{:>8}", "–"),
                        |bias| format!("{:8.2}", bias * 100.0)
                    )
                );
            }
        }
    }
}

fn seen(run: &Run) -> SeenRun {
    let estimate = RunEstimate::of(run);
    let seen = |look: &Look| {
        let thread = look.threads[0];
        Seen { throughput: thread.throughput, clock_hz: thread.clock_hz, width: thread.width() }
    };
    let cases = run.header.plan.cases.iter().zip(&estimate.looks);
    let cases = cases.filter(|(case, _)| case.is_row() && case.threads == 1);
    let states = estimate.cores.get(&1).and_then(|cores| cores.states);
    SeenRun {
        cases: cases.map(|(_, looks)| looks.iter().map(seen).collect()).collect(),
        states: states.map(|states| (states.threshold, states.high)),
    }
}

fn figure(
    case: &[Seen],
    states: Option<(f64, f64)>,
    chosen: Choice,
    centre: Centre,
    divided: bool,
) -> f64 {
    let value = |seen: &Seen| seen.throughput / if divided { seen.clock_hz } else { 1.0 };
    let values: Vec<f64> = case.iter().filter(|seen| chosen(seen, states)).map(value).collect();
    if values.len() < LEAST_OWN_SAMPLES { f64::NAN } else { centre(&values).ln() }
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values
}

fn middle(values: &[f64]) -> Vec<f64> {
    let sorted = sorted(values);
    let quarter = sorted.len() / 4;
    sorted[quarter..sorted.len() - quarter].to_vec()
}

/// Tukey's biweight around the median, with the median absolute deviation as scale.
fn biweight(values: &[f64]) -> f64 {
    let mut centre = median(values);
    let off: Vec<f64> = values.iter().map(|value| (value - centre).abs()).collect();
    let scale = 4.685 * 1.4826 * median(&off);
    if scale <= 0.0 {
        return centre;
    }
    for _ in 0..20 {
        let weight = |value: f64| (1.0 - ((value - centre) / scale).powi(2)).max(0.0).powi(2);
        let weights: f64 = values.iter().map(|value| weight(*value)).sum();
        centre = values.iter().map(|value| weight(*value) * value).sum::<f64>() / weights;
    }
    centre
}

/// Each row against its run's geometric mean, of the runs that have all rows.
fn row_effects(figures: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let whole = figures.iter().filter(|run| run.iter().all(|log| log.is_finite()));
    whole.map(|run| run.iter().map(|log| log - mean(run)).collect()).collect()
}

/// Standard deviation between runs, median over rows.
fn spread(figures: &[Vec<f64>]) -> f64 {
    let rows = figures.first().map_or(0, Vec::len);
    let of_row = |row: usize| {
        let series: Vec<f64> =
            figures.iter().map(|run| run[row]).filter(|log| log.is_finite()).collect();
        let centre = mean(&series);
        let squares: f64 = series.iter().map(|log| (log - centre).powi(2)).sum();
        (squares / (series.len() as f64 - 1.0)).sqrt()
    };
    median(&(0..rows).map(of_row).collect::<Vec<_>>())
}

/// How far the mean over runs lies from the truth, median over rows.
fn bias(figures: &[Vec<f64>], truth: &[f64]) -> f64 {
    let of_row = |row: usize| {
        let logs: Vec<f64> =
            figures.iter().map(|run| run[row]).filter(|log| log.is_finite()).collect();
        mean(&logs) - truth[row]
    };
    median(&(0..truth.len()).map(of_row).collect::<Vec<_>>())
}
