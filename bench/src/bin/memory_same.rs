//! Rows that need the memory, measured in turn on a quiet machine and beside a neighbour that is there half of the time: how
//! often the two are called different, and how far repeats differ, with the memory pulses and without them.

use clap::Parser;
use estimate::{RunEstimate, Steadiness, ViewKind, Warning};
use judge::compare::{Group, Pairs, Row, Sheet, Verdict};
use record::Run;
use sizeup_bench::neighbour::{Kind, Neighbour};
use sizeup_bench::program::Program;
use stats::{mean, median};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;
use terminal::table::Table;

#[derive(Parser)]
#[command(about = "Compares a quiet machine with itself beside a neighbour on the memory", version)]
struct Args {
    /// How many pairs of runs
    #[arg(long, default_value_t = 20)]
    pairs: usize,
    /// Time for each run
    #[arg(long, default_value = "15s")]
    budget: String,
    /// The neighbour's CPU; rows run on the first
    #[arg(long, default_value_t = 1)]
    neighbour: u32,
    /// Where the run files go
    #[arg(long)]
    folder: PathBuf,
    /// Judge run files that are there already
    #[arg(long)]
    again: bool,
}

/// Rows that lost most beside the neighbour of the trial.
const ROWS: [&str; 6] = [
    "brotli-9/brotli",
    "brotli-11/brotli",
    "reed-solomon-8+8-5MiB/klauspost",
    "decompress-deflate-default-random/klauspost",
    "compress-deflate-best-speed-random/klauspost",
    "html-escape/go",
];
/// The neighbour comes and goes for so long.
const EPISODE: Duration = Duration::from_millis(1500);
const BYTES: usize = 64 << 20;

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let program = Program::find(&args.folder)?;
    let (mut quiet, mut beside) = (Vec::new(), Vec::new());
    for pair in 0..args.pairs {
        let names = [format!("quiet-{pair}"), format!("beside-{pair}")];
        if !args.again {
            measure(&program, &args, &names[0])?;
            let neighbour = ComesAndGoes::start(args.neighbour);
            measure(&program, &args, &names[1])?;
            drop(neighbour);
            eprintln!("pair {} of {}", pair + 1, args.pairs);
        }
        quiet.push(record::read(program.file(&names[0]).as_ref())?);
        beside.push(record::read(program.file(&names[1]).as_ref())?);
    }
    same(&quiet, &beside);
    spread(&[quiet, beside].concat());
    Ok(())
}

fn measure(program: &Program, args: &Args, name: &str) -> anyhow::Result<()> {
    let rows = ROWS.iter().flat_map(|row| ["--workload", row]);
    let more = ["--threads", "1", "--cpus", "0", "--precision", "0.01%", "--budget", &args.budget];
    program.run(name, &rows.chain(more).collect::<Vec<_>>()).map(drop)
}

/// A neighbour that is there half of the time, until it is dropped.
struct ComesAndGoes {
    is_over: Arc<AtomicBool>,
    thread: Option<thread::JoinHandle<()>>,
}

impl ComesAndGoes {
    fn start(cpu: u32) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let of_thread = Arc::clone(&is_over);
        let thread = thread::spawn(move || {
            let neighbour = Neighbour::start(cpu, Kind::Writes, BYTES);
            let mut is_there = false;
            while !of_thread.load(Ordering::Relaxed) {
                is_there = !is_there;
                neighbour.switch(is_there);
                thread::sleep(EPISODE);
            }
        });
        Self { is_over, thread: Some(thread) }
    }
}

impl Drop for ComesAndGoes {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the neighbour ends");
        }
    }
}

/// The run as it would be without memory pulses.
fn without_memory(run: &Run) -> Run {
    let mut run = run.clone();
    for thread in run.samples.iter_mut().flat_map(|sample| &mut sample.measured.threads) {
        (thread.memory_before, thread.memory_after) = (None, None);
    }
    run
}

/// How often pairs are called different.
fn same(quiet: &[Run], beside: &[Run]) {
    let group = |run: &Run| {
        let figures = Sheet::of(run, ViewKind::Uncontended);
        Group::of(run.header.label.clone(), ViewKind::Uncontended, vec![figures])
    };
    let called = |quiet: &Run, beside: &Run| -> Vec<Row> {
        let (Some(quiet), Some(beside)) = (group(quiet), group(beside)) else { return Vec::new() };
        let rows = Pairs::of(&quiet, &beside, &[]).comparison().rows;
        let is_called = |row: &Row| matches!(row.verdict, Verdict::Faster | Verdict::Slower);
        rows.into_iter().filter(is_called).collect()
    };
    let (mut before, mut after, mut warned) = (0, 0, 0);
    for (number, (quiet, beside)) in quiet.iter().zip(beside).enumerate() {
        let blind = called(&without_memory(quiet), &without_memory(beside));
        let seeing = called(quiet, beside);
        let is_warned =
            |row: &Row| row.warnings.iter().any(|warning| warning.contains("neighbour"));
        before += usize::from(!blind.is_empty());
        after += usize::from(!seeing.is_empty());
        warned += usize::from(!seeing.is_empty() && seeing.iter().all(is_warned));
        println!(
            "{number:3}: without memory pulses {}; with them {}; neighbour there {}",
            named(&blind),
            named(&seeing),
            share(beside)
        );
    }
    let all = quiet.len();
    println!(
        "\nof {all} pairs were called different: {before} without memory pulses, {after} with them, of these {warned} with \
         a warning of the neighbour on each row that was called"
    );
}

fn named(rows: &[Row]) -> String {
    let ratio = |row: &Row| row.ratio.as_ref().map_or(f64::NAN, |ratio| ratio.interval.centre);
    let all: Vec<String> =
        rows.iter().map(|row| format!("{} {:.3}", row.workload, ratio(row))).collect();
    if all.is_empty() { "none".to_owned() } else { all.join(", ") }
}

/// The share of samples beside a neighbour that sizeup found.
fn share(run: &Run) -> String {
    let estimate = RunEstimate::of(run);
    let found =
        estimate.steadiness.as_ref().and_then(|steadiness: &Steadiness| steadiness.memory_states);
    found.map_or_else(
        || "none".to_owned(),
        |states| format!("{:.0} %", 100.0 * (1.0 - states.high_share)),
    )
}

/// How far repeats differ, quiet and beside the neighbour alike.
fn spread(runs: &[Run]) {
    let estimates = |change: &dyn Fn(&Run) -> Run| -> Vec<RunEstimate> {
        runs.iter().map(|run| RunEstimate::of(&change(run))).collect()
    };
    let (blind, seeing) = (estimates(&without_memory), estimates(&Run::clone));
    let mut table = Table::plain(&[
        "row",
        ">without",
        ">± each",
        ">with",
        ">± each",
        ">figures",
        ">loss it reports",
    ]);
    let mut medians = (Vec::new(), Vec::new());
    for (case, row) in ROWS.iter().enumerate() {
        let series = |runs: &[RunEstimate]| -> (Vec<f64>, Vec<f64>) {
            let views = runs.iter().filter_map(|run| run.cases[case].as_ref()?.uncontended);
            views.map(|view| (view.interval.centre.ln(), view.interval.margin())).unzip()
        };
        let ((before, wide), (after, narrow)) = (series(&blind), series(&seeing));
        let percent = |share: f64| format!("{:.2} %", share * 100.0);
        medians.0.push(deviation(&before));
        medians.1.push(deviation(&after));
        let losses: Vec<f64> =
            seeing.iter().filter_map(|run| loss(run.cases[case].as_ref()?)).collect();
        table.row([
            (*row).to_owned(),
            percent(deviation(&before)),
            percent(median(&wide)),
            percent(deviation(&after)),
            percent(median(&narrow)),
            format!("{} of {}", after.len(), runs.len()),
            if losses.is_empty() { "–".to_owned() } else { percent(median(&losses)) },
        ]);
    }
    println!("\nspread between {} repeats, coefficient of variation\n{table}", runs.len());
    println!(
        "median of rows: {:.2} % without memory pulses, {:.2} % with them",
        median(&medians.0) * 100.0,
        median(&medians.1) * 100.0
    );
}

/// Relative loss of the row beside the neighbour, as its warning states it.
fn loss(case: &estimate::CaseEstimate) -> Option<f64> {
    case.warnings.iter().find_map(|warning| match warning {
        Warning::MemoryNeighbour { loss, .. } => *loss,
        _ => None,
    })
}

fn deviation(logs: &[f64]) -> f64 {
    let centre = mean(logs);
    let squares: f64 = logs.iter().map(|log| (log - centre).powi(2)).sum();
    (squares / (logs.len() as f64 - 1.0)).sqrt()
}
