//! Whether sizeup names the state of a core right: shared with a neighbour, or own.
//!
//! Where the CPU has a sibling, a thread of ours makes it busy or not, at random, and that is the truth.
//! Where it has none, two weaker proofs stand in. A *witness*: work that fills the core for the whole sample
//! tells how much of the core was ours within it, whoever the neighbour was. And a *simulation*: pulses from
//! moments without strangers are stretched as a neighbour would.

use super::Setting;
use super::siblings::Neighbour;
use super::tally::Tally;
use super::witness::{Fill, Witnessed, kernel, look};
use anyhow::{anyhow, ensure};
use estimate::{ClockKernel, Look, least_own_width};
use rand::RngExt;
use record::{Measured, Timing};
use sizeup_kit::proof;
use stats::two_states;
use std::thread::sleep;
use std::time::Duration;

const TIMING: Timing = Timing { warmup_ns: 5_000_000, sample_ns: 50_000_000, rounds_per_launch: 1 };
/// A sample hardly longer than its pulses, in which a neighbour seldom comes or goes.
const SHORT: Timing = Timing { warmup_ns: 0, sample_ns: 1_000_000, rounds_per_launch: 1 };
/// The share of samples that must be named right.
const LEAST_RIGHT: f64 = 0.95;
/// How much less of a core's width a simulated neighbour leaves, by factor.
const LEFT_BY_A_NEIGHBOUR: std::ops::Range<f64> = 1.5..2.1;

/// Moments without strangers are looked for in so many rows of samples for each sample that is named …
const ROWS: usize = 5;
/// … with so many samples on either side: strangers may come for a millisecond.
const BESIDE: usize = 3;

pub fn prove(setting: &mut Setting, are_siblings: bool) -> anyhow::Result<()> {
    if are_siblings {
        return with_a_neighbour(setting);
    }
    println!(
        "A neighbour of our own: not available, CPU {} does not share the core of CPU {}.\n",
        setting.neighbour, setting.cpu
    );
    proof::pin(setting.cpu)?;
    let (_, batch_ops) = proof::batch(&mut Fill)?;
    with_a_witness(setting, TIMING, batch_ops)?;
    with_a_witness(setting, SHORT, batch_ops)?;
    simulated(setting, batch_ops)
}

/// The truth is a sibling that we keep busy.
fn with_a_neighbour(setting: &mut Setting) -> anyhow::Result<()> {
    let neighbour = Neighbour::on(setting.neighbour)?;
    let failed = |e| anyhow!("{e}");
    let mut launch = setting.workers.launch("rsa2048-sign/openssl", &[setting.cpu])?;
    let kernel = ClockKernel::of(&launch.ready);
    let mut samples = Vec::new();
    for _ in 0..setting.pairs {
        let is_busy = setting.rng.random();
        neighbour.set(is_busy);
        samples.push((look(&launch.measure(&TIMING).map_err(failed)?.measured, kernel), is_busy));
    }
    launch.finish().map_err(failed)?;
    Tally::print(Tally::of(&samples), "A sibling of our own, busy or idle", Some(LEAST_RIGHT));
    Ok(())
}

/// The truth is how much of the core the sample itself had.
fn with_a_witness(setting: &Setting, timing: Timing, batch_ops: u64) -> anyhow::Result<()> {
    let samples: Vec<Witnessed> = (0..setting.pairs)
        .map(|_| apart(|| Witnessed::take(setting.cpu, timing, batch_ops)))
        .collect::<Result<_, _>>()?;
    let ms = timing.sample_ns / 1_000_000;
    print_agreement(&samples, ms);
    let Some(inside) = two_states(&widths_inside(&samples)) else {
        println!("A witness within samples of {ms} ms: it saw one state only.\n");
        return Ok(());
    };
    let is_shared = |sample: &Witnessed| sample.width_inside <= least_own_width(inside);
    let seen: Vec<(Look, bool)> = samples.iter().map(|w| (w.look.clone(), is_shared(w))).collect();
    let how = format!(
        "A witness within samples of {ms} ms (strangers left {:.2} of {:.2} per cycle)",
        inside.low, inside.high
    );
    Tally::print(Tally::of(&seen), &how, None);
    Ok(())
}

/// As between samples of a run; else all would lie within few episodes of a neighbour.
fn apart<T>(take: impl FnOnce() -> T) -> T {
    sleep(Duration::from_millis(10));
    take()
}

fn widths_inside(samples: &[Witnessed]) -> Vec<f64> {
    samples.iter().map(|sample| sample.width_inside).collect()
}

/// How near the width of the pulses comes to that of the sample between them.
fn print_agreement(samples: &[Witnessed], ms: u64) {
    let mut ratios: Vec<f64> =
        samples.iter().map(|w| w.look.threads[0].width() / w.width_inside).collect();
    ratios.sort_by(f64::total_cmp);
    let at = |share: f64| ratios.get((ratios.len() as f64 * share) as usize).copied();
    let at = |share: f64| at(share).unwrap_or(f64::NAN);
    println!(
        "Width that the pulses show ÷ width that samples of {ms} ms between them had: {:.3} in the middle, nine of \
         ten samples between {:.3} and {:.3}.",
        at(0.5),
        at(0.05),
        at(0.95)
    );
}

/// The truth is what we did to the pulses.
fn simulated(setting: &mut Setting, batch_ops: u64) -> anyhow::Result<()> {
    let quiet = without_strangers(setting, batch_ops)?;
    ensure!(!quiet.is_empty(), "a stranger was on the core in every moment");
    let kernel = kernel();
    let seen: Vec<(Look, bool)> = (0..setting.pairs)
        .map(|i| {
            let mut sample = quiet[i % quiet.len()].clone();
            let is_shared = setting.rng.random();
            if is_shared {
                let thread = &mut sample.threads[0];
                for pulse in [&mut thread.pulse_before, &mut thread.pulse_after] {
                    let left_by = setting.rng.random_range(LEFT_BY_A_NEIGHBOUR);
                    pulse.width_ns = (pulse.width_ns as f64 * left_by) as u64;
                }
            }
            (look(&sample, kernel), is_shared)
        })
        .collect();
    let how = format!(
        "SIMULATED: the pulses of {} samples without strangers among {}, left alone or stretched by a factor of {} to {}",
        quiet.len(),
        ROWS * setting.pairs,
        LEFT_BY_A_NEIGHBOUR.start,
        LEFT_BY_A_NEIGHBOUR.end
    );
    Tally::print(Tally::of(&seen), &how, Some(LEAST_RIGHT));
    Ok(())
}

/// Samples in moments without strangers, as samples next to them tell: all in a row had their core to themselves
/// by what they did, and the pulses of the middle one lie between them. What widths the pulses show does not
/// matter.
fn without_strangers(setting: &Setting, batch_ops: u64) -> anyhow::Result<Vec<Measured>> {
    let row = || (0..=2 * BESIDE).map(|_| Witnessed::take(setting.cpu, SHORT, batch_ops)).collect();
    let rows: Vec<Vec<Witnessed>> =
        (0..ROWS * setting.pairs).map(|_| apart(row)).collect::<Result<_, _>>()?;
    let widths: Vec<f64> = rows.iter().flat_map(|row| widths_inside(row)).collect();
    let least = two_states(&widths).map_or(0.0, least_own_width);
    let is_quiet = |row: &Vec<Witnessed>| row.iter().all(|w| w.width_inside > least);
    let middle = |mut row: Vec<Witnessed>| row.swap_remove(BESIDE).measured;
    Ok(rows.into_iter().filter(is_quiet).map(middle).collect())
}
