//! How often `--fail-if` fails a build that lost nothing, and how often it lets one pass that lost a few per cent.

use anyhow::ensure;
use clap::Parser;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sizeup_bench::program::Program;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// Lines that the command sorts: 40 ms.
const LINES: usize = 100_000;
/// Limits that each run is held against.
const LIMITS: [&str; 4] = ["slower:0.5%", "slower:1%", "slower:2%", "slower:3%"];
/// `compare` ends so where a limit is broken.
const BROKEN: i32 = 1;
/// And so where a row has no verdict, or is too noisy to show such a loss.
const UNDECIDED: i32 = 3;

/// Compares a command with itself, and with one that has more to do
#[derive(Parser)]
struct Arguments {
    /// How many runs of each kind
    #[arg(long, default_value_t = 200)]
    trials: usize,
    /// Time for each run
    #[arg(long, default_value = "6s")]
    budget: String,
    /// How much more the other has to do, in per cent
    #[arg(long, default_value_t = 3)]
    more: usize,
    /// Where the run files go
    #[arg(long)]
    folder: PathBuf,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let program = Program::find(&arguments.folder)?;
    let lines = |name: &str, count: usize| numbers(&arguments.folder.join(name), count);
    let base = lines("base.txt", LINES)?;
    // Sorting takes a little more than in proportion.
    let others =
        [lines("same.txt", LINES)?, lines("more.txt", LINES + LINES * arguments.more / 100)?];
    let mut counts = [[(0, 0); LIMITS.len()]; 2];
    for trial in 0..arguments.trials {
        for (kind, other) in others.iter().enumerate() {
            let name = format!("gate-{kind}-{trial}");
            let asked = ["--budget", &arguments.budget, "--precision", "0.01%", &base, other];
            program.bench(&name, &asked)?;
            for (limit, (broken, undecided)) in LIMITS.iter().zip(&mut counts[kind]) {
                let ended =
                    program.status(&["compare", &program.file(&name), "--fail-if", limit])?;
                ensure!(
                    [0, BROKEN, UNDECIDED].contains(&ended),
                    "{name}: compare ended with {ended}"
                );
                *broken += usize::from(ended == BROKEN);
                *undecided += usize::from(ended == UNDECIDED);
            }
        }
    }
    let [same, more] = &counts;
    println!(
        "{} runs each of {}; the other sorts as much, or {} % more",
        arguments.trials, arguments.budget, arguments.more
    );
    for (limit, (same, more)) in LIMITS.iter().zip(same.iter().zip(more)) {
        println!("{limit:12} fails {} and {}; undecided {} and {}", same.0, more.0, same.1, more.1);
    }
    Ok(())
}

/// A file of numbers in any order, and the command that sorts it.
fn numbers(path: &Path, count: usize) -> anyhow::Result<String> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut text = String::new();
    for _ in 0..count {
        writeln!(text, "{}", random.random_range(0..1_000_000_000_u64))?;
    }
    fs::write(path, text)?;
    Ok(format!("sort -n {}", path.display()))
}
