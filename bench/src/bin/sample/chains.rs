//! Cost of the chains inside samples: their time, and their effect on the core's caches and predictors.

use super::works::{CountUp, Tally};
use super::{Setting, at_most};
use anyhow::Context;
use sizeup_bench::pairs::{Bounds, pairs};
use sizeup_kit::Work;
use sizeup_kit::proof::{self, Manner};
use stats::{Interval, clustered_median, median};
use terminal::table::Table;

/// Limit for chains, as a share of a sample.
const MOST_SHARE: f64 = 0.001;
/// Pairs go on until the ratio of samples with and without chains is known so well.
const HALF: f64 = 0.000_5;
const WARMUP_NS: u64 = 5_000_000;
const SAMPLE_NS: u64 = 50_000_000;

/// Samples with less of their CPU than this tell nothing: chains come by the clock, and not by CPU time.
const LEAST_CPU_SHARE: f64 = 0.98;

/// A sample.
struct Count {
    /// Ops per ns of CPU time that was not taken by the chain at its end.
    rate: f64,
    /// Share of its time that its other chains took.
    share: f64,
    /// How much of its CPU it had.
    cpu_share: f64,
}

pub fn prove(setting: &mut Setting) -> anyhow::Result<()> {
    proof::pin(setting.cpu)?;
    let mut table = Table::plain(&[
        "op",
        ">pairs",
        ">undisturbed",
        ">chains' time %",
        ">rate with ÷ without",
        ">costs at most %",
        "at most 0.1 %",
    ]);
    let works: [(&str, Box<dyn Work>); 2] =
        [("empty", Box::new(CountUp::default())), ("tally of 24 KiB", Box::new(Tally::new()))];
    for (name, mut work) in works {
        let (_, batch_ops) = proof::batch(work.as_mut())?;
        let bounds = Bounds { least: 100, most: 10 * setting.pairs, margin: HALF };
        let take = |has_chains: bool| take(work.as_mut(), batch_ops, has_chains);
        let taken = pairs(&mut setting.rng, bounds, take, ratio)?;
        let ratio = ratio(&taken).context("too few pairs")?;
        let shares: Vec<f64> = undisturbed(&taken).map(|(_, with)| with.share).collect();
        table.row([
            name.to_owned(),
            taken.len().to_string(),
            shares.len().to_string(),
            format!("{:.4}", median(&shares) * 100.0),
            format!("{:.5} ({:.5} to {:.5})", ratio.centre, ratio.low, ratio.high),
            format!("{:.3}", (1.0 / ratio.low - 1.0) * 100.0),
            at_most(1.0 / ratio.high - 1.0, 1.0 / ratio.low - 1.0, MOST_SHARE),
        ]);
    }
    println!("What a sample counts with chains in it, and without:\n\n{table}");
    Ok(())
}

fn take(work: &mut dyn Work, batch_ops: u64, has_chains: bool) -> anyhow::Result<Count> {
    let (warmup_ns, sample_ns, has_pulses) = (WARMUP_NS, SAMPLE_NS, false);
    let manner = Manner { warmup_ns, sample_ns, batch_ops, has_pulses, has_chains };
    let count = proof::sample(work, manner)?;
    let (end_ns, inside) =
        count.chains_ns.split_last().map_or((0, &[][..]), |(ns, chains)| (*ns, chains));
    let cpu_ns = count.cpu_ns.saturating_sub(end_ns) as f64;
    Ok(Count {
        rate: count.ops as f64 / cpu_ns,
        share: inside.iter().sum::<u64>() as f64 / count.elapsed_ns as f64,
        cpu_share: cpu_ns / count.elapsed_ns as f64,
    })
}

/// The median of the pairs: on a shared machine some are off by half.
fn ratio(taken: &[(Count, Count)]) -> Option<Interval> {
    let ratio = |(without, with): &(Count, Count)| with.rate / without.rate;
    let ratios: Vec<(u64, f64)> = (0..).zip(undisturbed(taken).map(ratio)).collect();
    clustered_median(&ratios)
}

fn undisturbed(taken: &[(Count, Count)]) -> impl Iterator<Item = &(Count, Count)> {
    let had_its_cpu = |count: &Count| count.cpu_share >= LEAST_CPU_SHARE;
    taken.iter().filter(move |(without, with)| had_its_cpu(without) && had_its_cpu(with))
}
