//! How far repeats of one measurement differ: by sizeup, and by one contiguous sample a case in the same total
//! time, in turn.

use anyhow::{Context, ensure};
use clap::Parser;
use estimate::{RunEstimate, ViewKind};
use record::Run;
use sizeup_bench::program::{DOZEN, Program, dozen};
use stats::{mean, median};
use std::path::PathBuf;
use std::time::Duration;

/// Measures a dozen cases again and again, in turn by sizeup and by one contiguous sample each
#[derive(Parser)]
struct Arguments {
    /// How often
    #[arg(long, default_value_t = 10)]
    repeats: usize,
    /// Time for each way of measuring, each time
    #[arg(long, default_value = "60s", value_parser = humantime::parse_duration)]
    budget: Duration,
    /// Threads of each case, one number or `all`
    #[arg(long, default_value = "1")]
    threads: String,
    /// Where the run files go
    #[arg(long)]
    folder: PathBuf,
    /// Judge run files that are there already
    #[arg(long)]
    again: bool,
}

/// Time that launching and verifying takes from the contiguous samples.
const OVERHEAD: f64 = 0.08;
/// Overhead of a run with one sample, at most.
const BESIDE_A_SAMPLE: Duration = Duration::from_secs(3);

/// Logarithms of one way's figures: repeats × cases.
type Figures = Vec<Vec<f64>>;

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    ensure!(arguments.repeats >= 2, "a spread takes two repeats");
    ensure!(!arguments.threads.contains(','), "--threads takes one number here");
    let program = Program::find(&arguments.folder)?;
    let (mut sizeup, mut contiguous) = (Vec::new(), Vec::new());
    for repeat in 0..arguments.repeats {
        if !arguments.again {
            measure(&program, &arguments, repeat)?;
        }
        let read = |name: &str| record::read(program.file(name).as_ref());
        sizeup.push(read(&format!("sizeup-{repeat}"))?);
        let cases = (0..DOZEN.len()).map(|case| only_sample(&read(&contiguous_run(repeat, case))?));
        contiguous.push(cases.collect::<anyhow::Result<_>>()?);
    }
    report(&sizeup, &contiguous)
}

fn measure(program: &Program, arguments: &Arguments, repeat: usize) -> anyhow::Result<()> {
    let cases = dozen(&arguments.threads);
    let budget = humantime::format_duration(arguments.budget).to_string().replace(' ', "");
    let of_sizeup = ["--precision", "0.01%", "--budget", &budget];
    program.run(&format!("sizeup-{repeat}"), &[&cases[..], &of_sizeup].concat())?;
    let sample = arguments.budget.mul_f64((1.0 - OVERHEAD) / DOZEN.len() as f64);
    let sample_ms = format!("{}ms", sample.as_millis());
    let enough = format!("{}ms", (sample + BESIDE_A_SAMPLE).as_millis());
    // Each alone: of several, a budget for one sample each is too short.
    for (case, workload) in DOZEN.iter().enumerate() {
        let only = ["--workload", workload, "--threads", &arguments.threads];
        let one_sample = ["--sample-time", &sample_ms, "--budget", &enough];
        program.run(&contiguous_run(repeat, case), &[&only[..], &one_sample].concat())?;
    }
    eprintln!("repeat {} of {}", repeat + 1, arguments.repeats);
    Ok(())
}

fn contiguous_run(repeat: usize, case: usize) -> String {
    format!("contiguous-{repeat}-{case}")
}

fn report(sizeup: &[Run], contiguous: &Figures) -> anyhow::Result<()> {
    let estimates: Vec<RunEstimate> = sizeup.iter().map(RunEstimate::of).collect();
    let without_chains: Vec<RunEstimate> =
        sizeup.iter().map(|run| RunEstimate::of(&by_pulses(run))).collect();
    let mut ways = vec![
        ("contiguous".to_owned(), contiguous.clone()),
        ("run's clock".to_owned(), at_the_runs_clock(&without_chains)),
        ("by pulses".to_owned(), figures(&without_chains, ViewKind::Uncontended)),
    ];
    for view in ViewKind::ALL {
        ways.push((view.to_string(), figures(&estimates, view)));
    }
    println!("spread between {} repeats, coefficient of variation in %\n", sizeup.len());
    print!("{:40}", "case");
    ways.iter().for_each(|(way, _)| print!("{way:>13}"));
    println!();
    for (case, workload) in DOZEN.iter().enumerate() {
        print!("{workload:40}");
        for (_, figures) in &ways {
            print!("{:13.2}", spread(figures, case) * 100.0);
        }
        println!();
    }
    print!("{:40}", "figures");
    for (_, figures) in &ways {
        print!("{:13}", figures.iter().flatten().filter(|figure| figure.is_finite()).count());
    }
    println!(" of {}", DOZEN.len() * sizeup.len());
    for (what, effects_of) in
        [("run effect", as_they_are as fn(&Figures) -> Figures), ("row effect", row_effect)]
    {
        let medians: Vec<f64> =
            ways.iter().map(|(_, figures)| median_spread(&effects_of(figures))).collect();
        print!("{:40}", format!("median of {what}"));
        medians.iter().for_each(|median| print!("{:13.2}", median * 100.0));
        for (name, base) in [("  over contiguous", medians[0]), ("  over run's clock", medians[1])]
        {
            print!("\n{name:40}");
            medians.iter().for_each(|median| print!("{:13.2}", median / base));
        }
        println!();
    }
    Ok(())
}

/// The first sample of a run of one case, which has time for no more.
fn only_sample(run: &Run) -> anyhow::Result<f64> {
    let sample = run.samples_of(0).next();
    let sample = sample.with_context(|| format!("{} has no sample", run.path.display()))?;
    Ok(sizeup_bench::throughput(&sample.measured).ln())
}

/// A view; not a number where a case has no estimate in it.
fn figures(estimates: &[RunEstimate], view: ViewKind) -> Figures {
    let figure = |estimate: &RunEstimate, case: usize| {
        let view = estimate.cases[case].as_ref().and_then(|case| case.view(view));
        view.map_or(f64::NAN, |view| view.interval.centre.ln())
    };
    estimates.iter().map(|run| (0..DOZEN.len()).map(|case| figure(run, case)).collect()).collect()
}

/// The run as it would be without chains inside samples.
fn by_pulses(run: &Run) -> Run {
    let mut run = run.clone();
    for thread in run.samples.iter_mut().flat_map(|sample| &mut sample.measured.threads) {
        thread.chains_ns.clear();
    }
    run
}

/// Figures as an earlier estimator had them, with the run's clock for all rows: ops per cycle × the median clock of all rows.
fn at_the_runs_clock(estimates: &[RunEstimate]) -> Figures {
    let mut figures = figures(estimates, ViewKind::PerGhz);
    for (figures, estimate) in figures.iter_mut().zip(estimates) {
        // All cases have as many threads.
        let clock_ghz =
            estimate.cores.values().next().map_or(f64::NAN, |cores| cores.clock_hz / 1e9);
        figures.iter_mut().for_each(|figure| *figure += clock_ghz.ln());
    }
    figures
}

fn as_they_are(figures: &Figures) -> Figures {
    figures.clone()
}

/// Each case against its run's run effect, which is how far the cases that have a figure lie above or below their
/// own means over all runs.
fn row_effect(figures: &Figures) -> Figures {
    let centres: Vec<f64> = (0..DOZEN.len()).map(|case| mean(&series(figures, case))).collect();
    let without_run_effect = |run: &Vec<f64>| {
        let off: Vec<f64> = run.iter().zip(&centres).map(|(log, centre)| log - centre).collect();
        let run_effect =
            mean(&off.iter().copied().filter(|off| off.is_finite()).collect::<Vec<_>>());
        run.iter().map(|log| log - run_effect).collect()
    };
    figures.iter().map(without_run_effect).collect()
}

/// The figures that a case has.
fn series(figures: &Figures, case: usize) -> Vec<f64> {
    figures.iter().map(|run| run[case]).filter(|log| log.is_finite()).collect()
}

/// Standard deviation between repeats of a case, over those in which it has a figure.
fn spread(figures: &Figures, case: usize) -> f64 {
    let series = series(figures, case);
    let centre = mean(&series);
    let squares: f64 = series.iter().map(|log| (log - centre).powi(2)).sum();
    (squares / (series.len() - 1) as f64).sqrt()
}

fn median_spread(figures: &Figures) -> f64 {
    median(&(0..DOZEN.len()).map(|case| spread(figures, case)).collect::<Vec<_>>())
}
