//! Cost of pulses: as a share of a run's time, and in the ops that samples count.

use super::works::{CountUp, Tally};
use super::{Setting, at_most, equals, plus_minus};
use anyhow::Context;
use measure::execute::monotonic_ns;
use record::{MemoryPulse, Pulse, Timing};
use sizeup_bench::pairs::{Bounds, interval, pairs};
use sizeup_kit::proof::{self, Manner};
use sizeup_kit::{Memory, Work};
use stats::{Interval, mean_interval};
use std::thread::sleep;
use std::time::Duration;
use terminal::table::Table;

/// Limit for pulses, as a share of a run's time.
const MOST_SHARE: f64 = 0.05;
/// How narrow the ratio of samples with and without pulses is to be known.
const HALF: f64 = 0.01;
/// Samples of the ratio are short: what a pulse leaves behind is felt at their beginning, and neighbours
/// come and go less within a pair.
const SHORT_NS: u64 = 10_000_000;
/// Samples of each workload.
const SAMPLES: usize = 40;
const TIMING: Timing = Timing { warmup_ns: 5_000_000, sample_ns: 50_000_000, rounds_per_launch: 1 };

/// Limit for memory pulses, as a share of a run's time.
const MOST_SHARE_OF_MEMORY: f64 = 0.03;

/// The pulse on either side of a sample, present in one of each pair of samples.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beside {
    Pulse,
    MemoryPulse,
}

pub fn prove(setting: &mut Setting) -> anyhow::Result<()> {
    time(setting)?;
    count(setting, Beside::Pulse)?;
    count(setting, Beside::MemoryPulse)
}

/// From request to answer: how much of it are pulses?
fn time(setting: &mut Setting) -> anyhow::Result<()> {
    let mut table = Table::plain(&[
        "workload",
        ">pulses ms",
        ">warm-up and sample ms",
        ">all else ms",
        ">pulses' share %",
        "at most 5 %",
        ">memory pulses' share %",
        "at most 3 %",
    ]);
    for workload in setting.workloads {
        let mut launch = setting.workers.launch(workload, &[setting.cpu])?;
        let (mut shares, mut memory_shares) = (Vec::new(), Vec::new());
        let (mut all_pulses_ms, mut all_work_ms, mut all_ms) = (0.0, 0.0, 0.0);
        for _ in 0..SAMPLES {
            let sent_ns = monotonic_ns();
            let sample =
                launch.measure(&TIMING).map_err(|e| anyhow::anyhow!("{workload}: {e}"))?.measured;
            let took_ms = (monotonic_ns() - sent_ns) as f64 / 1e6;
            let thread = &sample.threads[0];
            let length_ms = |pulse: &Pulse| (pulse.clock_ns + pulse.width_ns) as f64 / 1e6;
            let pulses_ms = length_ms(&thread.pulse_before) + length_ms(&thread.pulse_after);
            shares.push(pulses_ms / took_ms);
            let memory = [thread.memory_before, thread.memory_after];
            let of_memory = |pulse: &MemoryPulse| (pulse.loads_ns + pulse.lines_ns) as f64 / 1e6;
            memory_shares.push(memory.iter().flatten().map(of_memory).sum::<f64>() / took_ms);
            all_pulses_ms += pulses_ms;
            all_work_ms += (TIMING.warmup_ns + thread.elapsed_ns) as f64 / 1e6;
            all_ms += took_ms;
        }
        launch.finish().map_err(|e| anyhow::anyhow!("{workload}: {e}"))?;
        let share = mean_interval(&shares).context("pulses take no time?")?;
        let of_memory = mean_interval(&memory_shares).context("memory pulses take no time?")?;
        let in_percent = |share: &Interval| {
            format!("{:.2} ± {:.2}", share.centre * 100.0, (share.high - share.low) * 50.0)
        };
        let each = |sum_ms: f64| format!("{:.2}", sum_ms / SAMPLES as f64);
        table.row([
            workload.clone(),
            each(all_pulses_ms),
            each(all_work_ms),
            each(all_ms - all_pulses_ms - all_work_ms),
            in_percent(&share),
            at_most(share.low, share.high, MOST_SHARE),
            in_percent(&of_memory),
            at_most(of_memory.low, of_memory.high, MOST_SHARE_OF_MEMORY),
        ]);
    }
    println!("Time from a sample's request to its answer, {SAMPLES} samples each:\n\n{table}");
    Ok(())
}

/// The kit's own sample function with pulses and without: does the sample count the same?
fn count(setting: &mut Setting, beside: Beside) -> anyhow::Result<()> {
    proof::pin(setting.cpu)?;
    let memory = Memory::new().context("no room for a memory pulse")?;
    let mut table =
        Table::plain(&["op", ">pairs", ">rate with pulses ÷ without", "within ±1 %, holds 1"]);
    let works: [(&str, Box<dyn Work>); 3] = [
        ("empty", Box::new(CountUp::default())),
        ("tally of 24 KiB", Box::new(Tally::new())),
        ("tally of 768 KiB", Box::new(Tally::of_bytes(768 << 10))),
    ];
    for (name, mut work) in works {
        let (_, batch_ops) = proof::batch(work.as_mut())?;
        let bounds = Bounds { least: 100, most: 4 * setting.pairs, margin: HALF / 2.0 };
        let take = |is_wanted: bool| {
            let has_pulses = is_wanted || beside == Beside::MemoryPulse;
            // A worker's thread sleeps between its samples.
            sleep(Duration::from_millis(1));
            let (warmup_ns, sample_ns, has_chains) = (TIMING.warmup_ns, SHORT_NS, false);
            let manner = Manner { warmup_ns, sample_ns, batch_ops, has_pulses, has_chains };
            // As in a worker, memory pulses stand outside pulses.
            let has_memory = is_wanted && beside == Beside::MemoryPulse;
            has_memory.then(|| memory.before());
            let count = proof::sample(work.as_mut(), manner)?;
            has_memory.then(|| memory.after());
            Ok(count.ops as f64 / count.elapsed_ns as f64)
        };
        let ratio = |(without, with): &(f64, f64)| with / without;
        let taken = pairs(&mut setting.rng, bounds, take, |taken| interval(taken, ratio))?;
        let known = interval(&taken, ratio).context("too few pairs")?;
        table.row([
            name.to_owned(),
            taken.len().to_string(),
            plus_minus(&known, 4),
            equals(&known, 1.0, HALF),
        ]);
    }
    let what = match beside {
        Beside::Pulse => "pulse",
        Beside::MemoryPulse => "memory pulse",
    };
    println!("What a sample counts with a {what} on either side, and without:\n\n{table}");
    Ok(())
}
