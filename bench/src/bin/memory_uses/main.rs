//! Compares uses of the memory pulse on rows whose samples are known to have had a neighbour on the memory or not.
//! `bench/README.md` says how to run it.

mod rows;
mod uses;

use clap::Parser;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rows::{Pulses, Row, recorded, synthetic};
use stats::{Interval, median};
use std::path::PathBuf;
use terminal::table::Table;
use uses::{USES, Use, estimates};

#[derive(Parser)]
#[command(about = "Compares uses of the memory pulse", version)]
struct Args {
    /// Runs of `sizeup run --squeeze`: their co-runners are the neighbours
    runs: Vec<PathBuf>,
    /// How often each is drawn
    #[arg(long, default_value_t = 40)]
    draws: u64,
}

/// Shares of the time that the neighbour is there.
const SHARES: [f64; 3] = [0.0, 0.3, 0.6];
/// A difference that a comparison should find.
const DIFFERENCE: f64 = 1.05;

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let all = [
        ("synthetic, pulses right", synthetic(12, Pulses::RIGHT)),
        ("synthetic, one pulse in eight wrong", synthetic(12, Pulses::OFTEN_WRONG)),
        ("synthetic, pulses see nothing", synthetic(12, Pulses::BLIND)),
    ];
    for (name, rows) in all {
        report(name, &rows, args.draws);
    }
    for path in &args.runs {
        let run = record::read(path)?;
        let rows = recorded(&run);
        report(&format!("{}, {} rows", run.header.suite, rows.len()), &rows, args.draws);
    }
    Ok(())
}

/// Outcomes of one use over all draws of all rows.
#[derive(Default)]
struct Tally {
    /// Logarithm of the estimate over the truth.
    off: Vec<f64>,
    margins: Vec<f64>,
    covered: usize,
    /// Comparisons with as many quiet samples of the same rows that find a difference, where there is none and where
    /// there is one.
    false_alarms: usize,
    found: usize,
    compared: usize,
}

fn report(name: &str, rows: &[Row], draws: u64) {
    let heads = ["use", ">there", ">bias", ">worst row", ">margin", ">coverage", ">A/A", ">power"];
    let mut table = Table::plain(&heads);
    let truth: Vec<f64> = rows.iter().map(|row| row.truth).collect();
    for share in SHARES {
        for (what, apply) in USES {
            let mut tally = Tally::default();
            let mut of_rows: Vec<Vec<f64>> = vec![Vec::new(); rows.len()];
            for seed in 0..draws {
                draw(rows, share, seed, apply, &truth, (&mut tally, &mut of_rows));
            }
            let percent = |share: f64| format!("{:.1} %", share * 100.0);
            let part = |count: usize, all: usize| percent(count as f64 / all.max(1) as f64);
            let biases = of_rows.iter().filter(|off| !off.is_empty()).map(|off| median(off));
            let worst = biases.max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(f64::NAN);
            table.row([
                what.to_owned(),
                format!("{:.0} %", share * 100.0),
                percent(median(&tally.off)),
                percent(worst),
                format!("±{}", percent(median(&tally.margins))),
                part(tally.covered, tally.off.len()),
                part(tally.false_alarms, tally.compared),
                part(tally.found, tally.compared),
            ]);
        }
    }
    println!("\n{name}, {draws} draws\n{table}");
}

/// Draws a run with the neighbour and one without, and judges both.
fn draw(
    rows: &[Row],
    share: f64,
    seed: u64,
    apply: Use,
    truth: &[f64],
    (tally, of_rows): (&mut Tally, &mut [Vec<f64>]),
) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (odd, even) = rows::drawn(rows, share, &mut rng);
    let (beside, quiet) = (estimates(odd, apply), estimates(even, apply));
    for (row, truth) in truth.iter().enumerate() {
        let Some(estimate) = beside[row] else { continue };
        tally.off.push((estimate.centre / truth).ln());
        of_rows[row].push((estimate.centre / truth).ln());
        tally.margins.push(estimate.margin());
        tally.covered += usize::from(estimate.low <= *truth && *truth <= estimate.high);
        let Some(other) = quiet[row] else { continue };
        let differs = |ratio: Interval| ratio.low > 1.0 || ratio.high < 1.0;
        let ratio = estimate.ratio_to(&other);
        tally.compared += 1;
        tally.false_alarms += usize::from(differs(ratio));
        tally.found += usize::from(ratio.scaled(DIFFERENCE).low > 1.0);
    }
}
