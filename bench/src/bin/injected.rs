//! How often a slowdown of a known size, injected into a variant, is found.

use clap::Parser;
use sizeup_bench::program::Program;
use std::fs;
use std::path::{Path, PathBuf};

/// Measures work that is slower by a known part in one of two variants, and counts how often that is found
#[derive(Parser)]
struct Arguments {
    /// How much slower, in thousandths
    #[arg(long, default_value_t = 50)]
    permille: u32,
    /// How often
    #[arg(long, default_value_t = 10)]
    repeats: usize,
    /// Time for each run
    #[arg(long, default_value = "60s")]
    budget: String,
    /// Where the run files go
    #[arg(long)]
    folder: PathBuf,
}

const TABLE: &str = r#"
worker = { run = ["./injected-worker"] }

[[workload]]
id = "mixing/injected"
family = "hash"
about = "rounds of mixing; the variable SLOWER_PERMILLE adds rounds"
parameters = { rounds = 20000 }
"#;

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let program = Program::find(&arguments.folder)?;
    let worker = std::env::current_exe()?.with_file_name("injected-worker");
    let tables = arguments.folder.join("tables");
    install(&tables, &worker)?;
    let tables = tables.to_string_lossy().into_owned();
    let variant = format!("slower=SLOWER_PERMILLE={}", arguments.permille);
    let mut found = 0;
    for repeat in 0..arguments.repeats {
        let name = format!("injected-{}-{repeat}", arguments.permille);
        let asked = [
            "--with",
            &tables,
            "--workload",
            "mixing/injected",
            "--threads",
            "1",
            "--variant",
            "base",
            "--variant",
            &variant,
            "--budget",
            &arguments.budget,
            "--precision",
            "0.01%",
        ];
        program.run(&name, &asked)?;
        let row = &program.json(&["compare", &program.file(&name)])?["rows"][0];
        println!(
            "{name}: {} {:.4} [{:.4}, {:.4}], detectable {:.2} %, {} pairs",
            row["verdict"].as_str().unwrap_or("?"),
            row["ratio"]["centre"].as_f64().unwrap_or(f64::NAN),
            row["ratio"]["low"].as_f64().unwrap_or(f64::NAN),
            row["ratio"]["high"].as_f64().unwrap_or(f64::NAN),
            row["ratio"]["detectable"].as_f64().unwrap_or(f64::NAN) * 100.0,
            row["pairs"]
        );
        found += usize::from(row["verdict"] == "slower");
    }
    println!("{} ‰ slower: found {found} times of {}", arguments.permille, arguments.repeats);
    Ok(())
}

fn install(folder: &Path, worker: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join("injected.toml"), TABLE)?;
    fs::copy(worker, folder.join("injected-worker"))?;
    Ok(())
}
