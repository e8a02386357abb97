//! Whether a sample twice as long counts twice the ops: pairs of samples of one launch next to each other.

use super::{Setting, equals, plus_minus};
use anyhow::Context;
use estimate::{ClockKernel, Cores, Look};
use record::Timing;
use sizeup_bench::pairs::{Bounds, interval, pairs};
use stats::ratio_interval;
use terminal::table::Table;

/// The lengths that are compared with samples twice as long.
const SAMPLES_NS: [u64; 2] = [50_000_000, 100_000_000];
const WARMUP_NS: u64 = 5_000_000;
/// How narrow the ratio is to be known.
const HALF: f64 = 0.01;
/// Pairs go on until it is this narrow: an interval whose width is the stopping rule is
/// too narrow by luck too often.
const STOP_HALF: f64 = 0.5 * HALF;
const LEAST_PAIRS: usize = 100;

/// Ops and time of a sample, and its pulses.
struct Count {
    ops: f64,
    elapsed_ns: f64,
    look: Look,
}

type Pair = (Count, Count);

pub fn prove(setting: &mut Setting) -> anyhow::Result<()> {
    let mut table = Table::plain(&[
        "workload",
        ">sample ms",
        ">pairs",
        ">ops, raw",
        ">time",
        ">ops for twice the time",
        ">uncontended cores",
        ">ops for twice the time",
        "within ±1 %, holds 2",
    ]);
    let mut all = Vec::new();
    for workload in setting.workloads {
        for sample_ns in SAMPLES_NS {
            let taken = take(setting, workload, sample_ns)?;
            table.row(row(workload, sample_ns, &taken)?);
            all.extend(taken.iter().map(exact));
        }
    }
    let of_all = ratio_interval(&all).context("no pairs")?;
    println!(
        "Ops of a sample twice as long ÷ ops of the adjacent short one. A sample ends at the end of a batch, so \
         long ops are not cut at twice the time exactly: what counts is the ratio for time that is. Strangers on \
         the core make it wide; the verdict is on the pairs in which both samples had their core to themselves. \
         One of 20 intervals leaves 2 out by chance.\n\n{table}\nAll {} pairs: {}, {}.\n",
        all.len(),
        plus_minus(&of_all, 4),
        equals(&of_all, 2.0, HALF)
    );
    Ok(())
}

/// Ops for exactly twice the time: twice the ratio of the rates.
fn exact((short, long): &Pair) -> f64 {
    2.0 * (long.ops / long.elapsed_ns) / (short.ops / short.elapsed_ns)
}

/// The ratios of the pairs in which both samples had their core to themselves, as sizeup judges by their
/// pulses; or of all pairs if it distinguishes no two states.
fn own(taken: &[Pair]) -> Vec<f64> {
    let looks: Vec<Look> =
        taken.iter().flat_map(|(short, long)| [&short.look, &long.look]).cloned().collect();
    let Some(cores) = Cores::of(&[&looks], false) else { return Vec::new() };
    let is_own = |count: &Count| cores.own(&count.look).is_some();
    taken.iter().filter(|(short, long)| is_own(short) && is_own(long)).map(exact).collect()
}

/// Pairs of samples of one launch, of a length and twice that.
fn take(setting: &mut Setting, workload: &str, sample_ns: u64) -> anyhow::Result<Vec<Pair>> {
    let mut launch = setting.workers.launch(workload, &[setting.cpu])?;
    let kernel = ClockKernel::of(&launch.ready);
    let take = |is_long: bool| {
        let sample_ns = if is_long { 2 * sample_ns } else { sample_ns };
        let timing = Timing { warmup_ns: WARMUP_NS, sample_ns, rounds_per_launch: 1 };
        let sample =
            launch.measure(&timing).map_err(|e| anyhow::anyhow!("{workload}: {e}"))?.measured;
        let thread = &sample.threads[0];
        Ok(Count {
            ops: thread.ops as f64,
            elapsed_ns: thread.elapsed_ns as f64,
            look: Look::at(&sample, (0, 0), None, kernel, false),
        })
    };
    let most = setting.pairs;
    let bounds = Bounds { least: LEAST_PAIRS.min(most), most, margin: STOP_HALF };
    let taken = pairs(&mut setting.rng, bounds, take, |taken| ratio_interval(&own(taken)))?;
    launch.finish().map_err(|e| anyhow::anyhow!("{workload}: {e}"))?;
    Ok(taken)
}

fn row(workload: &str, sample_ns: u64, taken: &[Pair]) -> anyhow::Result<[String; 9]> {
    let interval_of =
        |ratio: &dyn Fn(&Pair) -> f64| interval(taken, ratio).context("too few pairs");
    let own = own(taken);
    let of_own = ratio_interval(&own);
    Ok([
        workload.to_owned(),
        format!("{} : {}", sample_ns / 1_000_000, sample_ns / 500_000),
        taken.len().to_string(),
        plus_minus(&interval_of(&|(short, long)| long.ops / short.ops)?, 3),
        plus_minus(&interval_of(&|(short, long)| long.elapsed_ns / short.elapsed_ns)?, 3),
        plus_minus(&interval_of(&exact)?, 4),
        own.len().to_string(),
        of_own.map_or_else(|| "–".to_owned(), |own| plus_minus(&own, 4)),
        of_own.map_or_else(|| "too few to tell".to_owned(), |own| equals(&own, 2.0, HALF)),
    ])
}
