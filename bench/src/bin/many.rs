//! How long judging many run files takes, and how much memory.

use anyhow::{Context, ensure};
use clap::Parser;
use nix::sys::resource::{UsageWho, getrusage};
use record::{Ended, Record, Run, Writer};
use sizeup_bench::noise::{Shape, rows, run};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Makes run files of a simulated machine and times compare, score and export over all of them, and compare over two
#[derive(Parser)]
struct Arguments {
    /// How many files
    #[arg(long, default_value_t = 1000)]
    files: usize,
    /// Cases of each
    #[arg(long, default_value_t = 300)]
    cases: usize,
    /// Samples of each case
    #[arg(long, default_value_t = 12)]
    samples: u64,
    /// In how many groups the files are judged
    #[arg(long, default_value_t = 10)]
    groups: usize,
    /// Where the run files go
    #[arg(long)]
    folder: PathBuf,
}

/// Files that differ; the others have the same samples under other hosts.
const DIFFERENT: u64 = 8;

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let home = std::env::var_os("SIZEUP_HOME").context("SIZEUP_HOME names no installation")?;
    let sizeup = Path::new(&home).join("bin/sizeup");
    if !arguments.folder.exists() {
        make(&arguments)?;
    }
    let groups: Vec<String> = (0..arguments.groups)
        .flat_map(|group| {
            let files = arguments.folder.join(format!("g{group}-*.run.jsonl"));
            ["--group".to_owned(), format!("g{group}={}", files.display())]
        })
        .collect();
    let groups: Vec<&str> = groups.iter().map(String::as_str).collect();
    let one = |number: usize| {
        arguments.folder.join(format!("g{number}-0.run.jsonl")).display().to_string()
    };
    let two = [one(0), one(1)];
    let table = arguments.folder.join("all.csv").display().to_string();
    let _ = std::fs::remove_file(&table);
    let all: Vec<String> = (0..arguments.files).map(|number| file(&arguments, number)).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let commands: [(&str, Vec<&str>); 5] = [
        ("compare, two files", vec!["compare", &two[0], &two[1]]),
        ("compare, all", [&["compare"], &groups[..]].concat()),
        ("score, all", [&["score", "--baseline", "g0"], &groups[..]].concat()),
        ("score, all as JSON", [&["score", "--json", "--baseline", "g0"], &groups[..]].concat()),
        ("export, all", [&["export", "csv", "-o", &table], &all[..]].concat()),
    ];
    for (what, command) in commands {
        let started = Instant::now();
        let status = Command::new(&sizeup)
            .args(&command)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()?;
        let elapsed = started.elapsed();
        // The largest of all children so far.
        let most_kib = getrusage(UsageWho::RUSAGE_CHILDREN)?.max_rss();
        println!(
            "{what}: {:.3} s, up to here {} MiB at most",
            elapsed.as_secs_f64(),
            most_kib / 1024
        );
        ensure!(status.code().is_some_and(|code| code <= 1), "{what} ended with {status}");
    }
    Ok(())
}

fn file(arguments: &Arguments, number: usize) -> String {
    let (group, place) = (number % arguments.groups, number / arguments.groups);
    arguments.folder.join(format!("g{group}-{place}.run.jsonl")).display().to_string()
}

fn make(arguments: &Arguments) -> anyhow::Result<()> {
    let truth = rows(arguments.cases, 1);
    let different: Vec<Run> =
        (0..DIFFERENT).map(|seed| run(Shape::SHARED, &truth, arguments.samples, seed)).collect();
    for number in 0..arguments.files {
        let source = &different[number % different.len()];
        let mut header = source.header.clone();
        header.host = Some(format!("host {number}"));
        let mut writer = Writer::create(Path::new(&file(arguments, number)), &header)?;
        // A launch is ready before its first sample, and takes the place of the one before it.
        let mut launches = source.launches.iter().peekable();
        for sample in &source.samples {
            while let Some(launch) = launches.next_if(|launch| launch.at_ns <= sample.start_ns) {
                writer.write(&Record::Launch(Box::new(launch.clone())))?;
            }
            writer.write(&Record::Sample(sample.clone()))?;
        }
        let end_ns = source.samples.last().map_or(0, |sample| sample.end_ns);
        writer.close(Ended::Precision, end_ns)?;
    }
    Ok(())
}
