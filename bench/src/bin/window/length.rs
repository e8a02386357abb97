//! Whether a window twice as long counts twice the ops: pairs of windows of one launch next to each other.

use super::{Setting, equals, plus_minus};
use anyhow::Context;
use sizeup::record::Timing;
use sizeup::report::Table;
use sizeup_bench::pairs::{Bounds, interval, pairs};

/// The lengths that are compared with windows twice as long.
const WINDOWS_NS: [u64; 2] = [50_000_000, 100_000_000];
const SETTLE_NS: u64 = 5_000_000;
/// How narrow the ratio is to be known.
const HALF: f64 = 0.01;
/// Pairs go on until it is this narrow: an interval that is stopped by the very width that is asked of it is
/// too narrow by luck too often.
const STOP_HALF: f64 = 0.5 * HALF;
const LEAST_PAIRS: usize = 100;

/// What a window counted, and for how long.
struct Count {
    ops: f64,
    elapsed_ns: f64,
}

pub fn prove(setting: &mut Setting) -> anyhow::Result<()> {
    let mut table = Table::new(&[
        "workload",
        ">window ms",
        ">pairs",
        ">ops, raw",
        ">time",
        ">ops, for twice the time",
        "within ±1 %, holds 2",
    ]);
    for workload in setting.workloads {
        for window_ns in WINDOWS_NS {
            table.row(row(
                setting.workers,
                workload,
                window_ns,
                setting.cpu,
                setting.pairs,
                &mut setting.rng,
            )?);
        }
    }
    println!(
        "Ops of a window twice as long ÷ ops of the short one beside it. A window ends at the end of a batch, \
         so long ops are not cut at twice the time exactly: the last ratio is for time that is. One of 20 intervals leaves 2 out by chance.\n\n{table}"
    );
    Ok(())
}

fn row(
    workers: &sizeup_bench::Workers,
    workload: &str,
    window_ns: u64,
    cpu: u32,
    most: usize,
    rng: &mut rand_chacha::ChaCha8Rng,
) -> anyhow::Result<[String; 7]> {
    let mut launch = workers.launch(workload, &[cpu])?;
    let take = |is_long: bool| {
        let window_ns = if is_long { 2 * window_ns } else { window_ns };
        let timing = Timing { settle_ns: SETTLE_NS, window_ns, rounds_per_launch: 1 };
        let window = launch.measure(&timing).map_err(|e| anyhow::anyhow!("{workload}: {e}"))?;
        let thread = &window.threads[0];
        Ok(Count { ops: thread.ops as f64, elapsed_ns: thread.elapsed_ns as f64 })
    };
    // Ops for exactly twice the time: twice the ratio of the rates.
    let exact = |(short, long): &(Count, Count)| {
        2.0 * (long.ops / long.elapsed_ns) / (short.ops / short.elapsed_ns)
    };
    let taken =
        pairs(rng, Bounds { least: LEAST_PAIRS.min(most), most, half: STOP_HALF }, take, exact)?;
    launch.finish().map_err(|e| anyhow::anyhow!("{workload}: {e}"))?;
    let of =
        |ratio: &dyn Fn(&(Count, Count)) -> f64| interval(&taken, ratio).context("too few pairs");
    let exact = of(&exact)?;
    Ok([
        workload.to_owned(),
        format!("{} : {}", window_ns / 1_000_000, window_ns / 500_000),
        taken.len().to_string(),
        plus_minus(&of(&|(short, long)| long.ops / short.ops)?, 3),
        plus_minus(&of(&|(short, long)| long.elapsed_ns / short.elapsed_ns)?, 3),
        plus_minus(&exact, 4),
        equals(&exact, 2.0, HALF),
    ])
}
