//! Does the memory pulse see a neighbour of the caches and the memory, whom the core's pulse cannot see?
//! `bench/README.md` says how to run it.

mod work;

use clap::Parser;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sizeup_bench::neighbour::{Kind, Neighbour};
use sizeup_kit::{Memory, MemoryPulse, additions, proof};
use std::time::{Duration, Instant};
use terminal::table::Table;
use work::{WORKS, Work};

#[derive(Parser)]
#[command(about = "Runs a neighbour beside pulses of the memory", version)]
struct Args {
    /// The CPU to measure on
    #[arg(long, default_value_t = 0)]
    cpu: u32,
    /// The neighbour's CPU
    #[arg(long, default_value_t = 1)]
    neighbour: u32,
    /// The neighbour's kind of work
    #[arg(long, value_enum, default_value = "writes")]
    kind: Kind,
    /// How much memory the neighbour goes over, in MiB
    #[arg(long, default_value_t = 64)]
    mib: usize,
    /// How long to measure
    #[arg(long, default_value = "60s", value_parser = humantime::parse_duration)]
    time: Duration,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// A neighbour that was switched needs so long to be at work, or asleep.
const SETTLES: Duration = Duration::from_millis(3);
const SAMPLE: Duration = Duration::from_millis(50);
const WARM_UP: Duration = Duration::from_millis(5);
/// Additions of a probe of the core's width, in turns of 32.
const WIDTH_TURNS: u64 = 60_000;

/// A sample between two probes.
struct Sample {
    work: usize,
    is_on: bool,
    moved_gb_s: f64,
    speed: f64,
    /// Time of the additions before and after, in ns.
    width_ns: [f64; 2],
    /// Time of a load and of a line, before and after, in ns.
    load_ns: [f64; 2],
    line_ns: [f64; 2],
    pulses_ns: f64,
}

fn main() {
    let args = Args::parse();
    proof::pin(args.cpu).expect("the CPU can be used");
    let memory = Memory::new().expect("room for a page");
    let neighbour = Neighbour::start(args.neighbour, args.kind, args.mib << 20);
    let mut works: Vec<Box<dyn Work>> = WORKS.iter().map(|(_, make)| make()).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(args.seed);
    let mut samples = Vec::new();
    let start = Instant::now();
    while start.elapsed() < args.time {
        let is_on = rng.random();
        neighbour.switch(is_on);
        std::thread::sleep(SETTLES);
        let which = rng.random_range(0..works.len());
        samples.push(sample(which, works[which].as_mut(), is_on, &neighbour, &memory));
    }
    report(&samples);
}

fn sample(
    which: usize,
    work: &mut dyn Work,
    is_on: bool,
    neighbour: &Neighbour,
    memory: &Memory,
) -> Sample {
    let begin = Instant::now();
    let moved_before = neighbour.moved_bytes();
    let width = || {
        let start = Instant::now();
        std::hint::black_box(additions(WIDTH_TURNS));
        start.elapsed().as_nanos() as f64
    };
    let pulse_start = Instant::now();
    let before = memory.before();
    let mut pulses_ns = pulse_start.elapsed().as_nanos() as f64;
    let width_before = width();
    let warm = Instant::now();
    while warm.elapsed() < WARM_UP {
        work.batch();
    }
    let start = Instant::now();
    let mut ops = 0;
    while start.elapsed() < SAMPLE {
        work.batch();
        ops += 1;
    }
    let speed = f64::from(ops) / start.elapsed().as_secs_f64();
    let width_after = width();
    let pulse_start = Instant::now();
    let after = memory.after();
    pulses_ns += pulse_start.elapsed().as_nanos() as f64;
    let moved = (neighbour.moved_bytes() - moved_before) as f64;
    let load = |pulse: &MemoryPulse| pulse.loads_ns as f64 / pulse.loads as f64;
    let line = |pulse: &MemoryPulse| pulse.lines_ns as f64 / pulse.lines as f64;
    Sample {
        work: which,
        is_on,
        moved_gb_s: moved / begin.elapsed().as_nanos() as f64,
        speed,
        width_ns: [width_before, width_after],
        load_ns: [load(&before), load(&after)],
        line_ns: [line(&before), line(&after)],
        pulses_ns,
    }
}

/// A figure of a sample that rises beside a neighbour, if the probe sees it.
type Probe = (&'static str, fn(&Sample) -> f64);

const PROBES: [Probe; 7] = [
    ("time of an op, µs", |sample| 1e6 / sample.speed),
    ("load before, ns", |sample| sample.load_ns[0]),
    ("load after, ns", |sample| sample.load_ns[1]),
    ("line before, ns", |sample| sample.line_ns[0]),
    ("line after, ns", |sample| sample.line_ns[1]),
    ("line, the longer, ns", |sample| sample.line_ns[0].max(sample.line_ns[1])),
    ("additions, the longer, µs", |sample| sample.width_ns[0].max(sample.width_ns[1]) / 1e3),
];

/// Each probe, and how it shows the neighbour.
fn report(samples: &[Sample]) {
    let heads = ["work", ">samples", "probe", ">off", ">on", ">on ÷ off", ">accuracy", ">of pairs"];
    let mut table = Table::plain(&heads);
    let middle = |samples: &[&Sample], probe: fn(&Sample) -> f64, is_on: bool| {
        let values =
            samples.iter().filter(|sample| sample.is_on == is_on).map(|sample| probe(sample));
        stats::median(&values.collect::<Vec<f64>>())
    };
    for (work, (name, _)) in WORKS.iter().enumerate() {
        let of_work: Vec<&Sample> = samples.iter().filter(|sample| sample.work == work).collect();
        for (what, probe) in PROBES {
            let [off, on] = [false, true].map(|is_on| middle(&of_work, probe, is_on));
            table.row([
                (*name).to_owned(),
                of_work.len().to_string(),
                what.to_owned(),
                format!("{off:.3}"),
                format!("{on:.3}"),
                format!("{:.3}", on / off),
                format!("{:.3}", accuracy(&of_work, probe)),
                format!("{:.3}", of_pairs(&of_work, probe)),
            ]);
        }
    }
    println!("{table}");
    let all: Vec<&Sample> = samples.iter().collect();
    println!(
        "a memory pulse took {:.2} ms; the neighbour moved {:.1} GB/s while on",
        middle(&all, |sample| sample.pulses_ns / 2e6, false),
        middle(&all, |sample| sample.moved_gb_s, true)
    );
}

/// The share of samples that the best threshold puts on the right side.
fn accuracy(samples: &[&Sample], probe: fn(&Sample) -> f64) -> f64 {
    let mut sorted: Vec<(f64, bool)> =
        samples.iter().map(|sample| (probe(sample), sample.is_on)).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let on = sorted.iter().filter(|(_, is_on)| *is_on).count();
    let (mut right, mut best) = (on, on.max(sorted.len() - on));
    for (_, is_on) in &sorted {
        right = if *is_on { right - 1 } else { right + 1 };
        best = best.max(right);
    }
    best as f64 / sorted.len() as f64
}

/// The share of neighbouring samples of a work, one with and one without the neighbour, that the probe puts in the right
/// order. Strangers that come and go more slowly than samples follow each other do not count here.
fn of_pairs(samples: &[&Sample], probe: fn(&Sample) -> f64) -> f64 {
    let pairs: Vec<bool> = samples
        .windows(2)
        .filter(|pair| pair[0].is_on != pair[1].is_on)
        .map(|pair| (probe(pair[0]) > probe(pair[1])) == pair[0].is_on)
        .collect();
    pairs.iter().filter(|is_right| **is_right).count() as f64 / pairs.len() as f64
}
