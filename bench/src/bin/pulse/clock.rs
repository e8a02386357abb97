//! The pulse's clock against chains of other instructions, on one CPU, one right after the other.

use super::Setting;
use super::chains::{Chain, chains};
use anyhow::{Context, anyhow};
use rand::RngExt;
use record::{Pulse, Timing};
use sizeup_kit::proof;
use stats::ratio_interval;
use terminal::table::Table;

/// How far the clock may be off.
const MOST_OFF: f64 = 0.02;
/// Whose pulses: one of each implementation.
const WORKLOADS: [&str; 2] = ["empty/control", "empty/go"];
/// A sample of no length: its pulses are what counts.
const TIMING: Timing = Timing { warmup_ns: 0, sample_ns: 1_000, rounds_per_launch: 1 };

pub fn prove(setting: &mut Setting) -> anyhow::Result<()> {
    proof::pin(setting.cpu)?;
    let chains = chains();
    let mut table = Table::plain(&[
        "pulse of",
        "made of",
        "against",
        ">pairs",
        ">chain's clock ÷ pulse's",
        ">median",
        "within ±2 %",
    ]);
    let mut clocks_hz = Vec::new();
    for workload in WORKLOADS {
        let failed = |e| anyhow!("{workload}: {e}");
        let mut launch = setting.workers.launch(workload, &[setting.cpu])?;
        let cycles = launch.ready.pulse.clock_cycles_per_op as f64;
        let kernel = launch.ready.pulse.clock_kernel.clone();
        let clock_hz =
            |pulse: &Pulse| pulse.clock_ops as f64 * cycles * 1e9 / pulse.clock_ns as f64;
        for chain in &chains {
            let mut ratios = Vec::new();
            for _ in 0..setting.pairs {
                let (chain_hz, pulse_hz) = if setting.rng.random() {
                    let chain_hz = chain.clock_hz();
                    let sample = launch.measure(&TIMING).map_err(failed)?.measured;
                    (chain_hz, clock_hz(&sample.threads[0].pulse_before))
                } else {
                    let sample = launch.measure(&TIMING).map_err(failed)?.measured;
                    (chain.clock_hz(), clock_hz(&sample.threads[0].pulse_after))
                };
                ratios.push(chain_hz / pulse_hz);
                clocks_hz.push(pulse_hz);
            }
            table.row(row(workload, &kernel, chain, ratios)?);
        }
        launch.finish().map_err(failed)?;
    }
    println!("{table}");
    println!(
        "Median clock {:.0} MHz. For comparison only: {}.\n",
        middle(clocks_hz) / 1e6,
        nominal(setting.cpu)
    );
    Ok(())
}

fn row(
    workload: &str,
    kernel: &str,
    chain: &Chain,
    ratios: Vec<f64>,
) -> anyhow::Result<[String; 7]> {
    let ratio = ratio_interval(&ratios).context("too few pairs")?;
    let is_within = ratio.low >= 1.0 - MOST_OFF && ratio.high <= 1.0 + MOST_OFF;
    let is_outside = ratio.low > 1.0 + MOST_OFF || ratio.high < 1.0 - MOST_OFF;
    Ok([
        workload.to_owned(),
        kernel.to_owned(),
        chain.name.to_owned(),
        ratios.len().to_string(),
        format!("{:.4} ({:.4} … {:.4})", ratio.centre, ratio.low, ratio.high),
        format!("{:.4}", middle(ratios)),
        match (is_within, is_outside) {
            (true, _) => "holds".to_owned(),
            (_, true) => "DOES NOT HOLD".to_owned(),
            _ => "too wide to tell".to_owned(),
        },
    ])
}

/// The median; not a number of nothing.
pub fn middle(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Nominal clocks by the processor and the kernel, which on virtual machines are seldom the core's.
fn nominal(cpu: u32) -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().filter(|line| line.starts_with("cpu MHz")).nth(cpu as usize);
    let kernel = line.and_then(|line| line.split(':').nth(1));
    let kernel = kernel.map_or("/proc/cpuinfo names no clock".to_owned(), |mhz| {
        format!("/proc/cpuinfo says{mhz} MHz")
    });
    format!("{kernel}; {}", processors())
}

#[cfg(target_arch = "x86_64")]
fn processors() -> String {
    use std::arch::x86_64::__cpuid;
    const FREQUENCY: u32 = 0x16;
    if __cpuid(0).eax < FREQUENCY {
        return "CPUID has no leaf of frequencies here".to_owned();
    }
    let leaf = __cpuid(FREQUENCY);
    match (leaf.eax & 0xffff, leaf.ebx & 0xffff) {
        (0, _) => "CPUID's leaf of frequencies is empty here".to_owned(),
        (base, most) => format!("CPUID says base {base} MHz, at most {most} MHz"),
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn processors() -> String {
    "this architecture does not report a clock to programs".to_owned()
}
