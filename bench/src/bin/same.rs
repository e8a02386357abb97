//! How often a machine that is compared with itself is called different.

use anyhow::ensure;
use clap::Parser;
use serde_json::Value;
use sizeup_bench::program::{Program, dozen};
use std::path::PathBuf;

/// Measures a dozen cases again and again and compares each run with the one before: no row differs
#[derive(Parser)]
struct Arguments {
    /// How many comparisons
    #[arg(long, default_value_t = 20)]
    comparisons: usize,
    /// Time for each run
    #[arg(long, default_value = "30s")]
    budget: String,
    /// Where the run files go
    #[arg(long)]
    folder: PathBuf,
    /// Judge run files that are there already
    #[arg(long)]
    again: bool,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let program = Program::find(&arguments.folder)?;
    let mut alarms = 0;
    for number in 0..=arguments.comparisons {
        let name = format!("same-{number}");
        let asked =
            [&dozen("1")[..], &["--budget", &arguments.budget, "--precision", "0.01%"]].concat();
        if !arguments.again {
            program.run(&name, &asked)?;
        }
        if number == 0 {
            continue;
        }
        let before = program.file(&format!("same-{}", number - 1));
        let comparison = program.json(&["compare", &before, &program.file(&name)])?;
        let rows = comparison["rows"].as_array().map_or(&[][..], |rows| rows);
        let with_ratio = rows.iter().filter(|row| !row["ratio"].is_null()).count();
        ensure!(with_ratio > 0, "comparison {number}: no row has a ratio, so none can be an alarm");
        let is_called = |row: &&Value| row["verdict"] == "faster" || row["verdict"] == "slower";
        let called: Vec<String> = rows.iter().filter(is_called).map(described).collect();
        let common = &comparison["common"][0]["ratio"];
        let bound = |which: &str| common[which].as_f64().unwrap_or(f64::NAN);
        println!(
            "{number:3}: {with_ratio} rows, common to all {:.4} [{:.4}, {:.4}], called: {}",
            bound("centre"),
            bound("low"),
            bound("high"),
            if called.is_empty() { "none".to_owned() } else { called.join(", ") }
        );
        alarms += usize::from(!called.is_empty());
    }
    println!(
        "{alarms} of {} comparisons of a machine with itself with an alarm",
        arguments.comparisons
    );
    Ok(())
}

fn described(row: &Value) -> String {
    let ratio = row["ratio"]["centre"].as_f64().unwrap_or(f64::NAN);
    format!("{} {} {ratio:.3}", row["workload"].as_str().unwrap_or("?"), row["verdict"])
}
