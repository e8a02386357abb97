//! Whether sizeup names the state of a core right: shared with a neighbour, or own.
//!
//! Where the CPU has a sibling, a thread of ours makes it busy or not, at random, and that is the truth.
//! Where it has none, two weaker proofs stand in. A *witness*: work that fills the core for the whole window
//! tells how much of the core was ours within it, whoever the neighbour was. And a *simulation*: pulses of
//! windows on an own core are stretched as a neighbour would.

use super::Setting;
use super::chains::{ADDITIONS, additions};
use super::siblings::Neighbour;
use anyhow::{Context, anyhow};
use rand::RngExt;
use sizeup::estimate::{Look, least_own_width};
use sizeup::record::{Measured, Pulse, ThreadWindow, Timing};
use sizeup::stats::two_states;
use sizeup_kit::proof::{self, Manner};
use sizeup_kit::{OpError, Work};
use std::thread::sleep;
use std::time::Duration;

const TIMING: Timing = Timing { settle_ns: 5_000_000, window_ns: 50_000_000, rounds_per_launch: 1 };
/// A window hardly longer than its pulses, in which a neighbour seldom comes or goes.
const SHORT: Timing = Timing { settle_ns: 0, window_ns: 1_000_000, rounds_per_launch: 1 };
/// The share of windows that must be named right.
const LEAST_RIGHT: f64 = 0.95;
/// How much less of a core's width a simulated neighbour leaves, by factor.
const LEFT_BY_A_NEIGHBOUR: std::ops::Range<f64> = 1.5..2.1;

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
    let short = with_a_witness(setting, SHORT, batch_ops)?;
    simulated(setting, &short)
}

/// What the state of windows was named, against the truth.
#[derive(Default)]
struct Tally {
    shared_as_shared: usize,
    shared_as_own: usize,
    own_as_own: usize,
    own_as_shared: usize,
}

impl Tally {
    /// Of windows by width, and whether their core was truly shared. `None` if sizeup tells no states apart.
    fn of(windows: &[(f64, bool)]) -> Option<Self> {
        let states = two_states(&windows.iter().map(|(width, _)| *width).collect::<Vec<_>>())?;
        let mut tally = Self::default();
        for &(width, is_shared) in windows {
            let is_named_own = width > least_own_width(states);
            *match (is_shared, is_named_own) {
                (true, false) => &mut tally.shared_as_shared,
                (true, true) => &mut tally.shared_as_own,
                (false, true) => &mut tally.own_as_own,
                (false, false) => &mut tally.own_as_shared,
            } += 1;
        }
        Some(tally)
    }

    /// `least` is the share that must be right, where that can be asked.
    fn print(tally: Option<Self>, how: &str, least: Option<f64>) {
        let Some(tally) = tally else {
            println!("{how}: sizeup tells no two states apart.\n");
            return;
        };
        let Self { shared_as_shared, shared_as_own, own_as_own, own_as_shared } = tally;
        let (shared, own) = (shared_as_shared + shared_as_own, own_as_own + own_as_shared);
        let right = (shared_as_shared + own_as_own) as f64 / (shared + own).max(1) as f64;
        println!(
            "{how}: {:.1} % of {} windows named right; of {shared} shared ones {shared_as_own} named own, of \
             {own} own ones {own_as_shared} named shared.",
            right * 100.0,
            shared + own,
        );
        if let Some(least) = least {
            let verdict = if right >= least { "holds" } else { "DOES NOT HOLD" };
            println!("At least {:.0} %: {verdict}.", least * 100.0);
        }
        println!();
    }
}

/// Width of a window as sizeup sees it.
fn width(window: &Measured, cycles_per_op: u64) -> f64 {
    Look::at(window, (0, 0), None, cycles_per_op, false).threads[0].width
}

/// The truth is a sibling that we keep busy.
fn with_a_neighbour(setting: &mut Setting) -> anyhow::Result<()> {
    let neighbour = Neighbour::on(setting.neighbour)?;
    let failed = |e| anyhow!("{e}");
    let mut launch = setting.workers.launch("rsa2048-sign/openssl", &[setting.cpu])?;
    let cycles = launch.ready.pulse.clock_cycles_per_op;
    let mut windows = Vec::new();
    for _ in 0..setting.pairs {
        let is_busy = setting.rng.random();
        neighbour.set(is_busy);
        windows.push((width(&launch.measure(&TIMING).map_err(failed)?, cycles), is_busy));
    }
    launch.finish().map_err(failed)?;
    let how = "A sibling of our own, busy or idle (a stranger cannot be on the core as well)";
    Tally::print(Tally::of(&windows), how, Some(LEAST_RIGHT));
    Ok(())
}

/// Fills the core with additions: its rate is the core's width that was ours.
struct Fill;

impl Fill {
    const TURNS: u64 = 1000;
    const OP_ADDITIONS: u64 = Self::TURNS * ADDITIONS;
}

impl Work for Fill {
    fn op(&mut self) -> Result<(), OpError> {
        additions(Self::TURNS);
        Ok(())
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.op().map(|()| vec![0])
    }

    fn check(&mut self, _: &[u8]) -> Result<(), String> {
        Ok(())
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}

/// A window of [`Fill`]: what sizeup sees of it, and the width that the window itself had.
struct Witnessed {
    measured: Measured,
    width: f64,
    inside: f64,
}

fn witnessed(cpu: u32, timing: Timing, batch_ops: u64) -> anyhow::Result<Witnessed> {
    let Timing { settle_ns, window_ns, .. } = timing;
    let manner = Manner { settle_ns, window_ns, batch_ops, has_pulses: true };
    let count = proof::window(&mut Fill, manner)?;
    let [pulse_before, pulse_after] = count.pulses.map(|pulse| Pulse {
        clock_ops: pulse.clock_ops,
        clock_ns: pulse.clock_ns,
        width_ops: pulse.width_ops,
        width_ns: pulse.width_ns,
    });
    let thread = ThreadWindow {
        cpu,
        ops: count.ops,
        elapsed_ns: count.elapsed_ns,
        cpu_ns: count.elapsed_ns,
        minor_faults: 0,
        major_faults: 0,
        voluntary_switches: 0,
        involuntary_switches: 0,
        pulse_before,
        pulse_after,
    };
    let measured = Measured {
        start_ns: 0,
        end_ns: count.elapsed_ns,
        process_cpu_ns: count.elapsed_ns,
        process_elapsed_ns: count.elapsed_ns,
        threads: vec![thread],
    };
    let cycles = proof::clock_cycles_per_op();
    let look = Look::at(&measured, (0, 0), None, cycles, false);
    let inside =
        (count.ops * Fill::OP_ADDITIONS) as f64 / count.elapsed_ns as f64 * 1e9 / look.clock_hz;
    Ok(Witnessed { width: look.threads[0].width, measured, inside })
}

/// The truth is how much of the core the window itself had.
fn with_a_witness(
    setting: &Setting,
    timing: Timing,
    batch_ops: u64,
) -> anyhow::Result<Vec<Witnessed>> {
    let take = |_| {
        // As between windows of a run; else all would lie within few episodes of a neighbour.
        sleep(Duration::from_millis(10));
        witnessed(setting.cpu, timing, batch_ops)
    };
    let windows: Vec<Witnessed> = (0..setting.pairs).map(take).collect::<Result<_, _>>()?;
    let ms = timing.window_ns / 1_000_000;
    print_agreement(&windows, ms);
    let Some(inside) = two_states(&windows.iter().map(|w| w.inside).collect::<Vec<_>>()) else {
        println!("A witness within windows of {ms} ms: it saw one state only.\n");
        return Ok(windows);
    };
    let seen: Vec<(f64, bool)> =
        windows.iter().map(|w| (w.width, w.inside <= inside.threshold)).collect();
    let how = format!(
        "A witness within windows of {ms} ms (strangers took part of the core in {:.0} % of them and left {:.2} of \
         {:.2} per cycle)",
        (1.0 - inside.high_share) * 100.0,
        inside.low,
        inside.high
    );
    Tally::print(Tally::of(&seen), &how, None);
    Ok(windows)
}

/// How near the width of the pulses comes to that of the window between them.
fn print_agreement(windows: &[Witnessed], ms: u64) {
    let mut ratios: Vec<f64> = windows.iter().map(|w| w.width / w.inside).collect();
    ratios.sort_by(f64::total_cmp);
    let at = |share: f64| ratios.get((ratios.len() as f64 * share) as usize).copied();
    let at = |share: f64| at(share).unwrap_or(f64::NAN);
    println!(
        "Width that the pulses show ÷ width that windows of {ms} ms between them had: {:.3} in the middle, nine of \
         ten windows between {:.3} and {:.3}.",
        at(0.5),
        at(0.05),
        at(0.95)
    );
}

/// The truth is what we did to the pulses.
fn simulated(setting: &mut Setting, windows: &[Witnessed]) -> anyhow::Result<()> {
    let inside = two_states(&windows.iter().map(|w| w.inside).collect::<Vec<_>>());
    let own = windows.iter().filter(|w| inside.is_none_or(|states| w.inside > states.threshold));
    let own: Vec<&Measured> = own.map(|w| &w.measured).collect();
    own.first().context("no window had the core to itself")?;
    let cycles = proof::clock_cycles_per_op();
    let seen: Vec<(f64, bool)> = (0..setting.pairs)
        .map(|i| {
            let mut window = own[i % own.len()].clone();
            let is_shared = setting.rng.random();
            if is_shared {
                let thread = &mut window.threads[0];
                for pulse in [&mut thread.pulse_before, &mut thread.pulse_after] {
                    let left_by = setting.rng.random_range(LEFT_BY_A_NEIGHBOUR);
                    pulse.width_ns = (pulse.width_ns as f64 * left_by) as u64;
                }
            }
            (width(&window, cycles), is_shared)
        })
        .collect();
    let how = format!(
        "SIMULATED: the pulses of {} windows that had their core, left alone or stretched by a factor of {} to {}",
        own.len(),
        LEFT_BY_A_NEIGHBOUR.start,
        LEFT_BY_A_NEIGHBOUR.end
    );
    Tally::print(Tally::of(&seen), &how, Some(LEAST_RIGHT));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Windows that had their core, and windows that shared it, by width.
    fn windows(own: &[f64], shared: &[f64]) -> Vec<(f64, bool)> {
        let own = own.iter().map(|width| (*width, false));
        own.chain(shared.iter().map(|width| (*width, true))).collect()
    }

    #[test]
    fn both_kinds_of_errors_are_counted() {
        let (mut own, mut shared) = (vec![3.8; 40], vec![2.0; 30]);
        own.push(2.0);
        shared.extend([3.8; 2]);
        let tally = Tally::of(&windows(&own, &shared)).unwrap();
        assert_eq!((tally.own_as_own, tally.own_as_shared), (40, 1));
        assert_eq!((tally.shared_as_shared, tally.shared_as_own), (30, 2));
    }

    #[test]
    fn one_state_is_not_named() {
        assert!(Tally::of(&windows(&[3.8; 20], &[3.8; 20])).is_none());
    }
}
