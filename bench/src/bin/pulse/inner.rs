//! The clock that the chains inside samples see against that of the pulses around them. Work that leaves the clock
//! alone should have a ratio of 1; work that makes the core clock down has less, by as much as the clock recovers
//! before the pulse after it is over.

use super::Setting;
use super::clock::middle;
use anyhow::{Context, anyhow};
use estimate::{ClockKernel, Look};
use record::Timing;
use stats::clustered_median;
use terminal::table::Table;

/// How far the two may differ where the work leaves the clock alone.
const MOST_OFF: f64 = 0.01;
/// Both kits, and work with short ops and long ones, on integers and on vectors.
const WORKLOADS: [&str; 5] = [
    "empty/control",
    "empty/go",
    "aes-128-gcm-seal-16KiB/openssl",
    "rsa2048-sign/openssl",
    "gzip-8-text/go",
];
const TIMING: Timing = Timing { warmup_ns: 5_000_000, sample_ns: 50_000_000, rounds_per_launch: 1 };

pub fn prove(setting: &mut Setting) -> anyhow::Result<()> {
    let mut table = Table::plain(&[
        "workload",
        ">samples",
        ">chains in one",
        ">inner clock ÷ pulse after",
        ">÷ pulse before",
        "within ±1 %",
    ]);
    for workload in WORKLOADS {
        let failed = |e| anyhow!("{workload}: {e}");
        let mut launch = setting.workers.launch(workload, &[setting.cpu])?;
        let kernel = ClockKernel::of(&launch.ready);
        let (mut to_before, mut to_after, mut chains) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..setting.pairs {
            let sample = launch.measure(&TIMING).map_err(failed)?.measured;
            chains.push(sample.threads[0].chains_ns.len() as f64);
            let look = Look::at(&sample, (0, 0), None, kernel, false).threads[0];
            let inner_hz = look.inner_clock_hz.with_context(|| format!("{workload}: no chains"))?;
            let [before_hz, after_hz] = look.pulse_clocks_hz;
            to_before.push(inner_hz / before_hz);
            to_after.push(inner_hz / after_hz);
        }
        launch.finish().map_err(failed)?;
        let ratios: Vec<(u64, f64)> = (0..).zip(to_after).collect();
        let ratio = clustered_median(&ratios).context("too few samples")?;
        let is_within = (ratio.low - 1.0).abs().max((ratio.high - 1.0).abs()) <= MOST_OFF;
        table.row([
            workload.to_owned(),
            setting.pairs.to_string(),
            format!("{:.0}", middle(chains)),
            format!("{:.4} ({:.4} to {:.4})", ratio.centre, ratio.low, ratio.high),
            format!("{:.4}", middle(to_before)),
            if is_within { "holds" } else { "DOES NOT HOLD" }.to_owned(),
        ]);
    }
    println!("{table}");
    Ok(())
}
