//! Is the pulse right? Its clock against other instructions of known latency, and the state of the core that
//! it names against what is known of the core. `bench/README.md` says how to run it.

mod chains;
mod clock;
mod inner;
mod siblings;
mod states;
mod tally;
mod witness;

use clap::{Parser, ValueEnum};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use sizeup_bench::Workers;

#[derive(Parser)]
#[command(about = "Proves that the pulse is right", version)]
struct Args {
    /// The parts to prove; all if none is named
    #[arg(value_enum)]
    parts: Vec<Part>,
    /// The CPU to take pulses on
    #[arg(long, default_value_t = 0)]
    cpu: u32,
    /// The CPU that is kept busy, to see whether it shares the core
    #[arg(long, default_value_t = 1)]
    neighbour: u32,
    /// Pairs of pulse and chain, samples between pulses, pulses beside a busy and an idle neighbour, and samples
    #[arg(long, value_name = "N", default_value_t = 400)]
    pairs: usize,
    /// Seed of all random orders
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Whether the clock is right
    Clock,
    /// Whether chains inside samples see the clock that pulses see
    Inner,
    /// Whether the two CPUs share a core
    Siblings,
    /// Whether the state of the core is named right
    States,
}

/// Shared by all parts.
struct Setting<'a> {
    workers: &'a Workers,
    cpu: u32,
    neighbour: u32,
    pairs: usize,
    rng: ChaCha8Rng,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let workers = Workers::find()?;
    let mut setting = Setting {
        workers: &workers,
        cpu: args.cpu,
        neighbour: args.neighbour,
        pairs: args.pairs,
        rng: ChaCha8Rng::seed_from_u64(args.seed),
    };
    let is_requested = |part| args.parts.is_empty() || args.parts.contains(&part);
    if is_requested(Part::Clock) {
        clock::prove(&mut setting)?;
    }
    if is_requested(Part::Inner) {
        inner::prove(&mut setting)?;
    }
    if is_requested(Part::Siblings) || is_requested(Part::States) {
        let are_siblings = siblings::prove(&mut setting)?;
        if is_requested(Part::States) {
            states::prove(&mut setting, are_siblings)?;
        }
    }
    Ok(())
}
