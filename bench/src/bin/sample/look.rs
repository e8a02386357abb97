//! Cost of reading the clock, shown by an empty op, which costs next to nothing itself.
//!
//! The kit's own sample function is given an empty op in pairs of samples, once with a look after every op
//! and once with a look after many. The difference of the times per op is what a look costs with
//! everything around it: the call of the batch, its loop, the comparison. Over the time of a workload's
//! batch, that is the share of its sample that goes to the harness.

use super::works::CountUp;
use super::{Setting, at_most, plus_minus};
use anyhow::Context;
use record::Timing;
use sizeup_bench::pairs::{Bounds, interval, pairs};
use sizeup_kit::proof::{self, Manner};
use stats::{Interval, mean_interval};
use terminal::table::Table;

/// Limit for clock readings, as a share of a sample.
const MOST_SHARE: f64 = 0.001;
/// Ops after which there is a look, where looks are to be rare.
const MANY_OPS: u64 = 1 << 16;
/// Samples of each workload.
const SAMPLES: usize = 20;

pub fn prove(setting: &mut Setting) -> anyhow::Result<()> {
    proof::pin(setting.cpu)?;
    let look_ns = cost(setting)?;
    direct(setting, &look_ns)?;
    shares(setting, &look_ns)
}

fn per_op_ns(batch_ops: u64, sample_ns: u64) -> anyhow::Result<f64> {
    let manner = Manner {
        warmup_ns: sample_ns / 10,
        sample_ns,
        batch_ops,
        has_pulses: false,
        has_chains: false,
    };
    let count = proof::sample(&mut CountUp::default(), manner)?;
    Ok(count.elapsed_ns as f64 / count.ops as f64)
}

/// Nanoseconds of a look, with the loop around it.
fn cost(setting: &mut Setting) -> anyhow::Result<Interval> {
    const SAMPLE_NS: u64 = 2_000_000;
    let (clock_cost_ns, _) = proof::batch(&mut CountUp::default())?;
    let bounds = Bounds { least: 100, most: setting.pairs.max(100) * 5, margin: 0.002 };
    let take = |often: bool| per_op_ns(if often { 1 } else { MANY_OPS }, SAMPLE_NS);
    let taken = pairs(&mut setting.rng, bounds, take, |taken| {
        interval(taken, |(rare, often)| often - rare)
    })?;
    // A look after many ops costs its share, too.
    let looks_more = 1.0 - 1.0 / MANY_OPS as f64;
    let costs: Vec<f64> = taken.iter().map(|(rare, often)| (often - rare) / looks_more).collect();
    let look_ns = mean_interval(&costs).context("a look at the clock costs nothing?")?;
    println!(
        "A look at the clock costs {} ns with the loop around it ({} pairs of samples of an empty op, with a \
         look after every op and after {MANY_OPS}); the kit takes it for {clock_cost_ns} ns.\n",
        plus_minus(&look_ns, 2),
        taken.len()
    );
    Ok(look_ns)
}

/// Checks the cost from the other side: the gain of an empty op from sixteen times fewer clock readings.
fn direct(setting: &mut Setting, look_ns: &Interval) -> anyhow::Result<()> {
    const FEWER: u64 = 16;
    let (clock_cost_ns, batch_ops) = proof::batch(&mut CountUp::default())?;
    let batch_ns = batch_ops as f64 * per_op_ns(batch_ops, 10_000_000)?;
    // Both samples are as long as one of the long batches: the means of samples of unlike length differ
    // by what interruptions do to them.
    let sample_ns = (0.9 * FEWER as f64 * batch_ns) as u64;
    let bounds = Bounds { least: 100, most: setting.pairs.max(100) * 40, margin: 0.000_3 };
    let take = |fewer: bool| per_op_ns(batch_ops * if fewer { FEWER } else { 1 }, sample_ns);
    let gain = |(chosen, fewer): &(f64, f64)| chosen / fewer;
    let taken = pairs(&mut setting.rng, bounds, take, |taken| interval(taken, gain))?;
    let ratio = interval(&taken, gain).context("too few pairs")?;
    let expected = look_ns.centre / batch_ns * (1.0 - 1.0 / FEWER as f64);
    println!(
        "An empty op in batches of {batch_ops} ({:.1} µs, {:.0} looks of {clock_cost_ns} ns) against batches \
         {FEWER} times as long: {} of its rate, {:.3} % expected from the cost of a look ({} pairs): at most \
         0.1 % {}.\n",
        batch_ns / 1e3,
        batch_ns / clock_cost_ns as f64,
        percent_off(&ratio),
        expected * 100.0,
        taken.len(),
        at_most(ratio.low - 1.0, ratio.high - 1.0, MOST_SHARE),
    );
    Ok(())
}

/// `+0.021 % ± 0.013 %` for a ratio near 1.
fn percent_off(ratio: &Interval) -> String {
    let margin = (ratio.high - ratio.low) / 2.0;
    format!("{:+.3} % ± {:.3} %", (ratio.centre - 1.0) * 100.0, margin * 100.0)
}

/// The share that looks have of the samples of real workloads, as their workers took them.
fn shares(setting: &mut Setting, look_ns: &Interval) -> anyhow::Result<()> {
    let timing = Timing { warmup_ns: 5_000_000, sample_ns: 50_000_000, rounds_per_launch: 1 };
    let mut table = Table::plain(&[
        "workload",
        ">batch ops",
        ">batch µs",
        ">a look ns",
        ">as reported %",
        ">as measured %",
        "at most 0.1 %",
    ]);
    for workload in setting.workloads {
        let mut launch = setting.workers.launch(workload, &[setting.cpu])?;
        let (batch_ops, reported_ns) = (launch.ready.batch_ops, launch.ready.clock_cost_ns as f64);
        let mut batches_ns = Vec::new();
        for _ in 0..SAMPLES {
            let sample =
                launch.measure(&timing).map_err(|e| anyhow::anyhow!("{workload}: {e}"))?.measured;
            let thread = &sample.threads[0];
            batches_ns.push(thread.elapsed_ns as f64 / thread.ops as f64 * batch_ops as f64);
        }
        launch.finish().map_err(|e| anyhow::anyhow!("{workload}: {e}"))?;
        let batch_ns = mean_interval(&batches_ns).context("a batch takes no time?")?;
        let reported = reported_ns / batch_ns.centre;
        // Its loop is Go's: `go test -bench Look` in workers/gokit/work measures that.
        let is_kit = is_kits(workload);
        let measured = look_ns.ratio_to(&batch_ns);
        let (low, high) = if is_kit {
            (measured.low, measured.high)
        } else {
            (reported_ns / batch_ns.high, reported_ns / batch_ns.low)
        };
        table.row([
            workload.clone(),
            batch_ops.to_string(),
            format!("{:.1}", batch_ns.centre / 1e3),
            reported_ns.to_string(),
            format!("{:.4}", reported * 100.0),
            if is_kit {
                format!(
                    "{:.4} ± {:.4}",
                    measured.centre * 100.0,
                    (measured.high - measured.low) * 50.0
                )
            } else {
                "–".to_owned()
            },
            at_most(low, high, MOST_SHARE),
        ]);
    }
    println!("{table}");
    Ok(())
}

/// Whether the worker's loop is the kit's, which the cost of a look was measured with.
fn is_kits(workload: &str) -> bool {
    !workload.ends_with("/go")
}
