//! Are samples right? What a look at the clock costs, whether a sample twice as long counts twice the ops,
//! and the cost of pulses around samples and chains inside them. `bench/README.md` says how to run it.

mod chains;
mod length;
mod look;
mod pulses;
mod works;

use clap::{Parser, ValueEnum};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use sizeup_bench::Workers;
use stats::Interval;

/// Long ops and short ones, of every worker and every kind of library.
const WORKLOADS: [&str; 8] = [
    "empty/control",
    "empty/go",
    "rsa2048-sign/openssl",
    "aes-128-gcm-seal-16KiB/openssl",
    "gzip-6/cloudflare-zlib",
    "brotli-5/brotli",
    "fibonacci-30/luajit",
    "gzip-8-text/go",
];

#[derive(Parser)]
#[command(about = "Proves that samples are right", version)]
struct Args {
    /// The parts to prove; all if none is named
    #[arg(value_enum)]
    parts: Vec<Part>,
    /// A workload to measure with; may be repeated
    #[arg(long = "workload", value_name = "ID", default_values = WORKLOADS)]
    workloads: Vec<String>,
    /// The CPU to measure on
    #[arg(long, default_value_t = 0)]
    cpu: u32,
    /// At most so many pairs for each ratio
    #[arg(long, value_name = "N", default_value_t = 400)]
    pairs: usize,
    /// Seed of all random orders
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// The cost of a look at the clock
    Look,
    /// Whether a sample twice as long counts twice the ops
    Length,
    /// The cost of pulses
    Pulses,
    /// The cost of chains
    Chains,
}

/// Shared by all parts.
struct Setting<'a> {
    workers: &'a Workers,
    workloads: &'a [String],
    cpu: u32,
    pairs: usize,
    rng: ChaCha8Rng,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let workers = Workers::find()?;
    let mut setting = Setting {
        workers: &workers,
        workloads: &args.workloads,
        cpu: args.cpu,
        pairs: args.pairs,
        rng: ChaCha8Rng::seed_from_u64(args.seed),
    };
    let is_requested = |part| args.parts.is_empty() || args.parts.contains(&part);
    if is_requested(Part::Look) {
        look::prove(&mut setting)?;
    }
    if is_requested(Part::Length) {
        length::prove(&mut setting)?;
    }
    if is_requested(Part::Pulses) {
        pulses::prove(&mut setting)?;
    }
    if is_requested(Part::Chains) {
        chains::prove(&mut setting)?;
    }
    Ok(())
}

/// `1.0012 ± 0.0004`.
fn plus_minus(interval: &Interval, decimals: usize) -> String {
    let margin = (interval.high - interval.low) / 2.0;
    format!("{:.decimals$} ± {margin:.decimals$}", interval.centre)
}

/// Words a verdict on the claim that a quantity is at most `most`: its interval decides.
fn at_most(low: f64, high: f64, most: f64) -> String {
    let verdict = match (high <= most, low > most) {
        (true, _) => "holds",
        (_, true) => "DOES NOT HOLD",
        _ => "too wide to tell",
    };
    verdict.to_owned()
}

/// Words a verdict on the claim that a ratio equals `expected`, known within a margin.
fn equals(ratio: &Interval, expected: f64, margin: f64) -> String {
    let verdict = match ((ratio.low..=ratio.high).contains(&expected), ratio.margin() <= margin) {
        (true, true) => "holds",
        (true, false) => "too wide to tell",
        (false, _) => "DOES NOT HOLD",
    };
    verdict.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_on_both_sides_of_a_bound_decides_nothing() {
        assert_eq!(at_most(0.1, 0.9, 1.0), "holds");
        assert_eq!(at_most(0.9, 1.1, 1.0), "too wide to tell");
        assert_eq!(at_most(1.1, 1.2, 1.0), "DOES NOT HOLD");
    }

    #[test]
    fn a_ratio_must_be_known_well_to_be_as_expected() {
        let ratio = |centre, margin: f64| {
            let pair = [centre * margin.exp(), centre / margin.exp()];
            stats::ratio_interval(&pair.repeat(50)).unwrap()
        };
        // Student's interval of 100 logarithms ±h is ±0.199 h.
        assert_eq!(equals(&ratio(2.0, 0.02), 2.0, 0.01), "holds");
        assert_eq!(equals(&ratio(2.0, 0.2), 2.0, 0.01), "too wide to tell");
        assert_eq!(equals(&ratio(2.1, 0.02), 2.0, 0.01), "DOES NOT HOLD");
    }
}
